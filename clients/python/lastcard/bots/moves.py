"""
Where does a card that is laid lead? Whom it hits, who comes next, what the hand becomes.

One row a face says what a card does; nothing here weighs anything.
"""

from collections.abc import Mapping
from typing import NamedTuple

from lastcard.bots.sight import NOBODY, Sight
from lastcard.v1 import action_pb2, card_pb2, rules_pb2


class Deed(NamedTuple):
    """
    What a face does.

    Attributes:
        dealt: Cards the seat that is hit has to draw.
        skips: Whether a seat loses its turn.
        turns: Whether the direction changes first.
    """

    dealt: int = 0
    skips: bool = False
    turns: bool = False


DEEDS: Mapping[int, Deed] = {
    card_pb2.FACE_SKIP: Deed(skips=True),
    card_pb2.FACE_REVERSE: Deed(turns=True),
    card_pb2.FACE_DRAW_TWO: Deed(2, skips=True),
    card_pb2.FACE_DRAW_FOUR: Deed(4, skips=True),
    card_pb2.FACE_WILD_DRAW_FOUR: Deed(4, skips=True),
    card_pb2.FACE_WILD_REVERSE_DRAW_FOUR: Deed(4, skips=True, turns=True),
    card_pb2.FACE_WILD_DRAW_SIX: Deed(6, skips=True),
    card_pb2.FACE_WILD_DRAW_TEN: Deed(10, skips=True),
    # As many cards as it takes on average until one of four colours comes.
    card_pb2.FACE_WILD_COLOUR_ROULETTE: Deed(4, skips=True),
}
PLAIN = Deed()
POINTS = (0, *range(10), *[20] * 6, *[50] * 9)


class Move:
    """
    A card that may be laid, and where it leads.

    Attributes:
        face: Its face.
        wild: Whether it is a wild.
        scarce: Whether it is a wild of which there are few: any but those of No Mercy.
        colour: The colour in force after it; 0 while none is named.
        points: What it counts in a hand.
        dealt: Cards that the seat hit has to draw.
        victim: The seat that loses its turn, or NOBODY.
        follower: The seat that is on turn after it.
        gain: Cards that a swap, a rotation or a shuffle takes off the hand.
    """

    __slots__ = (
        "colour",
        "dealt",
        "face",
        "follower",
        "gain",
        "points",
        "scarce",
        "victim",
        "wild",
    )

    def __init__(self, sight: Sight, play: action_pb2.PlayCard) -> None:
        card = play.card
        self.face = face = card.face
        self.wild = card.colour == card_pb2.COLOUR_WILD
        self.scarce = self.wild and face <= card_pb2.FACE_WILD_CUSTOM
        self.colour = play.colour if self.wild else card.colour
        self.points = POINTS[face]
        self.victim, self.follower = NOBODY, sight.order[0]
        self.dealt = 0
        self.gain = 0.0
        if face >= card_pb2.FACE_SKIP:
            self._lead(sight, DEEDS.get(face, PLAIN))
        if sight.held > 1:
            self._move_hands(sight, play)

    def _lead(self, sight: Sight, deed: Deed) -> None:
        """Find who is hit and who comes next."""
        order = sight.order
        if self.face == card_pb2.FACE_SKIP_EVERYONE:
            self.follower = sight.seat
            return
        if deed.turns:
            order = [*order[-2::-1], sight.seat]
            if len(order) == 2 and sight.rules.reverse_two_players != TURN_ONLY:
                order = order[::-1] if deed.dealt else [sight.seat, sight.seat]
        self.follower = order[0]
        if deed.skips:
            self.victim, self.follower = order[0], order[1 % len(order)]
            self.dealt = deed.dealt + (sight.pending if deed.dealt else 0)

    def _move_hands(self, sight: Sight, play: action_pb2.PlayCard) -> None:
        """Find what the hand becomes where hands change owners."""
        left = sight.held - 1
        others = sight.order[:-1]
        if play.HasField("target_seat"):
            self.gain = left - sight.counts[play.target_seat]
        elif self.face == card_pb2.FACE_ZERO and sight.rules.seven_zero:
            self.gain = left - sight.counts[others[-1]]
        elif self.face == card_pb2.FACE_WILD_SHUFFLE_HANDS:
            share = (left + sum(sight.counts[other] for other in others)) / (1 + len(others))
            self.gain = left - share


TURN_ONLY = rules_pb2.REVERSE_TWO_PLAYERS_TURN_ONLY
