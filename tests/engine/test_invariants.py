"""Is each invariant able to fail?"""

from collections.abc import Callable

import pytest

import lastcard_engine as engine
from lastcard_engine.tables import NOTHING_FITS
from tests.builders import at, cards

STOCK = cards("r5 b1 g2 g3 y7 r1 r2")


def position() -> engine.State:
    """Return a sound position with this stock of cards."""
    return at("r5 b1 | g2 g3", "y7", draw="r1 r2").state


def broken(change: Callable[[engine.State], object]) -> str:
    """Return what is found wrong after a change behind the engine's back."""
    state = position()
    change(state)
    return " / ".join(engine.violations(state, STOCK))


def test_a_sound_position_has_no_violation() -> None:
    """The stock is that of the position."""
    assert engine.violations(position(), STOCK) == ()


def test_a_position_is_not_the_deck() -> None:
    """Without the stock the deck of the rules is asked for."""
    assert engine.violations(position()) == ("the cards of the table are not those of the deck",)


def _swap(state: engine.State) -> None:
    state.hands[0].reverse()


def _empty(state: engine.State) -> None:
    state.draw_pile += state.hands[0]
    state.hands[0] = []


def _owe(state: engine.State) -> None:
    state.duty[0] = state.duties = 1


def _owe_and_call(state: engine.State) -> None:
    state.discards[:0] = [state.hands[0].pop()]
    _owe(state)
    state.called[0] = True


def _leave(state: engine.State) -> None:
    state.active[1] = False
    state.live = 1


def _set(name: str, value: object) -> Callable[[engine.State], None]:
    return lambda state: setattr(state, name, value)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda state: state.draw_pile.pop(), "not those of the deck"),
        (_swap, "not in canonical order"),
        (_empty, "holds no card"),
        (_leave, "out of the round and holds cards"),
        (_leave, "fewer than two seats"),
        (_set("live", 3), "number of active seats"),
        (_set("colour", None), "a colour is in force exactly"),
        (_set("colour", engine.Colour.RED), "not that of the top card"),
        (_set("row", NOTHING_FITS), "another top card"),
        (_set("phase", engine.Phase.CHOOSE_COLOUR), "a colour is in force exactly"),
        (_set("phase", engine.Phase.CHALLENGE), "faced out of its phase"),
        (_set("drawn", cards("r5")[0]), "pending out of its phase"),
        (_set("duties", 1), "number of open duties"),
        (_owe, "without holding one card"),
        (_owe_and_call, "has called and can be caught"),
        (_set("phase", engine.Phase.ROUND_OVER), ""),
        (_set("forfeited", [True, False]), "has forfeited and still takes part"),
    ],
)
def test_each_invariant_can_fail(change: Callable[[engine.State], object], sentence: str) -> None:
    """A state that is changed behind the engine's back is found out."""
    assert sentence in broken(change)


def test_a_pause_between_rounds_is_found() -> None:
    """No window or group outlives its round."""
    state = position()
    state.phase = engine.Phase.ROUND_OVER
    state.window = True
    assert "no round is running" in " ".join(engine.violations(state, STOCK))


def test_a_group_and_a_pause_exclude_each_other() -> None:
    """One overlay at a time."""
    state = position()
    state.window = True
    state.group = engine.Group(engine.Seat(0), 1, [engine.Seat(1)], 2)
    assert "open at once" in " ".join(engine.violations(state, STOCK))
