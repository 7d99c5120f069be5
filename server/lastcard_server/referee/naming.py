"""
What is the situation called that an act meets?

The names are keys of `situations.toml`; the one that decides comes first. They follow from the
state and the act alone, so that nothing here says what is allowed.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from lastcard_engine.actions import (
    AcceptDraw,
    Action,
    CallUno,
    ChooseCard,
    ChooseColour,
    Draw,
    JumpIn,
    Play,
)
from lastcard_engine.cards import (
    COLOUR_ROULETTE,
    FIRST_WILD,
    WILD_DRAW_FOUR,
    Card,
    Face,
    Seat,
    face_of,
    is_number,
)
from lastcard_engine.errors import Reason
from lastcard_engine.legal import has_lawful_play
from lastcard_engine.roulette import spinning
from lastcard_engine.state import Phase, State
from lastcard_engine.transition import is_bluff
from lastcard_server.referee.law import known

_OF_NUMBERS: Final = {Face.SEVEN: "seven", Face.ZERO: "zero"}


def kind_of(action: Action) -> str:
    """Return the name of an action's kind: `play`, `accept_draw`, `call_uno`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", type(action).__name__).lower()


def effect_of(card: Card) -> str:
    """Return the situation that a card makes which is laid in the middle of a hand."""
    face = face_of(card)
    name = _OF_NUMBERS.get(face, "number") if is_number(card) else face.name.lower()
    return f"effect.{name}"


def refused(state: State, action: Action, reason: Reason) -> str:
    """Return the situation that decides a refusal, the closest there is."""
    closer = (kind_of(action), _circumstance(state, action))
    names = [f"refused.{reason}.{more}" for more in closer]
    return next(filter(known, names), f"refused.{reason}")


def _answerable(state: State) -> bool:
    """Tell whether any card may be laid on the draw card that is faced."""
    return any(state.tables.answers[state.discards[-1]])


def _circumstance(state: State, action: Action) -> str:
    if state.phase is Phase.CHOOSE_COLOUR and spinning(state):
        return "roulette"
    if state.phase is Phase.CHALLENGE:
        return "challenge"
    if state.pending and not _answerable(state):
        return "plain"
    if not isinstance(action, Play):
        return ""
    if state.top is not None and state.top >= FIRST_WILD:
        return "wild_top"
    return "" if is_number(action.card) else "symbol"


def allowed(state: State, seat: Seat, action: Action) -> list[str]:
    """Return the situations that decide an allowed act; `state` is the one before it."""
    more = _CLOSER.get(type(action))
    name = f"allowed.{kind_of(action)}"
    closer = more(state, seat, action) if more else ""
    names = [f"{name}.{closer}" if closer else name]
    if isinstance(action, Play | JumpIn):
        names += _of_card(state, seat, action.card)
    return names


def _of_card(state: State, seat: Seat, card: Card) -> Iterator[str]:
    """Yield what a card brings with it: its effect, or what is left of it as a last card."""
    if len(state.hands[seat]) > 1:
        if effect_of(card) != "effect.number":
            yield effect_of(card)
    elif state.tables.draws[card]:
        yield "follows.last_draw"
    elif not is_number(card) or state.rules.seven_zero:
        yield "follows.last_idle"


def _play(state: State, seat: Seat, action: Play) -> str:
    card = action.card
    bluff = is_bluff(state, seat, action)
    if state.pending:
        return "answer_bluff" if bluff else "answer"
    if bluff:
        return "bluff"
    if len(state.hands[seat]) == 1:
        return "last"
    if state.phase is Phase.PLAY_OR_KEEP:
        return "drawn"
    if card == WILD_DRAW_FOUR:
        return "draw_four"
    if card >= FIRST_WILD:
        return "roulette" if card == COLOUR_ROULETTE else "wild"
    return "" if is_number(card) else "symbol"


def _draw(state: State, seat: Seat, _action: Draw) -> str:
    return "voluntary" if has_lawful_play(state, state.hands[seat]) else ""


def _accept(state: State, _seat: Seat, _action: AcceptDraw) -> str:
    if state.offence is not None:
        return "draw_four"
    return "" if _answerable(state) else "plain"


def _colour(state: State, _seat: Seat, _action: ChooseColour) -> str:
    return "roulette" if spinning(state) else "first"


def _card(state: State, _seat: Seat, _action: ChooseCard) -> str:
    return "" if state.phase is Phase.KEEP_CARD else "custom"


def _call(state: State, seat: Seat, _action: CallUno) -> str:
    return "" if len(state.hands[seat]) <= 1 + (seat == state.turn) else "idle"


_CLOSER: Final[Mapping[type, Callable[[State, Seat, Any], str]]] = {
    Play: _play,
    Draw: _draw,
    AcceptDraw: _accept,
    ChooseColour: _colour,
    ChooseCard: _card,
    CallUno: _call,
}
"""What names the situation more closely, by kind of action."""
