"""
What does the seat on turn change by its act, and when is an act refused?

Each kind of act has a check, which only reads and raises, and a deed, which only follows a check
that passed. Seats that are not asked have been turned away by `transition` before.
"""

from collections.abc import Mapping
from typing import Final, NoReturn

from lastcard_engine.act import Act
from lastcard_engine.actions import (
    AcceptDraw,
    CallUno,
    Challenge,
    ChooseCard,
    ChooseColour,
    ChooseTarget,
    Draw,
    Keep,
    Play,
)
from lastcard_engine.cards import COLOURS, Card, Colour, Seat, format_card
from lastcard_engine.debts import settle_debt
from lastcard_engine.duties import defer_duties
from lastcard_engine.errors import Reason, RuleViolation
from lastcard_engine.events import (
    CardKept,
    ChallengeResolved,
    ColourChosen,
    DrawCause,
    Event,
    HandShown,
    RoundEnd,
    SeatSkipped,
    SkipCause,
)
from lastcard_engine.exchange import swap_hands
from lastcard_engine.keeping import check_choice, do_choose
from lastcard_engine.legal import may_draw, may_keep, plays_of, targets_of, why_not_last
from lastcard_engine.opening import act_for_dealer
from lastcard_engine.overlays import open_reactions
from lastcard_engine.piles import give, pull, take
from lastcard_engine.plays import lay, start_turn
from lastcard_engine.refusals import bad_target, not_last
from lastcard_engine.roulette import name_colour, spin, spinning
from lastcard_engine.rounds import end_round, require_running
from lastcard_engine.rules import FirstCard
from lastcard_engine.state import DECIDING, PLAYING, Offence, Phase, State
from lastcard_engine.tables import NOTHING_FITS
from lastcard_engine.turns import begin, next_seat, pass_turn, pay_lost_turn, reach
from lastcard_engine.uno import call

_ABOUT_NOTHING: Final = (Reason.NO_COLOUR_TO_CHOOSE, Reason.NOTHING_TO_CHALLENGE)
"""What is refused because there is nothing of the kind, whatever else is waited for."""


def _refuse_phase(state: State, reason: Reason, sentence: str) -> NoReturn:
    require_running(state)
    if state.phase is Phase.CHOOSE_COLOUR:
        raise RuleViolation(
            Reason.COLOUR_NEEDED, "name the colour of the first card before all else"
        )
    if state.phase is Phase.CHOOSE_TARGET:
        raise RuleViolation(
            Reason.TARGET_NEEDED, "name the seat the first card is aimed at before all else"
        )
    if state.pending and reason not in _ABOUT_NOTHING:
        challenged = ", or challenge it" if state.offence is not None else ""
        raise RuleViolation(
            Reason.MUST_ANSWER,
            f"you face a draw card: accept the draw, answer it where you may{challenged}",
        )
    raise RuleViolation(reason, sentence)


def check_play(state: State, seat: Seat, action: Play) -> None:
    """Refuse a play that is not among those its card offers now."""
    hand = state.hands[seat]
    card = action.card
    if state.phase is PLAYING or state.pending:
        if card in hand and action in plays_of(state, hand, card):
            return
    elif state.phase is DECIDING:
        if card == state.drawn and action in plays_of(state, hand, card):
            return
    else:
        _refuse_phase(state, Reason.NOT_OFFERED, "no card can be laid now")
    raise _why_not(state, hand, action)


def _why_not(state: State, hand: list[Card], action: Play) -> RuleViolation:
    """Say why a card may not be laid so; the sentence names no card but the asker's own."""
    card, colour = action.card, action.colour
    if card not in hand:
        return RuleViolation(Reason.CARD_NOT_IN_HAND, "you do not hold that card")
    name = format_card(card)
    if state.phase is Phase.PLAY_OR_KEEP and card != state.drawn:
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
    names = state.tables.names_colour[card]
    if names and colour is None and len(hand) > 1:
        return RuleViolation(Reason.COLOUR_NEEDED, f"{name} needs a colour: r, y, g or b")
    if names and colour is not None and colour not in COLOURS:
        return RuleViolation(Reason.BAD_COLOUR, f"{colour!r} is no colour; name r, y, g or b")
    if not names and colour is not None:
        return RuleViolation(Reason.BAD_COLOUR, f"no colour is named with {name}; leave it out")
    return bad_target(state, state.turn, action)


def _why_no_answer(state: State, card: Card) -> RuleViolation:
    """Say why a card cannot be laid on the draw card the seat faces (R241, Q44)."""
    name = format_card(card)
    if state.tables.draws[card] and state.row != NOTHING_FITS:
        return RuleViolation(Reason.STACK_TOO_LOW, f"{name} may not be laid on that draw card here")
    return RuleViolation(Reason.MUST_ANSWER, f"you face a draw card, and {name} does not answer it")


def check_draw(state: State, seat: Seat, _action: Draw) -> None:
    """Refuse to draw out of phase, a second time, or where a card must be laid (R094, S02)."""
    if state.phase is PLAYING:
        if may_draw(state, state.hands[seat]):
            return
        raise RuleViolation(Reason.MUST_PLAY, "you hold a card that fits and must lay one")
    _refuse_phase(state, Reason.ALREADY_DRAWN, "you have drawn in this turn already")


def do_draw(state: State, seat: Seat, _action: Draw, events: list[Event]) -> None:
    """
    Draw one card, or until one fits; the drawer is asked next whatever it was.

    Rule: R087, R097, S05, S16, Q01. With nothing to draw the turn passes.
    """
    start_turn(state)
    cards = (
        _until_playable(state, seat, events)
        if state.tables.until_playable
        else pull(state, 1, events)
    )
    give(state, seat, cards, DrawCause.TURN, events)
    if not state.active[seat]:
        if state.live > 1:
            _rest(state, seat, events, drew=True)
    elif cards:
        state.drawn = cards[-1]
        state.phase = DECIDING
    else:
        _rest(state, seat, events, drew=False)


