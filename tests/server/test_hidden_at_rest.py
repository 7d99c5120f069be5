"""
Does a store tell what is still hidden? Whoever reads all of it and hears all that is notified, not.

Matches and a contest are played on a real store by keys and on seats that were joined; then every
value of every table is searched. What players do is on record; what they hold and hide is not.
"""

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from secrets import token_bytes
from typing import Any, NamedTuple

import pytest

from lastcard_engine.dealing import deal_key
from lastcard_engine.notation import format_action, parse_action
from lastcard_engine.record import EntryKind
from lastcard_engine.state import State
from lastcard_server.contests import contests as contests_module
from lastcard_server.contests import ends
from lastcard_server.contests.contest import Contest, Stage
from lastcard_server.contests.contests import Contests
from lastcard_server.contests.schedule import seat_map
from lastcard_server.contests.spec import Entrant, Spec, seats_of
from lastcard_server.fingerprint import ensure_same_keys
from lastcard_server.journal.entry import Entry
from lastcard_server.journal.port import Journal, Snapshot
from lastcard_server.key_registry import KeyRegistry
from lastcard_server.keys import Role
from lastcard_server.matches import saving, snapshots
from lastcard_server.matches.bodies import answer_body, read_answer, read_structured
from lastcard_server.matches.folding import replay
from lastcard_server.matches.history import HistorySeal
from lastcard_server.matches.registry import Matches
from lastcard_server.matches.setup import SeatSetup
from lastcard_server.matches.turns import TurnKind
from lastcard_server.secrets import ServerKeys
from lastcard_server.tokens import parse_credential
from tests.journal.stores import DURABLE, KINDS
from tests.matches.hall import answer_to, play_on
from tests.matches.table import ManualClock, setup_of
from tests.server import at_rest
from tests.server.at_rest import Cell, forms, listings, named, runs, told

CREATOR = "key:creator"
ROUNDS = 3


class House:
    """A store and all that lives on it, without the edge."""

    def __init__(self, journal: Journal, clock: ManualClock) -> None:
        self.keys = ServerKeys({"k1": token_bytes(32), "k2": token_bytes(32)})
        self.server_keys = list(self.keys._keys.values())
        self.journal = journal
        self.clock = clock
        self.matches = Matches(journal, self.keys, clock, {})
        self.contests = Contests(journal, self.matches, self.keys, clock)
        self.credentials: list[str] = []
        self.dice = Random(1)

    async def start(self) -> None:
        """Start as a server does."""
        await ensure_same_keys(self.journal, self.keys)
        await self.matches.start()
        await self.contests.start()

    async def aclose(self) -> None:
        """Stop, with all that was to be saved."""
        await self.contests.aclose()
        await self.matches.aclose()
        await self.journal.aclose()

    async def begin(self) -> Contest:
        """Create matches for keys, one that is joined, and a contest; return that."""
        registry = await KeyRegistry.open(self.journal, self.keys)
        made = [await registry.create(f"bot {n}", Role.BOT) for n in range(3)]
        self.credentials += [secret for _, secret in made]
        owners = [key.owner for key, _ in made]
        for count in (2, 3):
            seats = tuple(SeatSetup(owner=owner, name="bot") for owner in owners[:count])
            setup = replace(setup_of(count, rounds=ROUNDS, overrides=_LONG), seats=seats)
            await self.matches.create(CREATOR, f"m{count}", setup)
        joined = await self.matches.create(
            CREATOR, "open", setup_of(3, open_seats=3, rounds=ROUNDS, overrides=_LONG)
        )
        for n, owner in enumerate(owners):
            taken = await self.matches.join(joined.match_id, owner, f"guest {n}", f"j{n}")
            self.credentials.append(taken.seat_token)
        contest = await self.contests.create(CREATOR, "cup", contest_of(owners[:2]))
        await self.contests.begin(contest.contest_id)
        return contest

    async def deal(self, count: int) -> None:
        """Answer ready turns until the cards of so many matches are dealt; nobody has played."""
        async with asyncio.timeout(60):
            while len(found := await self.live()) < count:  # noqa: ASYNC110 - nothing tells
                await asyncio.sleep(0.01)
        for match_id in found:
            match = await self.matches.get(match_id)
            asked = [turn for turn in match.turns.values() if turn.kind is TurnKind.READY]
            answers = [answer_to(match, turn, self.dice, self.clock) for turn in asked]
            await self.matches.submit(answers)
        async with asyncio.timeout(60):
            for match_id in found:  # the legs of a group agree on their deal first
                while not await self._is_dealt(match_id):  # noqa: ASYNC110 - nothing tells
                    await asyncio.sleep(0.01)

    async def _is_dealt(self, match_id: str) -> bool:
        state = (await self.matches.get(match_id)).state
        return state is not None and all(state.hands)

    async def live(self) -> list[str]:
        """Return the matches that are not over."""
        found = await self.journal.logs("match/", live=True)
        return [listed.log.removeprefix("match/") for listed in found]

    async def play(self, contest: Contest) -> None:
        """Play everything to its end."""
        async with asyncio.timeout(120):
            while (await self.contests.get(contest.contest_id)).stage is not Stage.FINISHED:
                await play_on(self.matches, await self.live(), self.clock, self.dice)
                await asyncio.sleep(0.01)

    def needles(self) -> Iterator[bytes]:
        """Yield every form of what only keys and credentials tell."""
        keys = [*self.server_keys, self.keys.history_key(), self.keys.snapshot_key()]
        for secret in keys:
            yield from forms(secret)
        for credential in self.credentials:
            parsed = parse_credential(credential)
            assert parsed is not None
            yield from forms(credential.encode())
            yield from forms(parsed.payload[-20:])  # a key's random bits, the seal of a token


