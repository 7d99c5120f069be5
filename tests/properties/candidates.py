"""Which actions can be written at all at a table, legal or not?"""

from functools import cache

import lastcard_engine as engine

COLOURS = tuple(engine.Colour)
AIMED = (engine.Face.SEVEN, engine.Face.SWAP_HANDS)
WILD = engine.parse_card("W")


def candidates(state: engine.State) -> tuple[engine.Action, ...]:
    """Return actions of every kind: each card of the deck, each colour, each target."""
    return _candidates(state.rules, state.seat_count)


@cache
def _candidates(rules: engine.Rules, seats: int) -> tuple[engine.Action, ...]:
    kinds = sorted(set(engine.deck(rules)) | {engine.parse_card("W10"), engine.parse_card("rSE")})
    targets = [engine.Seat(seat) for seat in range(seats)]
    found: list[engine.Action] = [
        engine.Draw(),
        engine.Keep(),
        engine.AcceptDraw(),
        engine.Challenge(),
        engine.CallUno(),
        engine.BeginTurn(),
        engine.Pass(),
        *(engine.ChooseColour(colour) for colour in COLOURS),
        *(engine.AnswerDare(answer) for answer in (True, False)),
        *(engine.CastVote(answer) for answer in (True, False)),
        *(engine.Catch(target) for target in targets),
        *(engine.ChooseTarget(target) for target in targets),
        *(engine.ChooseCard(card) for card in kinds),
    ]
    for card in kinds:
        colours = COLOURS if card >= WILD else COLOURS[:1]
        found += [engine.Play(card), engine.JumpIn(card)]
        found += [engine.Play(card, colour) for colour in colours]
        aimed = targets if engine.face_of(card) in AIMED else targets[:1]
        named = [None, *colours] if card >= WILD else [None]
        found += [engine.Play(card, colour, target) for colour in named for target in aimed]
        found += [engine.JumpIn(card, target) for target in aimed]
    return tuple(found)
