"""
What does the seat on turn change by its act, and when is an act refused?

Each kind of act has a check, which only reads and raises, and a deed, which only follows a check
that passed. Seats that are not asked have been turned away by `transition` before.
"""

from collections.abc import Mapping
from typing import Final

from lastcard_engine.act import Act
from lastcard_engine.actions import (
    AcceptDraw,
    CallUno,
    Challenge,
    Draw,
    Keep,
    Play,
)
from lastcard_engine.cards import COLOURS, Card, Seat, format_card
from lastcard_engine.choices import CHOICES
from lastcard_engine.custom import CUSTOM_ACTS
from lastcard_engine.custom_state import Custom
from lastcard_engine.debts import settle_debt
from lastcard_engine.errors import Reason, RuleViolation
from lastcard_engine.events import (
    CardKept,
    ChallengeResolved,
    DrawCause,
    Event,
    HandShown,
    RoundEnd,
    SeatSkipped,
    SkipCause,
)
from lastcard_engine.legal import (
    drawn_cards,
    has_lawful_play,
    may_draw,
    may_keep_drawn,
    plays_of,
    why_not_last,
)
from lastcard_engine.mercy import room
from lastcard_engine.overlays import open_reactions
from lastcard_engine.piles import give, pull, take
from lastcard_engine.plays import lay, start_turn
from lastcard_engine.refusals import bad_target, not_last, refuse_phase
from lastcard_engine.rounds import end_round
from lastcard_engine.state import DECIDING, PLAYING, Offence, Phase, State
from lastcard_engine.tables import NOTHING_FITS
from lastcard_engine.turns import pass_turn, pay_lost_turn
from lastcard_engine.uno import call


def _check_play(state: State, seat: Seat, action: Play) -> None:
    """Refuse a play that is not among those its card offers now."""
    hand = state.hands[seat]
    card = action.card
    if state.phase is PLAYING or state.pending:
        plain = len(hand) > 1 and state.tables.rows_suffice
        offered = state.row[card] if plain else plays_of(state, hand, card)
        if action in offered and card in hand:
            return
    elif state.phase is DECIDING:
        drawn = card == state.drawn or card in drawn_cards(state)
        if drawn and action in plays_of(state, hand, card):
            return
    else:
        refuse_phase(state, Reason.NOT_OFFERED, "no card can be laid now")
    raise _why_not(state, hand, action)


def _why_not(state: State, hand: list[Card], action: Play) -> RuleViolation:
    """Say why a card may not be laid so; the sentence names no card but the asker's own."""
    card = action.card
    if card not in hand:
        return RuleViolation(Reason.CARD_NOT_IN_HAND, "you do not hold that card")
    name = format_card(card)
    if state.phase is Phase.PLAY_OR_KEEP and card not in drawn_cards(state):
        return RuleViolation(
            Reason.ONLY_DRAWN_CARD, "after drawing only the drawn card may be laid"
        )
    if state.pending and not state.row[card]:
        return _why_no_answer(state, card)
    if not state.row[card]:
        return RuleViolation(
            Reason.CARD_DOES_NOT_MATCH, f"{name} fits neither the colour in force nor the top card"
        )
    if not plays_of(state, hand, card):
        last = why_not_last(state, state.turn, card) if len(hand) == 1 else None
        if last is not None:
            return not_last(last, action)
        return RuleViolation(
            Reason.DRAW_FOUR_UNLAWFUL, "a wild draw four is unlawful with the cards you hold"
        )
    return _bad_colour(state, hand, action) or bad_target(state, state.turn, action)


def _bad_colour(state: State, hand: list[Card], action: Play) -> RuleViolation | None:
    """Say what is wrong with the colour named with a card, or that it lacks one; None if right."""
    colour, name = action.colour, format_card(action.card)
    names = state.tables.names_colour[action.card]
    if names and colour is None and len(hand) > 1:
        return RuleViolation(Reason.COLOUR_NEEDED, f"{name} needs a colour: r, y, g or b")
    if names and colour is not None and colour not in COLOURS:
        return RuleViolation(Reason.BAD_COLOUR, f"{colour!r} is no colour; name r, y, g or b")
    if not names and colour is not None:
        return RuleViolation(Reason.BAD_COLOUR, f"no colour is named with {name}; leave it out")
    return None


