"""Do the SDK and the engine write the same action the same way?"""

import pytest

from lastcard.notation import action_name
from lastcard_engine import Action, Colour, Seat, format_action
from lastcard_engine import actions as engine
from lastcard_engine.cards import ALL_CARDS, FIRST_WILD
from lastcard_server.convert.actions import action_message

ACTIONS: list[Action] = [
    *(engine.Play(card) for card in ALL_CARDS if card < FIRST_WILD),
    *(engine.Play(card, colour) for card in ALL_CARDS if card >= FIRST_WILD for colour in Colour),
    engine.Play(ALL_CARDS[7], target=Seat(2)),
    engine.Play(ALL_CARDS[-1], Colour.GREEN, Seat(1)),
    engine.JumpIn(ALL_CARDS[5]),
    engine.JumpIn(ALL_CARDS[7], Seat(3)),
    *(engine.ChooseColour(colour) for colour in Colour),
    *(engine.ChooseTarget(Seat(seat)) for seat in range(10)),
    *(engine.Catch(Seat(seat)) for seat in range(10)),
    engine.Draw(),
    engine.Keep(),
    engine.AcceptDraw(),
    engine.Challenge(),
    engine.CallUno(),
    engine.BeginTurn(),
    engine.Pass(),
]


@pytest.mark.parametrize("action", ACTIONS, ids=format_action)
def test_sdk_writes_actions_as_the_engine_does(action: Action) -> None:
    """The SDK's notation is the engine's, but for the word `play`, which a bot need not read."""
    assert action_name(action_message(action)) == format_action(action).removeprefix("play ")
