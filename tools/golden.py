"""
Write the golden journals anew and say which have changed.

They are records of whole matches, played at random from fixed seeds: for two presets both ways of
reacting, with and without jump-in, at 2, 3, 4 and 10 seats, and each policy on seats that are often
silent; for presets that came later a few each; beside them the test vectors of the deal. Those of
a released version stay as they are; a change in them is a new engine revision.
"""

import itertools
import json
import random
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

import lastcard_engine as engine

FIRST: Final = "0.1.0"
NEXT: Final = "0.2.0"
"""Versions that brought journals; each has a folder."""

GOLDEN: Final = Path("tests/golden")
VECTORS: Final = Path("tests/vectors/dealing.json")
ROUNDS: Final = 2
HASH_EVERY: Final = 16
HASHED: Final = (engine.EntryKind.ROUND_STARTED, engine.EntryKind.ENDED)


class Case(NamedTuple):
    """What one journal is played by."""

    preset: str
    seats: int
    reactions: engine.Reactions
    jump_in: bool
    absence: engine.Absence | None = None
    """The policy where seats are often silent; None where they seldom are and stay."""
    version: str = FIRST
    """The version that brought it."""
    variant: str = ""
    """The further options, see `VARIANTS`."""

    @property
    def path(self) -> Path:
        """Return where its journal stands."""
        return GOLDEN / self.version / f"{self.name}.jsonl"

    @property
    def name(self) -> str:
        """Name the journal after its case."""
        jump_in = "jump_in" if self.jump_in else "plain"
        absence = f"-{self.absence}" if self.absence else ""
        variant = f"-{self.variant}" if self.variant else ""
        return f"{self.preset}-{self.seats}-{self.reactions}-{jump_in}{absence}{variant}"

    @property
    def rules(self) -> engine.Rules:
        """Return the rules of the case."""
        jump_in = {"jump_in": "identical"} if self.jump_in else {}
        return engine.make_rules(self.preset, {**VARIANTS[self.variant], **jump_in})


_IDEAS: Final = (
    "dare(next,crow like a rooster,draw(self,4))",
    "draw_until(next,g)",
    "discard_matching(all,wild)",
    "next_draw_count(next,3)",
    "extra_turn(self)",
    "adjust_hand(next,7)",
    "adjust_hand(all,3)",
    "reveal_hands(chosen,own_next_turn)",
    "vote(laughed?,discard_to(self,1),draw(self,4))",
    "restriction(next,keep elbows straight,uno_call)",
)


def _written(*operations: str) -> Mapping[str, object]:
    """Return options with a custom rule for each of these operations."""
    rules = [{"id": f"rule_{n}", "ops": [op]} for n, op in enumerate(operations, 1)]
    return {"custom_rules": rules, "deck_extras": {"custom_wild": len(rules)}}


VARIANTS: Final[Mapping[str, Mapping[str, object]]] = {
    "": {},
    "seven_zero": {"seven_zero": True},
    "swaps": {"deck_extras": {"swap_hands": 4}, "first_card": "dealer_played"},
    "keep_card": {"finish_card": "number_only", "roulette_chooser": "player"},
    "custom": _written(*_IDEAS[:6]),
    "custom_too": _written(*_IDEAS[4:]),
}
"""Options a case has beside those of its preset, by the word for them in its name."""

REMOVALS: Final = {
    engine.Absence.KNOCK_OUT_ROUND: (engine.EntryKind.KNOCKED_OUT, engine.knock_out),
    engine.Absence.FORFEIT_MATCH: (engine.EntryKind.FORFEITED, engine.forfeit),
}
"""How a silent seat leaves under each policy; under the other it stays."""

