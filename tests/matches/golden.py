"""
Where do the golden logs come from? From matches played wildly by the server of a release.

`python -m tests.matches.golden` writes those of the next release that are missing; what is there
stays. Those of 0.1.0 were written by its own code. A change of what they replay to is a new engine
revision.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Final

from lastcard_engine.settings import Absence, Reactions
from lastcard_server.journal.entry import Entry
from lastcard_server.matches.seating import cancel, join, leave
from lastcard_server.matches.setup import MatchSetup
from lastcard_server.secrets import ServerKeys
from tests.matches.table import MATCH_ID, Table, setup_of
from tests.matches.wild import FOURS, POINTS, SWAPS, last, wild
from tests.written import written
from tools.golden import GOLDEN, NEXT

ROOT: Final = Path(__file__).parents[2]
_KEY: Final = bytes(range(32))
_MERCY: Final = {"jump_in": "identical", "finish_card": "number_only", "mercy_limit": 15}
_CUSTOM: Final = written() | POINTS
_SETUPS: Final[dict[str, MatchSetup]] = {
    "no_mercy": setup_of(4, preset="no_mercy", overrides=_MERCY),
    "stacking": setup_of(4, preset="house_dk", overrides={"stack_pairs": FOURS}, rounds=2),
    "swaps": setup_of(3, preset="standard_no_swap", overrides=SWAPS, rounds=6),
    "pairs": setup_of(4, preset="pairs_se", overrides={"uno_required_to_finish": True}, rounds=2),
    "custom": setup_of(4, preset="official_se", overrides=_CUSTOM, rounds=3),
    "custom-race": setup_of(
        3,
        preset="official_se",
        overrides=_CUSTOM,
        reactions=Reactions.RACE,
        reaction_ms=5,
        rounds=2,
    ),
    "custom-knock-out": setup_of(
        5, preset="official_se", overrides=_CUSTOM, absence=Absence.KNOCK_OUT_ROUND, rounds=2
    ),
}


def logs() -> list[Path]:
    """Return the golden logs of all releases."""
    return sorted(ROOT.glob(f"{GOLDEN}/*/logs/*.jsonl"))


def write_log(entries: Sequence[Entry]) -> str:
    """Return a log as JSON lines: the match and the server's keys, then the entries."""
    head = json.dumps({"keys": {"k1": _KEY.hex()}, "match": MATCH_ID})
    return "".join(f"{line}\n" for line in (head, *map(_line, entries)))


def _line(entry: Entry) -> str:
    *rest, chain, found = entry
    return json.dumps([*rest, chain.hex(), found and found.hex()], separators=(",", ":"))


def read_log(text: str) -> tuple[str, ServerKeys, list[Entry]]:
    """Return match id, keys and entries of a log that `write_log` wrote."""
    head, *lines = map(json.loads, text.splitlines())
    keys = ServerKeys({name: bytes.fromhex(key) for name, key in head["keys"].items()})
    return head["match"], keys, [_entry(*line) for line in lines]


def _entry(*values: object) -> Entry:
    *rest, chain, found = values
    return Entry._make((*rest, bytes.fromhex(str(chain)), found and bytes.fromhex(str(found))))


def seating() -> list[Entry]:
    """Return the log of a match in which seats are taken and given back, and that is called off."""
    table = Table(setup_of(3, open_seats=2))
    for number, seat in enumerate((1, 2)):
        join(table.match, f"key:{seat}", f"player {seat}", f"r{number}", None, table.clock.us)
    leave(table.match, "key:2", 0, 2, table.clock.advance(10))
    join(table.match, "key:7", "player 7", "r7", 2, table.clock.advance(10))
    table.ready()
    dice = Random(1)
    for _ in range(12):
        table.step(dice)
    cancel(table.match, "key:creator", table.clock.us)
    return table.saved()


def _next() -> Iterator[tuple[str, list[Entry]]]:
    for number, (name, setup) in enumerate(_SETUPS.items()):
        yield name, last(wild(setup, number)).saved()
    yield "seating", seating()


def main() -> None:
    """Write the logs of the next release that are missing."""
    for name, entries in _next():
        path = ROOT / GOLDEN / NEXT / "logs" / f"{name}.jsonl"
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(write_log(entries))
            print(f"new: {path.relative_to(ROOT)}, {len(entries)} entries")  # noqa: T201 - its report


if __name__ == "__main__":
    main()