def _why_no_answer(state: State, card: Card) -> RuleViolation:
    """Say why a card cannot be laid on the draw card the seat faces (R241, Q44)."""
    name = format_card(card)
    if state.tables.draws[card] and state.row != NOTHING_FITS:
        return RuleViolation(Reason.STACK_TOO_LOW, f"{name} may not be laid on that draw card here")
    return RuleViolation(Reason.MUST_ANSWER, f"you face a draw card, and {name} does not answer it")


def _check_draw(state: State, seat: Seat, _action: Draw) -> None:
    """Refuse to draw out of phase, a second time, or where a card must be laid (R094, S02)."""
    if state.phase is PLAYING:
        if may_draw(state, state.hands[seat]):
            return
        raise RuleViolation(Reason.MUST_PLAY, "you hold a card that fits and must lay one")
    refuse_phase(state, Reason.ALREADY_DRAWN, "you have drawn in this turn already")


def _do_draw(state: State, seat: Seat, _action: Draw, events: list[Event]) -> None:
    """
    Draw one card, or until one fits; the drawer is asked next whatever it was.

    Rule: R087, R097, S05, S16, Q01. With nothing to draw the turn passes.
    """
    start_turn(state)
    state.credit = None  # a call before drawing is void (Q07)
    number = 1 if state.custom is None else _number_drawn(state, state.custom, seat)
    if state.tables.until_playable:
        cards = _until_playable(state, seat, number, events)
    else:
        cards = pull(state, number, events)
        if len(cards) > 1 and state.custom is not None:
            state.custom.choices = (*cards,)
    give(state, seat, cards, DrawCause.TURN, events)
    if not state.active[seat]:
        if state.live > 1:
            _rest(state, seat, events, drew=True)
    elif cards:
        state.drawn = cards[-1]
        state.phase = DECIDING
    else:
        _rest(state, seat, events, drew=False)


def _number_drawn(state: State, custom: Custom, seat: Seat) -> int:
    """
    Return how many cards a turn's draw begins with: a custom rule may raise it (CR04).

    At most those until the seat falls out of the round (NM12).
    """
    raised = custom.next_draw[seat]
    if not raised or has_lawful_play(state, state.hands[seat]):
        return 1
    return min(raised, room(state, seat))


def _until_playable(state: State, seat: Seat, number: int, events: list[Event]) -> list[Card]:
    """
    Draw until a card fits, the piles run out or mercy ends it (NM09, NM15).

    An unlawful wild draw four does not fit.
    """
    state.phase = Phase.PLAY_OR_KEEP
    cards = pull(state, number, events)
    hand = state.hands[seat] + cards[:-1]
    while cards:
        hand.append(cards[-1])
        hand.sort()
        if len(hand) >= state.tables.mercy_limit or plays_of(state, hand, cards[-1]):
            break
        more = pull(state, 1, events)
        if not more:
            break
        cards += more
    return cards


def _rest(state: State, seat: Seat, events: list[Event], *, drew: bool) -> None:
    """End a turn without a play; after a whole lap without play and draw the round is void."""
    state.phase = PLAYING
    state.drawn = None
    if not drew:
        state.lap += 1
        if state.lap >= state.live:
            end_round(state, RoundEnd.BLOCKED, None, events)
            return
    pass_turn(state)
    open_reactions(state, seat, None, events)


def _check_keep(state: State, seat: Seat, _action: Keep) -> None:
    """Refuse to keep where nothing was drawn, or where the drawn card must be laid (R098)."""
    if state.phase is DECIDING and state.drawn is not None:
        if may_keep_drawn(state, state.hands[seat]):
            return
        raise RuleViolation(Reason.MUST_PLAY, "the drawn card fits and must be laid")
    refuse_phase(state, Reason.CANNOT_KEEP, "you have not drawn; lay a card or draw")


