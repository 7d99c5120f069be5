"""
What does a seat choose, where that is an act of its own?

The colour of a wild that was turned first or of a roulette, whom a card is aimed at that was turned
first, and single cards of the own hand, for a discard-all or a custom rule.
"""

from collections.abc import Mapping
from typing import Final

from lastcard_engine.act import Act
from lastcard_engine.actions import ChooseCard, ChooseColour, ChooseTarget
from lastcard_engine.cards import FIRST_RULE, Colour, Seat
from lastcard_engine.custom import begin_turned, check_answer, do_lay_out
from lastcard_engine.duties import defer_duties
from lastcard_engine.errors import Reason, RuleViolation
from lastcard_engine.events import ColourChosen, Event
from lastcard_engine.exchange import swap_hands
from lastcard_engine.keeping import check_choice, do_choose
from lastcard_engine.legal import targets_of
from lastcard_engine.opening import act_for_dealer
from lastcard_engine.plays import start_turn
from lastcard_engine.refusals import refuse_phase, rule_asks
from lastcard_engine.roulette import name_colour, spin, spinning
from lastcard_engine.rules import FirstCard
from lastcard_engine.state import PLAYING, Phase, State
from lastcard_engine.turns import begin, next_seat, pass_turn, reach


def _check_colour(state: State, _seat: Seat, action: ChooseColour) -> None:
    """Refuse to name a colour where none is asked for, or one that does not exist (R003)."""
    if state.phase is not Phase.CHOOSE_COLOUR:
        refuse_phase(
            state, Reason.NO_COLOUR_TO_CHOOSE, "no colour is asked for; a play carries its own"
        )
    if not isinstance(action.colour, Colour):
        raise RuleViolation(Reason.BAD_COLOUR, f"{action.colour!r} is no colour")


def _do_colour(state: State, seat: Seat, action: ChooseColour, events: list[Event]) -> None:
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


def _check_target(state: State, seat: Seat, action: ChooseTarget) -> None:
    """Refuse to choose a seat where none is asked for, or one that cannot be chosen (Q31)."""
    if state.phase is not Phase.CHOOSE_TARGET:
        refuse_phase(
            state, Reason.NO_TARGET_TO_CHOOSE, "no target is asked for; a play carries its own"
        )
    if action.target not in targets_of(state, seat):
        raise RuleViolation(Reason.BAD_TARGET, "name another seat that takes part in the round")


def _do_target(state: State, seat: Seat, action: ChooseTarget, events: list[Event]) -> None:
    """Let a card that counts as laid by the dealer swap hands, or its rule run."""
    state.phase = PLAYING
    card = state.discards[-1]
    if card >= FIRST_RULE:
        begin_turned(state, card, action.target, events)
        return
    swap_hands(state, seat, action.target, events)
    pass_turn(state)


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


def _check_choice(state: State, seat: Seat, action: ChooseCard) -> None:
    """Refuse a card that neither a custom rule (Q39) nor a discard-all asks for (S15)."""
    (check_answer if rule_asks(state) else check_choice)(state, seat, action)


def _do_choice(state: State, seat: Seat, action: ChooseCard, events: list[Event]) -> None:
    (do_lay_out if rule_asks(state) else do_choose)(state, seat, action, events)


CHOICES: Final[Mapping[type, Act]] = {
    ChooseColour: Act(_check_colour, _do_colour, counted=True),
    ChooseTarget: Act(_check_target, _do_target, counted=True),
    ChooseCard: Act(_check_choice, _do_choice, counted=True),
}
"""What a seat chooses."""