_LONG: dict[str, Any] = {"scoring": "winner_takes", "target_points": 5000}


def contest_of(owners: Sequence[str]) -> Spec:
    """Return a contest between keys."""
    entrants = tuple(Entrant(f"bot {n}", owner) for n, owner in enumerate(owners))
    setup = replace(setup_of(2, rounds=1), seats=seats_of(entrants, (0, 1)))
    return Spec("cup", setup, (), entrants, seat_map(2), blocks=1, concurrency=2)


class Deals(NamedTuple):
    """What was dealt in all matches of a store."""

    secrets: list[bytes]
    """Those of the deals, and the keys that deal the cards."""
    public: list[bytes]
    """What a store holds of them, in hex."""
    states: list[State]
    """As each round began."""


async def deals_of(house: House) -> Deals:
    """Find out by the server's keys what was dealt."""
    seal = HistorySeal(house.keys.history_key(), 7)
    deals = Deals([], [], [])
    for listed in await house.journal.logs("match/"):
        entries = await house.journal.read(listed.log)
        match_id = listed.log.removeprefix("match/")
        match = replay(match_id, entries, house.keys, seal)
        secret = match.deal.pool.secret(house.keys)
        deals.secrets.extend((secret, deal_key(secret, match.nonces)))
        deals.public.extend((match.deal.pool.random, match.deal.salt, match.deal.commitment))
        for entry in entries:
            if entry.kind == EntryKind.ROUND_STARTED:
                begun = replay(match_id, entries[: entry.version], house.keys, seal).state
                assert begun is not None
                deals.states.append(begun)
    return deals


