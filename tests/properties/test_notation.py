"""Are parse and format inverses for cards, colours, actions and positions?"""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import lastcard_engine as engine
from tests.properties.candidates import candidates
from tests.properties.matches import PRESETS, new_match, step

KINDS = 81
LETTERS = st.text("rygbWSRDCXAE0123456789 >+-play_unocatch", max_size=12)


def test_every_card_is_written_and_read_back() -> None:
    """All 73 kinds have a notation of their own that is read back to the same kind."""
    names = [engine.format_card(engine.Card(kind)) for kind in range(KINDS)]
    assert len(set(names)) == KINDS
    assert [engine.parse_card(name) for name in names] == list(range(KINDS))


def test_every_colour_is_written_and_read_back() -> None:
    """The four colours are r, y, g and b."""
    letters = [engine.format_colour(colour) for colour in engine.Colour]
    assert letters == list("rygb")
    assert [engine.parse_colour(letter) for letter in letters] == list(engine.Colour)


@given(LETTERS)
def test_what_is_read_is_written_the_same(text: str) -> None:
    """Nothing but the one notation of a thing is read; everything else is a ValueError."""
    notations: tuple[tuple[Callable[[str], Any], Callable[[Any], str]], ...] = (
        (engine.parse_card, engine.format_card),
        (engine.parse_colour, engine.format_colour),
        (engine.parse_action, lambda pair: engine.format_action(*pair)),
    )
    for parse, write in notations:
        try:
            value = parse(text)
        except ValueError:
            continue
        assert write(value) == text


@pytest.mark.parametrize("uno", [False, True])
def test_every_action_is_written_and_read_back(*, uno: bool) -> None:
    """Every action of every kind, with a call and without, survives the notation."""
    state = new_match("official_se", 1)
    targets = [engine.Play(engine.parse_card("r7"), None, engine.Seat(9))]
    seen = set()
    for action in (*candidates(state), *targets):
        written = engine.format_action(action, uno)
        assert engine.parse_action(written) == (action, uno)
        seen.add(written)
    assert len(seen) == len(candidates(state)) + 1


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("play W g uno", (engine.Play(engine.parse_card("W"), engine.Colour.GREEN), True)),
        ("play r7 >2", (engine.Play(engine.parse_card("r7"), None, engine.Seat(2)), False)),
        ("choose_colour g", (engine.ChooseColour(engine.Colour.GREEN), False)),
        ("catch 2", (engine.Catch(engine.Seat(2)), False)),
        ("jump_in r5", (engine.JumpIn(engine.parse_card("r5")), False)),
        ("accept_draw", (engine.AcceptDraw(), False)),
        ("choose_card r5", (engine.ChooseCard(engine.parse_card("r5")), False)),
    ],
)
def test_the_notation_is_the_documented_one(text: str, action: tuple[engine.Action, bool]) -> None:
    """The examples of the documentation are read as they say."""
    assert engine.parse_action(text) == action
    assert engine.format_action(*action) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "play",
        "play r5 ",
        " play r5",
        "play  r5",
        "Play r5",
        "play r10",
        "play r5 purple",
        "play W g g",
        "play r5 > 2",
        "play r5 >-1",
        "play r5 >+1",
        "play r5 >01",
        "play r5 >10",
        "catch",
        "catch x",
        "catch -1",
        "catch 10",
        "choose_colour",
        "choose_colour W",
        "draw uno uno",
        "jump_in",
        "jump_in W g",
        "draw r5",
        "call_uno 1",
        "play r\u0665",
        "catch \u0661",
        "draw\n",
        "begin_turn begin_turn",
    ],
)
def test_what_is_no_action_is_refused(text: str) -> None:
    """Anything but the one notation is refused with a ValueError; nothing is guessed."""
    with pytest.raises(ValueError, match=r"."):
        engine.parse_action(text)


@pytest.mark.parametrize("reactions", ["race", "polled"])
@pytest.mark.parametrize("preset", PRESETS)
def test_every_position_is_written_and_read_back(preset: str, reactions: str) -> None:
    """At any moment of a match its position is read back to the same state."""
    dice = Random(f"{preset}{reactions}")
    options = {"jump_in": "identical"} if preset == "standard_no" else {}
    state = new_match(preset, dice.randrange(1000), reactions=reactions, seats=2, **options)
    for _ in range(60):
        written = engine.format_position(state)
        again = engine.parse_position(written)
        assert engine.state_hash(again) == engine.state_hash(state)
        assert engine.format_position(again) == written
        if state.over:
            break
        step(state, dice)