_PRESENT: Final = itertools.product(
    ("standard_no", "official_se"), (2, 3, 4, 10), engine.Reactions, (False, True)
)
_ABSENT: Final = itertools.product((2, 4), engine.Reactions, engine.Absence)
_LATER: Final = itertools.product(("house_dk", "house_no"), (2, 4), engine.Reactions, (False,))
_HANDS: Final = itertools.product(
    ("pairs_se", "family_se_literal", "standard_no_swap"), (4,), engine.Reactions, (False, True)
)
_MERCY: Final = itertools.product(("no_mercy",), (2, 3, 6), engine.Reactions, (False,))
_KEEPING: Final = itertools.product(("no_mercy_points",), (3,), engine.Reactions, (True,))
_SEVENS: Final = itertools.product(("standard_no",), (2, 3, 10), engine.Reactions, (False, True))
_SWAPS: Final = itertools.product(("standard_no_points",), (4,), engine.Reactions, (True,))
_CUSTOM: Final = (
    (3, engine.Reactions.POLLED, False, None, "custom"),
    (4, engine.Reactions.POLLED, True, engine.Absence.KNOCK_OUT_ROUND, "custom_too"),
    (2, engine.Reactions.RACE, False, None, "custom"),
    (10, engine.Reactions.RACE, True, engine.Absence.PLAY_DEFAULT, "custom_too"),
)
CASES: Final = (
    *(Case(*case) for case in _PRESENT),
    *(Case("official_se", seats, how, True, absence) for seats, how, absence in _ABSENT),  # noqa: FBT003 - jump-in
    *(Case(*case, version=NEXT) for case in _LATER),
    *(Case(*case, version=NEXT) for case in _HANDS),
    *(Case(*case, version=NEXT) for case in _MERCY),
    *(Case(*case, version=NEXT, variant="keep_card") for case in _KEEPING),
    *(Case(*case, version=NEXT, variant="seven_zero") for case in _SEVENS),
    *(Case(*case, version=NEXT, variant="swaps") for case in _SWAPS),
    *(
        Case("official_se", seats, how, jump_in, absence, NEXT, variant)
        for seats, how, jump_in, absence, variant in _CUSTOM
    ),
)