@pytest.fixture(params=DURABLE)
async def house(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[House]:
    """Open each kind of store that is kept, with a snapshot before nearly every round."""
    monkeypatch.setattr(snapshots, "EVERY", 1)
    monkeypatch.setattr(saving, "EVERY_SECONDS", 0.01)
    for module in (contests_module, ends):
        monkeypatch.setattr(module, "LOOK_SECONDS", 0.01)
    clock = ManualClock()
    house = House(await KINDS[request.param].open(tmp_path, clock.now_us), clock)
    await house.start()
    yield house
    await house.aclose()


@asynccontextmanager
async def hearing(house: House, folder: Path) -> AsyncIterator[list[str]]:
    """Hear what a store notifies, if it does."""
    if not house.journal.shared:
        yield []
        return
    async with at_rest.heard(folder) as payloads:
        yield payloads
        assert payloads


async def cells_of(house: House, folder: Path) -> list[Cell]:
    """Return all that the store of a folder holds."""
    if house.journal.shared:
        return await at_rest.cells_of_database(folder)
    return at_rest.cells_of_file(folder)


async def test_a_store_tells_nothing_that_is_hidden(house: House, tmp_path: Path) -> None:
    """No key, no credential, no secret of a deal; no hand and no pile, before or after the play."""
    async with hearing(house, tmp_path) as payloads:
        contest = await house.begin()
        await house.deal(5)
        dealt = await cells_of(house, tmp_path)
        assert {cell.place for cell in dealt if named(cell.octets)} == set(), "nobody has played"
        await house.play(contest)
        deals = await deals_of(house)
        await check_entries(house)
        logs = {
            listed.log
            for family in ("match/", "group/", "contest/", "keys", "server", "outages")
            for listed in await house.journal.logs(family)
        }
        await house.aclose()
        cells = await cells_of(house, tmp_path)
    check_notifications(payloads, logs)
    cells += [Cell("notification", payload.encode()) for payload in payloads]
    assert {cell.place for cell in cells} >= {cell.place for cell in dealt}
    assert len(deals.states) == 3 * ROUNDS + 2, "all rounds of all matches"
    assert told(cells, (public.hex().encode() for public in deals.public)), "it would be found"
    secrets = [*house.needles(), *(form for secret in deals.secrets for form in forms(secret))]
    assert told([*dealt, *cells, *at_rest.whole_files(tmp_path)], secrets) == set()
    cards = [cards for state in deals.states for cards in (*state.hands, *runs(state.draw_pile))]
    assert told(cells, (form for some in cards for form in listings(some))) == set()


def check_notifications(payloads: Sequence[str], logs: set[str]) -> None:
    """A notification holds the tag of a pod, and names of logs with two flags each."""
    for payload in payloads:
        tag, *lines = payload.split("\n")
        assert re.fullmatch("[0-9a-f]{8}", tag)
        assert lines
        for line in lines:
            log, live, moved = line.split(" ")
            assert log in logs
            assert {live, moved} <= {"0", "1"}


async def check_entries(house: House) -> None:
    """Cards are named by what players do and nowhere else, snapshots included."""
    kept = 0
    for family in ("match/", "group/", "contest/", "keys", "server"):
        for listed in await house.journal.logs(family):
            entries = await house.journal.read(listed.log)
            for entry in entries:
                check_entry(entry)
            if snapshot := await house.journal.snapshot(listed.log):
                check_snapshot(snapshot, entries)
                kept += 1
    assert kept


_DONE = {EntryKind.ACTION, EntryKind.REACTION}


def check_entry(entry: Entry) -> None:
    """An answer is what was done in notation, to the letter; nothing else names a card."""
    if entry.kind not in _DONE:
        assert named(entry.body.encode()) == [], entry
        return
    text = entry.body
    if not entry.request_id:
        said = read_answer(entry.body)
        assert answer_body(said) == entry.body
        text = said[0]
    assert format_action(*parse_action(text)) == text


def check_snapshot(snapshot: Snapshot, entries: Sequence[Entry]) -> None:
    """A snapshot names no card but in the answers that were given before, seat by seat."""
    line, _, rest = snapshot.body[snapshots._DIGEST_BYTES :].partition(b"\n")
    assert named(line) == []
    lengths = read_structured(line.decode())["columns"]
    creation, chains, *answered = snapshots._split(rest, lengths)
    assert named(creation) == []
    known = entries[: snapshot.version]
    assert chains == b"".join(entry.chain[:8] for entry in known)
    for seat, texts in enumerate(answered[1::2]):
        given = Counter(
            read_answer(entry.body)[0]
            for entry in known
            if entry.kind in _DONE and entry.seat == seat and not entry.request_id
        )
        cards = Counter(text for text in texts.decode().split("\n") if named(text.encode()))
        assert cards <= given


@pytest.mark.parametrize("before", range(4))
def test_every_form_of_a_secret_is_found(before: int) -> None:
    """Wherever it stands in what was encoded, and none is found where there is none."""
    secret = token_bytes(32)
    for written in forms(bytes(before) + secret + b"behind"):
        assert told([Cell("here", b"x" + written + b"y")], forms(secret)) == {"here"}
        assert told([Cell("here", written)], forms(token_bytes(32))) == set()
