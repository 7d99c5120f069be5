"""Which card of the engine is which card of the contract?"""

from typing import Final

from lastcard.v1.card_pb2 import Card as CardMessage
from lastcard.v1.card_pb2 import Colour as ColourNumber
from lastcard_engine.cards import ALL_CARDS, COLOURS, Card, Colour, colour_of, face_of, rule_number
from lastcard_server.errors import Reason, Refusal


def colour_name(colour: Colour | None) -> str:
    """Return the contract's name of a colour in force; COLOUR_UNSPECIFIED for none."""
    return "COLOUR_UNSPECIFIED" if colour is None else f"COLOUR_{colour.name}"


def card_message(card: Card) -> CardMessage:
    """Return a card of the engine as a message."""
    printed = colour_of(card)
    colour = "COLOUR_WILD" if printed is None else colour_name(printed)
    face = face_of(card).name
    return CardMessage(
        colour=colour, face=f"FACE_{_FACE_NAMES.get(face, face)}", rule=rule_number(card)
    )


_FACE_NAMES: Final = {
    "SHUFFLE_HANDS": "WILD_SHUFFLE_HANDS",
    "SWAP_HANDS": "WILD_SWAP_HANDS",
    "CUSTOM": "WILD_CUSTOM",
    "COLOUR_ROULETTE": "WILD_COLOUR_ROULETTE",
}
CARD_BYTES: Final = tuple(card_message(card).SerializeToString() for card in ALL_CARDS)
"""Every card as the bytes of a Card message, indexed by card."""
_BY_NUMBERS: Final = {(m.colour, m.face, m.rule): c for c in ALL_CARDS for m in (card_message(c),)}
_COLOURS: Final = {ColourNumber.Value(colour_name(colour)): colour for colour in COLOURS}


def card_from(message: CardMessage) -> Card:
    """
    Return the card a request names.

    Raises:
        Refusal: BAD_ACTION; no card has this colour, this face and this rule.

    """
    card = _BY_NUMBERS.get((message.colour, message.face, message.rule))
    if card is None:
        raise Refusal(
            Reason.BAD_ACTION, "The card does not exist; name a colour and a face of one."
        )
    return card


def colour_from(number: int) -> Colour:
    """
    Return the colour a request names.

    Raises:
        Refusal: BAD_ACTION; it is none of the four.

    """
    colour = _COLOURS.get(number)
    if colour is None:
        raise Refusal(Reason.BAD_ACTION, "The colour must be red, yellow, green or blue.")
    return colour