class Player:
    """Plays a match at random and writes down what it does."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.dice = random.Random(case.name)  # noqa: S311 - must come out the same for ever
        secret, salt = self.dice.randbytes(32), self.dice.randbytes(32)
        nonces = tuple(self.dice.randbytes(16) for _ in range(case.seats))
        self.record = engine.Record(
            match_id=case.name,
            rules=case.rules,
            settings=engine.Settings(
                case.reactions, case.absence or engine.Absence.PLAY_DEFAULT, 400, ROUNDS
            ),
            seats=tuple(f"seat {seat}" for seat in range(case.seats)),
            secret=secret,
            salt=salt,
            commitment=engine.commitment(secret, salt),
            nonces=nonces,
            entries=(),
        )
        self.state = engine.new_match(
            case.rules, self.record.settings, case.seats, engine.deal_key(secret, nonces)
        )
        self.entries: list[engine.Entry] = []
        self.silent: list[engine.Seat] = []
        """The seats the policy falls on, as soon as no group is open."""

    def write(
        self,
        kind: engine.EntryKind,
        seat: engine.Seat | None = None,
        action: engine.Action | None = None,
        *,
        uno: bool = False,
    ) -> None:
        """Write down the entry that is about to be carried out."""
        version = len(self.entries) + 1
        hashed = kind in HASHED or version % HASH_EVERY == 0
        found = engine.state_hash(self.state) if hashed else None
        self.entries.append(engine.Entry(version, kind, seat, action, uno, found))

    def act(self, seat: engine.Seat, action: engine.Action, kind: engine.EntryKind) -> None:
        """Let a seat act, calling UNO two times in three where it may count."""
        uno = isinstance(action, engine.Play | engine.JumpIn) and self.dice.random() < 2 / 3
        self.write(kind, seat, action, uno=uno)
        engine.apply(self.state, seat, action, uno)

    def turn(self) -> None:
        """Let one asked seat answer, or run out of time now and then."""
        seat = self.dice.choice(engine.to_act(self.state))
        if self.dice.random() < 1 / (12 if self.case.absence else 40):
            self.write(engine.EntryKind.TIMEOUT, seat)
            engine.time_out(self.state, seat)
            self.silent.append(seat)
            return
        legal = engine.legal_actions(self.state, seat)
        plays = [action for action in legal if isinstance(action, engine.Play)]
        group = self.state.group is not None
        chosen = self.dice.choice(plays if plays and self.dice.random() < 0.9 else legal)
        self.act(seat, chosen, engine.EntryKind.REACTION if group else engine.EntryKind.ACTION)

    def remove(self) -> bool:
        """Take a silent seat out as the policy wants, unless it is out already."""
        if not self.silent or self.state.group is not None:
            return False
        seat = self.silent.pop(0)
        playing = self.state.running and self.state.active[seat]
        if self.case.absence not in REMOVALS or not playing:
            return False
        kind, leave = REMOVALS[self.case.absence]
        self.write(kind, seat)
        leave(self.state, seat)
        return True

    def react(self) -> bool:
        """Let a seat of a race table act out of turn now and then."""
        seat = engine.Seat(self.dice.randrange(self.case.seats))
        open_acts = engine.reactions(self.state, seat)
        if not open_acts or self.dice.random() > (0.6 if self.state.window else 0.05):
            return False
        self.act(seat, self.dice.choice(open_acts), engine.EntryKind.REACTION)
        return True

    def step(self) -> None:
        """Take the step that is due."""
        state = self.state
        if self.remove():
            pass
        elif engine.needs_round(state):
            self.write(engine.EntryKind.ROUND_STARTED)
            engine.start_round(state)
        elif self.react():
            pass
        elif state.window:
            self.write(engine.EntryKind.WINDOW_CLOSED)
            engine.close_window(state)
        elif engine.to_act(state):
            self.turn()
        else:
            self.write(engine.EntryKind.GROUP_CLOSED)
            engine.close_group(state)

    def play(self) -> str:
        """Play the match to its end; return its record as text."""
        while not self.state.over:
            self.step()
        self.write(engine.EntryKind.ENDED)
        return engine.write_record(replace(self.record, entries=tuple(self.entries)))


def _shuffle_vector(secret: bytes, nonces: list[bytes], number: int) -> dict[str, object]:
    key = engine.deal_key(secret, nonces)
    stream = engine.Stream(key, number, number + 1)
    deck = engine.deck(engine.preset("standard_no"))
    shuffled = engine.Stream(key, number, number + 1).shuffled(deck)
    bounds = [2, 3, 52, 108, 1000, 40000, 65535, 65536]
    return {
        "secret": secret.hex(),
        "nonces": [nonce.hex() for nonce in nonces],
        "deal_key": key.hex(),
        "round": number,
        "shuffle": number + 1,
        "below": [[bound, stream.below(bound)] for bound in bounds],
        "shuffled": " ".join(map(engine.format_card, shuffled)),
    }


def _deal_vector(preset: str, secret: bytes, seats: int) -> dict[str, object]:
    state = engine.new_match(
        engine.make_rules(preset), engine.Settings(), seats, engine.deal_key(secret, [b""] * seats)
    )
    engine.start_round(state)
    return {
        "preset": preset,
        "secret": secret.hex(),
        "nonces": [""] * seats,
        "dealer": state.dealer,
        "hands": [" ".join(map(engine.format_card, hand)) for hand in state.hands],
        "discards": " ".join(map(engine.format_card, state.discards)),
        "draw_pile": " ".join(map(engine.format_card, reversed(state.draw_pile))),
        "shuffles": state.shuffles,
    }


def vectors() -> str:
    """Return the test vectors of the deal as JSON."""
    dice = random.Random(FIRST)  # noqa: S311 - must come out the same for ever
    secrets = [bytes(32), bytes(range(32)), dice.randbytes(32)]
    salt = dice.randbytes(32)
    nonces = [[], [b"", b""], [b"a", b"bc", b"\x00" * 32]]
    found = {
        "commitments": [
            {
                "secret": secret.hex(),
                "salt": salt.hex(),
                "commitment": engine.commitment(secret, salt).hex(),
            }
            for secret in secrets
        ],
        "shuffles": [
            _shuffle_vector(secret, given, number)
            for number, (secret, given) in enumerate(zip(secrets, nonces, strict=True))
        ],
        "deals": [
            _deal_vector(preset, secret, seats)
            for preset, seats in (("standard_no", 2), ("official_se", 4), ("official_se", 10))
            for secret in secrets
        ],
    }
    return json.dumps(found, indent=1) + "\n"


def texts() -> Iterator[tuple[Path, str]]:
    """Yield every file with the text it should hold."""
    for case in CASES:
        yield case.path, Player(case).play()
    yield VECTORS, vectors()


def main() -> int:
    """Write all files; print those that are new or changed."""
    for path, text in texts():
        before = path.read_text() if path.exists() else None
        if before != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            print(f"{'new' if before is None else 'changed'}: {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
