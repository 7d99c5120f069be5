"""
What may the seat on turn do?

`legal_actions`, `check` and so `apply` rest on the same few questions here: does a card fit, which
plays does it offer, may one draw, may one keep. Reactions have theirs in `reactions` and `groups`.
"""

from bisect import bisect_left

from lastcard_engine.actions import (
    ACCEPT_DRAW,
    CALL_UNO,
    CHALLENGE,
    CHOICES_OF_CARD,
    CHOICES_OF_COLOUR,
    CHOICES_OF_TARGET,
    DRAW,
    KEEP,
    Action,
    Play,
    aimed_plays,
)
from lastcard_engine.cards import WILD_DRAW_FOUR, Card, Seat, is_number
from lastcard_engine.custom_asks import custom_actions
from lastcard_engine.errors import Reason
from lastcard_engine.piles import can_draw
from lastcard_engine.rules import DrawFourLegality
from lastcard_engine.state import DECIDING, PLAYING, Phase, State
from lastcard_engine.turns import active_seats


def lawful_draw_four(state: State, hand: list[Card]) -> bool:
    """
    Tell whether a wild draw four from this hand would be lawful now (R119-R125, S17).

    The whole hand counts, a drawn card too (Q17); other wild draw fours never do. As an answer it
    is unlawful only beside another card that could answer (S10, Q46).
    """
    legality = state.rules.wd4_legality
    if legality is DrawFourLegality.NO_COLOUR and not state.pending:
        first = 0 if state.colour is None else state.colour * 16
        at = bisect_left(hand, first)
        return at == len(hand) or hand[at] >= first + 16
    if legality is DrawFourLegality.FREE:
        return True
    return not any(state.row[card] and card != WILD_DRAW_FOUR for card in hand)


def _bluff_barred(state: State) -> bool:
    """Tell whether an unlawful wild draw four may not even be laid (Q18, S16)."""
    rows = state.tables
    return rows.blocks_draw_four or (rows.until_playable and state.phase is DECIDING)


def plays_of(state: State, hand: list[Card], card: Card) -> tuple[Play, ...]:
    """Return the plays that a card of this hand offers now, in canonical order."""
    plays = state.row[card]
    if not plays:
        return ()
    if card == WILD_DRAW_FOUR and _bluff_barred(state) and not lawful_draw_four(state, hand):
        return ()
    if len(hand) > 1:
        if state.tables.aimed[card]:
            return aimed_plays(card, targets_of(state, state.turn))
        return plays
    return () if why_not_last(state, state.turn, card) else state.tables.last_plays[card]


def targets_of(state: State, seat: Seat) -> tuple[Seat, ...]:
    """Return whom a seat may swap hands with: every other active seat, a partner too (Q31, Q58)."""
    return tuple(other for other in active_seats(state) if other != seat)


def why_not_last(state: State, seat: Seat, card: Card) -> Reason | None:
    """Return what forbids a seat to lay a card as its last one (R189, R180), None if nothing."""
    if state.tables.finish_number_only and not is_number(card):
        return Reason.FINISH_NUMBER_ONLY
    if state.tables.call_to_finish and not state.called[seat]:
        return Reason.UNO_NOT_CALLED
    return None


def offers_call(state: State) -> bool:
    """Tell whether the seat on turn is offered the call it needs to lay its last card (Q69)."""
    seat = state.turn
    if not state.tables.call_to_finish or state.phase is not PLAYING:
        return False
    return len(state.hands[seat]) == 1 and not state.called[seat] and not state.caught[seat]


def has_lawful_play(state: State, hand: list[Card]) -> bool:
    """Tell whether any card of the hand could be laid, bluffs not counted."""
    return any(
        plays_of(state, hand, card) and (card != WILD_DRAW_FOUR or lawful_draw_four(state, hand))
        for card in hand
    )


def may_draw(state: State, hand: list[Card]) -> bool:
    """
    Tell whether the seat on turn may draw instead of playing.

    Rule: R091, R094, S02. One may, unless drawing is for those who cannot play, or there is
    nothing to draw: then a lawful card must be laid.
    """
    if state.tables.voluntary_draw and can_draw(state):
        return True
    return not has_lawful_play(state, hand)


def _may_keep(state: State, hand: list[Card], drawn: Card) -> bool:
    """Tell whether a drawn card may be kept (R090, R098): not if it fits and must be laid."""
    if not state.tables.must_play or not plays_of(state, hand, drawn):
        return True
    return drawn == WILD_DRAW_FOUR and not lawful_draw_four(state, hand)


def drawn_cards(state: State) -> list[Card]:
    """Return the cards of which one may be laid after drawing: one, but for a custom rule (Q38)."""
    if state.custom is not None and state.custom.choices:
        return sorted({*state.custom.choices})
    return [] if state.drawn is None else [state.drawn]


def may_keep_drawn(state: State, hand: list[Card]) -> bool:
    """Tell whether the turn may end with what was drawn: none of it must be laid."""
    if not state.tables.must_play:
        return True
    return all(_may_keep(state, hand, card) for card in drawn_cards(state))


def _plays(state: State, hand: list[Card]) -> list[Action]:
    found: list[Action] = []
    if len(hand) == 1 or not state.tables.rows_suffice:
        for card in dict.fromkeys(hand):
            found += plays_of(state, hand, card)
        return found
    # Nothing bars a card that fits here, and none is aimed, so that the row holds all the answer.
    row = state.row
    before = -1
    for card in hand:
        if row[card] and card != before:
            found += row[card]
            before = card
    return found


def turn_actions(state: State) -> list[Action]:
    """Return what the seat on turn may do, complete and in canonical order."""
    phase = state.phase
    hand = state.hands[state.turn]
    if phase is PLAYING:
        tables = state.tables
        found = _plays(state, hand)
        if (tables.voluntary_draw and state.draw_pile) or may_draw(state, hand):
            found.append(DRAW)
        if tables.call_to_finish and offers_call(state):
            found.append(CALL_UNO)
        return found
    if phase is DECIDING and state.drawn is not None:
        return _after_drawing(state, hand, state.drawn)
    if state.pending:
        found = [*_plays(state, hand), ACCEPT_DRAW]
        if phase is Phase.CHALLENGE:
            found.append(CHALLENGE)
        return found
    return _choices(state, hand)


def _after_drawing(state: State, hand: list[Card], drawn: Card) -> list[Action]:
    """Return the plays of the drawn card, or of those a custom rule has made it, and the keep."""
    cards = (drawn,) if state.custom is None else drawn_cards(state)
    found: list[Action] = []
    for card in cards:
        found += plays_of(state, hand, card)
    if may_keep_drawn(state, hand):
        found.append(KEEP)
    return found


def _choices(state: State, hand: list[Card]) -> list[Action]:
    """Return what a seat may answer that neither plays nor faces a card."""
    phase = state.phase
    if phase is Phase.CHOOSE_TARGET:
        return [CHOICES_OF_TARGET[target] for target in targets_of(state, state.turn)]
    if phase is Phase.KEEP_CARD:
        return [CHOICES_OF_CARD[card] for card in dict.fromkeys(hand)]
    if phase is Phase.CHOOSE_COLOUR:
        return list(CHOICES_OF_COLOUR)
    return custom_actions(state)
