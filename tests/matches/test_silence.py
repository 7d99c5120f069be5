"""Does a refusal tell its caller anything that he could not see?"""

from collections.abc import Iterator
from functools import partial
from itertools import chain
from random import Random

import pytest

from lastcard_engine.actions import (
    ACCEPT_DRAW,
    BEGIN_TURN,
    CALL_UNO,
    CHALLENGE,
    DRAW,
    KEEP,
    PASS,
    PLAYS,
    Action,
    Catch,
    ChooseColour,
    ChooseTarget,
    JumpIn,
)
from lastcard_engine.cards import ALL_CARDS, NAMES, Colour, Seat
from lastcard_engine.settings import Reactions
from lastcard_server.errors import Refusal
from lastcard_server.matches.match import Match
from tests.matches.table import Table, setup_of

ACTS: list[Action] = [
    DRAW,
    KEEP,
    ACCEPT_DRAW,
    CHALLENGE,
    CALL_UNO,
    BEGIN_TURN,
    PASS,
    ChooseColour(Colour.RED),
    ChooseTarget(Seat(1)),
    *[Catch(Seat(seat)) for seat in range(4)],
    *[JumpIn(card) for card in ALL_CARDS],
    *chain.from_iterable(PLAYS),
]


def seen_refusals(table: Table, seat: int) -> Iterator[Refusal]:
    """Yield what a seat is told when it tries everything it may not do."""
    match = table.match
    for action in ACTS:
        turn = match.turns.get(seat)
        if turn is None or action not in turn.actions:
            yield refusal_of(table.answer(seat, action, turn=turn.turn if turn else match.version))
        if not match.window:
            yield refusal_of(table.act(seat, action, "r"))


def refusal_of(outcome: object) -> Refusal:
    """Return a refusal."""
    assert isinstance(outcome, Refusal)
    return outcome


def shuffled_unseen(match: Match, seat: int, dice: Random) -> None:
    """Deal anew what a seat cannot see: the other hands and the draw pile."""
    state = match.state
    assert state is not None
    others = [s for s in range(len(match.seats)) if s != seat]
    cards = [card for other in others for card in state.hands[other]] + state.draw_pile
    dice.shuffle(cards)
    for other in others:
        size = len(state.hands[other])
        state.hands[other][:] = sorted(cards[:size])
        del cards[:size]
    state.draw_pile[:] = cards


@pytest.mark.parametrize("reactions", Reactions)
def test_refusals_do_not_depend_on_hidden_cards(reactions: Reactions) -> None:
    """With the unseen cards dealt anew every refusal has the same reason, text and open turn."""
    for seed in range(6):
        table, dice = Table(setup_of(4, reactions=reactions)), Random(seed)
        table.play(partial(_one_is_asked, 15 + 3 * seed), seed)
        asked = min(table.match.turns)
        for seat in ((asked + 1) % 4, (asked + 2) % 4):
            first = [_told(refusal) for refusal in seen_refusals(table, seat)]
            shuffled_unseen(table.match, seat, dice)
            assert [_told(refusal) for refusal in seen_refusals(table, seat)] == first


@pytest.mark.parametrize("reactions", Reactions)
def test_refusals_name_no_card(reactions: Reactions) -> None:
    """No message holds the notation of any card."""
    table = Table(setup_of(4, reactions=reactions))
    table.play(lambda m: m.version > 20 and len(m.turns) == 1, 2)
    for seat in range(4):
        for refusal in seen_refusals(table, seat):
            words = set(refusal.message.replace(",", " ").replace(".", " ").split())
            assert not words & set(NAMES), refusal.message


def _one_is_asked(least: int, match: Match) -> bool:
    return match.version > least and len(match.turns) == 1


def _told(refusal: Refusal) -> tuple[object, ...]:
    """Return what a caller is told, the sealed history apart: it is masked."""
    return refusal.reason, refusal.message, refusal.open_turn, len(refusal.history)
