"""
What a seat cannot know reaches it in no byte and in no length.

Two matches that differ only in that are compared in all that leaves for the seat: turns, views,
updates, refusals, events. Histories are sealed; they are struck out and keep their length.
"""

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import pytest
from google.protobuf.message import Message

import lastcard_engine as engine
from lastcard.v1 import play_service_pb2, turn_pb2
from lastcard_server.convert import turns
from lastcard_server.convert.events import event_bodies
from lastcard_server.convert.play import refused_bytes
from lastcard_server.errors import Refusal
from lastcard_server.matches.commands import Answer
from lastcard_server.matches.deciding import decide
from lastcard_server.matches.match import Match
from lastcard_server.matches.turns import OpenTurn
from tests.attributes import names_of
from tests.depth import few_or_all
from tests.matches.table import setup_of
from tests.matches.wild import SETUPS, wild
from tests.properties.matches import seats_of
from tests.written import HIDDEN, written

SEAL = 36


class Sent(NamedTuple):
    """One message that leaves for a seat."""

    name: str
    body: bytes

    def told(self) -> tuple[str, int, bytes]:
        """Return its name, its length and its bytes with every history struck out."""
        return self.name, len(self.body), _struck(_KINDS[self.name], self.body)


_KINDS: dict[str, type[Message]] = {
    "turn": turn_pb2.Turn,
    "view": play_service_pb2.GetViewResponse,
    "update": turn_pb2.Update,
    "table": turn_pb2.Update,
    "over": turn_pb2.MatchOver,
    "refused": turn_pb2.Refused,
}


def _struck(kind: type[Message], body: bytes) -> bytes:
    message: Any = kind.FromString(body)
    holders: list[Any] = [message, getattr(message, "open_turn", None)]
    for holder in holders:
        if holder is not None and getattr(holder, "history", None):
            assert len(holder.history) == SEAL
            holder.history = b"." * SEAL
    struck: bytes = message.SerializeToString(deterministic=True)
    return struck


def differing(these: list[Sent], those: list[Sent]) -> list[str]:
    """Name the messages that tell something else; equal bytes need no parsing for that."""
    pairs = zip(these, those, strict=True)
    return [one.name for one, other in pairs if one != other and one.told() != other.told()]


def leaving(match: Match, seat: int) -> list[Sent]:
    """Return everything that leaves for a seat as a match stands."""
    asked = match.turns.get(seat)
    sent = [] if asked is None else [Sent("turn", turns.turn_bytes(match, asked))]
    sent += [
        Sent("view", turns.seat_view_response(match, seat)),
        Sent("update", turns.full_view_bytes(match, seat)),
        Sent("table", turns.full_view_bytes(match, None)),
        Sent("over", turns.over_bytes(match)),
    ]
    return [*sent, *_refusals(match, seat, asked)]


def _refusals(match: Match, seat: int, asked: OpenTurn | None) -> Iterator[Sent]:
    """Yield what a seat is told about answers that cannot be; they change nothing."""
    number = asked.turn if asked is not None else 1
    was_faulty = asked is not None and asked.faulty
    owner = match.seats[seat].owner
    for reply, turn in ((99, number), (-1, number), (0, 2_000_000)):
        command = Answer(match.match_id, seat, turn, reply, False, owner, match.last_us)  # noqa: FBT003 - the field
        outcome = decide(match, command)
        assert isinstance(outcome, Refusal)
        yield Sent("refused", refused_bytes(command, outcome))
    if asked is not None:
        asked.faulty = was_faulty


def with_state(match: Match, state: engine.State) -> Match:
    """Return a match that is another one's in all but the engine's state."""
    copy = Match(match.match_id, match.keys, match.seal)
    for name in names_of(Match):
        if hasattr(match, name):
            setattr(copy, name, getattr(match, name))
    copy.state = state
    return copy


def dealt_anew(match: Match, seat: int, dice: Random) -> Match:
    """Return the match with other hands and another draw pile, as far as a seat cannot see them."""
    assert match.state is not None
    state = match.state.clone()
    drawn = {state.turn: state.drawn} if state.drawn is not None else {}
    opened = () if state.custom is None else state.custom.open_hands
    others = [s for s in range(state.seat_count) if s != seat and s not in opened]
    for s in others:
        if s in drawn:
            state.hands[s].remove(drawn[engine.Seat(s)])  # it stays: its owner may lay it
    pool = [card for s in others for card in state.hands[s]] + state.draw_pile
    dice.shuffle(pool)
    for s in others:
        count = len(state.hands[s])
        kept = [drawn[engine.Seat(s)]] if s in drawn else []
        state.hands[s] = sorted(pool[:count] + kept)
        del pool[:count]
    state.draw_pile = pool
    return with_state(match, state)


