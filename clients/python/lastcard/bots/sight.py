"""
What does one turn show? The table in order of play, the own hand, and what others let be seen.

Read once a turn into plain numbers, so that weighing many plays stays cheap. Knows the contract
only: the view, the rules and the events that came with the turn.
"""

from collections.abc import Iterable, Sequence

from lastcard.v1 import card_pb2, event_pb2, rules_pb2, turn_pb2, view_pb2

# Cards at which a seat counts as about to go out.
FEW = 3
NOBODY = -1


class Sight:
    """
    One turn as numbers. A seat's sign is 1 for a foe, -1 for the partner, 0 for oneself.

    Attributes:
        rules: The rules in force; all unspecified where the turn does not tell them.
        seat: The own seat.
        hand: The own cards as (colour, face), in the order of the view.
        held: How many they are.
        colours: How many of each colour, by colour.
        faces: How many of each face, by face.
        counts: Cards each seat holds, by seat.
        variety: How many of the four colours it has.
        order: The other seats that take part, in order of play; the own seat stands at the end.
        others: How many they are.
        partner: The partner's seat, or NOBODY.
        threats: How near to going out each seat is, by seat: 0 to 3, of the partner negative.
        fewest: Cards of the foe with the fewest.
        lacking: By colour, 1 where the next seat seems to lack it, -1 where it seems to hold it.
        pending: Cards demanded of the own seat.
    """

    __slots__ = (
        "colours",
        "counts",
        "faces",
        "fewest",
        "hand",
        "held",
        "lacking",
        "order",
        "others",
        "partner",
        "pending",
        "rules",
        "seat",
        "table",
        "threats",
        "variety",
    )

    def __init__(self, turn: turn_pb2.Turn) -> None:
        view = turn.view
        self.rules: rules_pb2.Rules = turn.rules
        self.seat = view.seat
        self.table = table = view.table
        self.pending = table.pending_draw_count
        self._look_at_hand(view.hand)
        self._look_around(table)
        self.lacking = [0.0] * 6
        self._listen(turn.events)

    def _look_at_hand(self, hand: Iterable[card_pb2.Card]) -> None:
        self.hand = [(card.colour, card.face) for card in hand]
        self.held = len(self.hand)
        self.colours = [0] * 6
        self.faces = [0] * 26
        for colour, face in self.hand:
            self.colours[colour] += 1
            self.faces[face] += 1
        self.variety = sum(map(bool, self.colours[1:5]))

    def _look_around(self, table: view_pb2.TableView) -> None:
        players = table.players
        seats, seat = len(players), self.seat
        self.counts = [player.hand_count for player in players]
        step = -1 if table.direction == view_pb2.DIRECTION_COUNTER_CLOCKWISE else 1
        around = [(seat + step * far) % seats for far in range(1, seats + 1)]
        self.order = [other for other in around if players[other].active or other == seat]
        self.others = len(self.order) - 1
        pairs = self.rules.teams == rules_pb2.TEAMS_PAIRS
        self.partner = (seat + 2) % seats if pairs else NOBODY
        self.threats = [max(0, FEW + 1 - count) for count in self.counts]
        self.threats[seat] = 0
        if pairs:
            self.threats[self.partner] *= -1
        foes = [self.counts[other] for other in self.order[:-1] if other != self.partner]
        self.fewest = min(foes, default=0)

    def _listen(self, events: Sequence[event_pb2.Event]) -> None:
        """Note what the next seat drew on, and which colour it named (B03)."""
        after = self.order[0]
        colour = card_pb2.COLOUR_UNSPECIFIED
        for event in events:
            match event.WhichOneof("payload"):
                case "card_played":
                    played = event.card_played
                    colour = played.colour
                    if played.seat == after and played.card.colour == card_pb2.COLOUR_WILD:
                        self.lacking[colour] -= 1
                case "cards_drawn" if event.cards_drawn.seat == after:
                    if event.cards_drawn.cause == event_pb2.DRAW_CAUSE_TURN:
                        self.lacking[colour] += 1
                case "hands_moved":
                    self.lacking = [0.0] * 6
                case _:
                    pass