def _do_keep(state: State, seat: Seat, _action: Keep, events: list[Event]) -> None:
    """Keep the drawn card; the turn passes (R089, R090)."""
    events.append(CardKept(seat))
    _rest(state, seat, events, drew=True)


def _check_accept(state: State, _seat: Seat, _action: AcceptDraw) -> None:
    """Refuse to accept where no draw is owed."""
    if not state.pending:
        refuse_phase(state, Reason.NOTHING_TO_ACCEPT, "you owe no draw; lay a card or draw")


def _do_accept(state: State, seat: Seat, _action: AcceptDraw, events: list[Event]) -> None:
    """Draw the sum that is demanded and lose the turn (R137, Q45, NM06)."""
    start_turn(state)
    _draw_and_lose(state, seat, settle_debt(state), DrawCause.DRAW_CARD, events)


def _draw_and_lose(
    state: State, seat: Seat, amount: int, cause: DrawCause, events: list[Event]
) -> None:
    before = len(state.hands[seat])
    take(state, seat, amount, cause, events)
    if state.live < 2:
        return
    stays = state.active[seat]
    if stays:
        events.append(SeatSkipped(seat, SkipCause.DRAW_CARD))
    _rest(state, seat, events, drew=not stays or len(state.hands[seat]) > before)


def _faced(state: State) -> Offence:
    """Return the wild draw four the seat on turn faces; refuse where it faces none."""
    if state.offence is None:
        refuse_phase(state, Reason.NOTHING_TO_CHALLENGE, "you face no wild draw four to challenge")
    return state.offence


def _check_challenge(state: State, _seat: Seat, _action: Challenge) -> None:
    """Refuse a challenge where no wild draw four is faced."""
    _faced(state)


def _do_challenge(state: State, seat: Seat, _action: Challenge, events: list[Event]) -> None:
    """
    Decide a challenge by what was stored when the card was laid.

    Rule: R127, R132-R136, Q14, S10. Guilty: the offender draws the whole sum and the challenger
    plays on. Innocent: the challenger draws two more than owed and loses the turn.
    """
    offence = _faced(state)
    start_turn(state)
    _show(state, seat, offence, events)
    events.append(ChallengeResolved(seat, offence.offender, not offence.lawful))
    owed = settle_debt(state)
    if offence.lawful:
        _draw_and_lose(state, seat, owed + 2, DrawCause.CHALLENGE_LOST, events)
        return
    if state.active[offence.offender]:
        take(state, offence.offender, owed, DrawCause.CHALLENGE_WON, events)
    if state.owed_skip[seat]:  # Q11: the turn has reached him
        pay_lost_turn(state, seat, events)
        _rest(state, seat, events, drew=True)


def _show(state: State, viewer: Seat, offence: Offence, events: list[Event]) -> None:
    """Show the hand to the challenger alone (R127, R128); that of a seat that left, to nobody."""
    if state.active[offence.offender]:
        events.append(HandShown(offence.offender, viewer, offence.hand, len(offence.hand)))


def _check_call(_state: State, _seat: Seat, _action: CallUno) -> None:
    """Accept the call: whether it is offered has been asked before."""


def _do_call(state: State, seat: Seat, _action: CallUno, events: list[Event]) -> None:
    call(state, seat, events)


CALL_TO_FINISH: Final = Act(_check_call, _do_call, counted=True)
"""How the seat on turn makes the call it needs to lay its last card (Q69)."""


TURN_ACTS: Final[Mapping[type, Act]] = {
    Play: Act(_check_play, lay, counted=True),
    Draw: Act(_check_draw, _do_draw, counted=True),
    Keep: Act(_check_keep, _do_keep, counted=True),
    AcceptDraw: Act(_check_accept, _do_accept, counted=True),
    Challenge: Act(_check_challenge, _do_challenge, counted=True),
    **CHOICES,
    **CUSTOM_ACTS,
}
"""What the seat on turn may send."""