def _until_playable(state: State, seat: Seat, events: list[Event]) -> list[Card]:
    """
    Draw until a card fits, the piles run out or mercy ends it (NM09, NM15).

    An unlawful wild draw four does not fit.
    """
    state.phase = Phase.PLAY_OR_KEEP
    hand = state.hands[seat].copy()
    cards = pull(state, 1, events)
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


def check_keep(state: State, seat: Seat, _action: Keep) -> None:
    """Refuse to keep where nothing was drawn, or where the drawn card must be laid (R098)."""
    if state.phase is DECIDING and state.drawn is not None:
        if may_keep(state, state.hands[seat], state.drawn):
            return
        raise RuleViolation(Reason.MUST_PLAY, "the drawn card fits and must be laid")
    _refuse_phase(state, Reason.CANNOT_KEEP, "you have not drawn; lay a card or draw")


def do_keep(state: State, seat: Seat, _action: Keep, events: list[Event]) -> None:
    """Keep the drawn card; the turn passes (R089, R090)."""
    events.append(CardKept(seat))
    _rest(state, seat, events, drew=True)


def check_accept(state: State, _seat: Seat, _action: AcceptDraw) -> None:
    """Refuse to accept where no draw is owed."""
    if not state.pending:
        _refuse_phase(state, Reason.NOTHING_TO_ACCEPT, "you owe no draw; lay a card or draw")


def do_accept(
    state: State,
    seat: Seat,
    _action: AcceptDraw,
    events: list[Event],
) -> None:
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
        _refuse_phase(state, Reason.NOTHING_TO_CHALLENGE, "you face no wild draw four to challenge")
    return state.offence


def check_challenge(state: State, _seat: Seat, _action: Challenge) -> None:
    """Refuse a challenge where no wild draw four is faced."""
    _faced(state)


def do_challenge(
    state: State,
    seat: Seat,
    _action: Challenge,
    events: list[Event],
) -> None:
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


def check_colour(state: State, _seat: Seat, action: ChooseColour) -> None:
    """Refuse to name a colour where none is asked for, or one that does not exist (R003)."""
    if state.phase is not Phase.CHOOSE_COLOUR:
        _refuse_phase(
            state, Reason.NO_COLOUR_TO_CHOOSE, "no colour is asked for; a play carries its own"
        )
    if not isinstance(action.colour, Colour):
        raise RuleViolation(Reason.BAD_COLOUR, f"{action.colour!r} is no colour")


def do_colour(
    state: State,
    seat: Seat,
    action: ChooseColour,
    events: list[Event],
) -> None:
    """
    Name the colour of the first card; the namer plays, or the dealer's card acts (Q24, R056).

    For a roulette its victim names it (NM21).
    """
    if spinning(state):
        _name_roulette(state, seat, action.colour, events)
        return
    start_turn(state)
    name_colour(state, action.colour)
    state.phase = Phase.PLAY
    events.append(ColourChosen(seat, action.colour))
    if state.rules.first_card is not FirstCard.DEALER_PLAYED:
        return
    if state.tables.aimed[state.discards[-1]]:
        state.phase = Phase.CHOOSE_TARGET
    else:
        act_for_dealer(state, state.discards[-1], events)


def check_target(state: State, seat: Seat, action: ChooseTarget) -> None:
    """Refuse to choose a seat where none is asked for, or one that cannot be chosen (Q31)."""
    if state.phase is not Phase.CHOOSE_TARGET:
        _refuse_phase(
            state, Reason.NO_TARGET_TO_CHOOSE, "no target is asked for; a play carries its own"
        )
    if action.target not in targets_of(state, seat):
        raise RuleViolation(Reason.BAD_TARGET, "name another seat that takes part in the round")


def do_target(state: State, seat: Seat, action: ChooseTarget, events: list[Event]) -> None:
    """Swap hands for a swap-hands card that counts as laid by the dealer (§1.2)."""
    state.phase = PLAYING
    swap_hands(state, seat, action.target, events)
    pass_turn(state)


def _check_call(_state: State, _seat: Seat, _action: CallUno) -> None:
    """Accept the call: whether it is offered has been asked before."""


def _do_call(state: State, seat: Seat, _action: CallUno, events: list[Event]) -> None:
    call(state, seat, events)


CALL_TO_FINISH: Final = Act(_check_call, _do_call, counted=True)
"""How the seat on turn makes the call it needs to lay its last card (Q69)."""


def _name_roulette(state: State, seat: Seat, colour: Colour, events: list[Event]) -> None:
    """Let the victim take its cards; it had no turn, so that no window closes (S09, Q05)."""
    name_colour(state, colour)
    events.append(ColourChosen(seat, colour))
    spin(state, seat, events)
    if state.live > 1:
        state.phase = PLAYING
        defer_duties(state)
        begin(state, next_seat(state, seat))
        reach(state, events)


TURN_ACTS: Final[Mapping[type, Act]] = {
    Play: Act(check_play, lay, counted=True),
    Draw: Act(check_draw, do_draw, counted=True),
    Keep: Act(check_keep, do_keep, counted=True),
    AcceptDraw: Act(check_accept, do_accept, counted=True),
    Challenge: Act(check_challenge, do_challenge, counted=True),
    ChooseColour: Act(check_colour, do_colour, counted=True),
    ChooseTarget: Act(check_target, do_target, counted=True),
    ChooseCard: Act(check_choice, do_choose, counted=True),
}
"""What the seat on turn may send."""
