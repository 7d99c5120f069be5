"""
How are cards and actions written in short? `r5`, `gD2`, `W4`; `r5`, `W g`, `draw`, `catch 2`.

A play is written as its card, the colour it names and `>` with the seat it targets; every other
action as its name. Knows the contract only, no rules.
"""

from collections.abc import Callable

from lastcard.v1 import action_pb2, card_pb2

COLOURS = {
    card_pb2.COLOUR_UNSPECIFIED: "",
    card_pb2.COLOUR_RED: "r",
    card_pb2.COLOUR_YELLOW: "y",
    card_pb2.COLOUR_GREEN: "g",
    card_pb2.COLOUR_BLUE: "b",
    card_pb2.COLOUR_WILD: "",
}
FACES = {
    card_pb2.FACE_UNSPECIFIED: "",
    card_pb2.FACE_ZERO: "0",
    card_pb2.FACE_ONE: "1",
    card_pb2.FACE_TWO: "2",
    card_pb2.FACE_THREE: "3",
    card_pb2.FACE_FOUR: "4",
    card_pb2.FACE_FIVE: "5",
    card_pb2.FACE_SIX: "6",
    card_pb2.FACE_SEVEN: "7",
    card_pb2.FACE_EIGHT: "8",
    card_pb2.FACE_NINE: "9",
    card_pb2.FACE_SKIP: "S",
    card_pb2.FACE_REVERSE: "R",
    card_pb2.FACE_DRAW_TWO: "D2",
    card_pb2.FACE_DRAW_FOUR: "D4",
    card_pb2.FACE_SKIP_EVERYONE: "SE",
    card_pb2.FACE_DISCARD_ALL: "DA",
    card_pb2.FACE_WILD: "W",
    card_pb2.FACE_WILD_DRAW_FOUR: "W4",
    card_pb2.FACE_WILD_SHUFFLE_HANDS: "WS",
    card_pb2.FACE_WILD_SWAP_HANDS: "WX",
    card_pb2.FACE_WILD_CUSTOM: "WC",
    card_pb2.FACE_WILD_REVERSE_DRAW_FOUR: "WR4",
    card_pb2.FACE_WILD_DRAW_SIX: "W6",
    card_pb2.FACE_WILD_DRAW_TEN: "W10",
    card_pb2.FACE_WILD_COLOUR_ROULETTE: "WCR",
}
_CARDS = {(c, f): colour + face for c, colour in COLOURS.items() for f, face in FACES.items()}


def card_name(card: card_pb2.Card) -> str:
    """Return a card in notation, for example `r5`, `W4` or `WC1`; "" for a card that is absent."""
    name = _CARDS[card.colour, card.face]
    return f"{name}{card.rule}" if card.rule else name


def action_name(action: action_pb2.Action) -> str:
    """Return an action in notation, for example `r5`, `W g`, `r7 >2`, `draw` or `catch 2`."""
    kind = action.WhichOneof("kind")
    return _NAMES[kind](action) if kind in _NAMES else kind or ""


def _laid(play: action_pb2.PlayCard | action_pb2.JumpIn) -> str:
    """Return what is laid, with the colour named and the seat targeted where there are any."""
    name = card_name(play.card)
    if isinstance(play, action_pb2.PlayCard) and play.colour:
        name = f"{name} {COLOURS[play.colour]}"
    return f"{name} >{play.target_seat}" if play.HasField("target_seat") else name


_NAMES: dict[str, Callable[[action_pb2.Action], str]] = {
    "play_card": lambda action: _laid(action.play_card),
    "draw_card": lambda _: "draw",
    "keep_card": lambda _: "keep",
    "accept_draw": lambda _: "accept_draw",
    "challenge": lambda _: "challenge",
    "choose_colour": lambda action: f"choose_colour {COLOURS[action.choose_colour.colour]}",
    "choose_target": lambda action: f"choose_target {action.choose_target.target_seat}",
    "call_uno": lambda _: "call_uno",
    "catch_uno": lambda action: f"catch {action.catch_uno.target_seat}",
    "begin_turn": lambda _: "begin_turn",
    "jump_in": lambda action: f"jump_in {_laid(action.jump_in)}",
    "pass_reaction": lambda _: "pass",
    "ready": lambda _: "ready",
    "choose_card": lambda action: f"choose_card {card_name(action.choose_card.card)}",
    "answer_dare": lambda action: "dare_done" if action.answer_dare.done else "dare_refuse",
    "cast_vote": lambda action: "vote yes" if action.cast_vote.yes else "vote no",
}