@pytest.mark.parametrize("setup", SETUPS.values(), ids=SETUPS)
def test_nothing_told_depends_on_other_hands_or_the_draw_pile(setup: Any) -> None:
    """Hands and pile dealt anew: every byte and length for the seat stays as it was."""
    compared, dice = 0, Random(3)
    tables = (table for seed in (11, 12, 13) for table in wild(setup, seed))
    for step, table in enumerate(tables):
        match = table.match
        if match.state is None or match.over or step % few_or_all(8, 3):
            continue
        for seat in range(len(match.seats)):
            elsewhere = leaving(dealt_anew(match, seat, dice), seat)
            assert differing(elsewhere, leaving(match, seat)) == []
            compared += 1
    assert compared > 25


@pytest.mark.parametrize("preset", engine.PRESETS)
def test_no_preset_tells_a_seat_of_other_hands_or_the_draw_pile(preset: str) -> None:
    """Likewise every preset, by itself and with rules written on eight custom wilds."""
    seats, dice = seats_of(engine.PRESETS[preset], 5), Random(7)
    plain = setup_of(seats, preset=preset, rounds=1)
    custom = setup_of(
        seats, preset=preset, rounds=1, overrides=written(), reactions=engine.Reactions.RACE
    )
    compared = 0
    for setup in (plain, custom):
        for step, table in enumerate(wild(setup, 14)):
            match = table.match
            if match.state is None or match.over or step % few_or_all(8, 5):
                continue
            for seat in range(seats):
                elsewhere = leaving(dealt_anew(match, seat, dice), seat)
                assert differing(elsewhere, leaving(match, seat)) == []
                compared += 1
    assert compared > 10


@pytest.mark.parametrize("setup", SETUPS.values(), ids=SETUPS)
def test_events_of_the_own_play_tell_nothing_of_other_hands(setup: Any) -> None:
    """The same card laid in both matches: the same events for the seat and for the table."""
    compared, dice = 0, Random(5)
    for table in wild(setup, 12):
        match = table.match
        for asked in list(match.turns.values()):
            compared += _lay_in_both(match, asked, dice)
    assert compared > 10


def discloses(state: engine.State, play: engine.Play) -> bool:
    """Tell whether a card's rule itself shows something of closed hands or the pile."""
    written = engine.format_card(play.card).removeprefix("WC")
    return written.isdigit() and state.rules.custom_rules[int(written) - 1].id not in HIDDEN


def _lay_in_both(match: Match, asked: OpenTurn, dice: Random) -> bool:
    """Lay a seat's first card in the match and in one dealt anew; compare what is told."""
    play, seat = asked.actions[0], engine.Seat(asked.seat)
    if match.state is None or not isinstance(play, engine.Play) or discloses(match.state, play):
        return False
    told = []
    for world in (match, dealt_anew(match, seat, dice)):
        assert world.state is not None
        state = world.state.clone()
        events = engine.apply(state, seat, play)
        if any(isinstance(e, engine.RoundEnded) for e in events):
            return False
        new_hand = any(isinstance(e, engine.HandReceived) for e in events)
        new_hand |= any(isinstance(e, engine.CardsDrawn) and e.seat == seat for e in events)
        viewers = [None] if new_hand else [seat, None]  # who gets a hand is told its cards
        after = with_state(world, state)
        told.append([event_bodies(after, events, viewer) for viewer in viewers])
    assert told[0] == told[1]
    return True


def test_whether_a_wild_draw_four_was_lawful_stays_with_its_owner() -> None:
    """While a challenge is open, guilty and innocent look alike to everybody else (R109)."""
    compared = 0
    tables = (table for seed in range(6) for table in wild(SETUPS["polled jump-in"], seed))
    for match in (table.match for table in tables):
        if match.state is None or match.state.offence is None:
            continue
        state = match.state.clone()
        assert state.offence is not None
        state.offence.lawful = not state.offence.lawful
        for seat in range(len(match.seats)):
            if seat != state.offence.offender:
                elsewhere = leaving(with_state(match, state), seat)
                assert differing(elsewhere, leaving(match, seat)) == []
                compared += 1
    assert compared > 10


@pytest.mark.parametrize(
    "name", ["polled", "polled jump-in", "polled, hold", "custom rules", "custom race"]
)
def test_nobody_sees_what_others_answer_while_a_group_is_open(name: str) -> None:
    """An answer in an open group changes nothing for those who have not answered, but its seal."""
    compared = 0
    tables = (table for seed in range(6) for table in wild(SETUPS[name], seed))
    for table in tables:
        match = table.match
        if not match.group_version or len(match.turns) < 2:
            continue
        answering, *others = sorted(match.turns)
        before = [leaving(match, seat) for seat in others]
        table.answer(answering, match.turns[answering].default_choice)
        if match.group_version:
            after = [leaving(match, seat) for seat in others]
            assert list(map(differing, before, after)) == [[]] * len(others)
            compared += 1
    assert compared > 3
