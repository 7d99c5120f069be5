"""
What does a bot see? One question to one seat, with the contract's message behind it.

Every accessor is computed when it is asked for, so that a bot pays only for what it reads. Knows
no rules: what may be answered stands in the turn.
"""

from lastcard.errors import UnknownEvent
from lastcard.notation import COLOURS, action_name, card_name
from lastcard.v1 import event_pb2, turn_pb2, view_pb2

KIND = "TURN_KIND_"


class Turn:
    """
    One question to one seat.

    Attributes:
        message: The question as the contract has it; everything else is read from it.
    """

    __slots__ = ("_legal", "message")

    def __init__(self, message: turn_pb2.Turn) -> None:
        self.message = message
        self._legal: tuple[str, ...] | None = None

    @property
    def kind(self) -> str:
        """What is asked, the contract's name in small letters: `play`, `reaction` and so on."""
        return turn_pb2.TurnKind.Name(self.message.kind).removeprefix(KIND).lower()

    @property
    def legal(self) -> tuple[str, ...]:
        """
        Every legal answer in notation, in the order in which a choice counts them.

        A play is its card, the colour it names and the seat it is aimed at (`r5`, `W g`, `r7 >2`);
        others are `draw`, `keep`, `accept_draw`, `challenge`, `choose_colour g`, `choose_target 2`,
        `jump_in r5`, `catch 2`, `call_uno`, `pass`; of custom rules `choose_card r5`, `dare_done`,
        `dare_refuse`, `vote yes`, `vote no`. `choose_card` lays the card out while
        `table.HasField("custom_question")`, and otherwise keeps it where a discard-all takes all
        others (No Mercy's deck with `finish_card=number_only`). Wild draw fours played as a bluff
        are among them; see `lawful`.
        """
        if self._legal is None:
            self._legal = tuple(action_name(legal.action) for legal in self.message.legal_actions)
        return self._legal

    @property
    def lawful(self) -> tuple[str, ...]:
        """The legal answers without the wild draw fours that a challenge would punish."""
        asked = zip(self.legal, self.message.legal_actions, strict=True)
        return tuple(name for name, legal in asked if legal.lawful)

    @property
    def hand(self) -> tuple[str, ...]:
        """The own cards in canonical order: red, yellow, green, blue, wilds."""
        return tuple(card_name(card) for card in self.message.view.hand)

    @property
    def drawn(self) -> str:
        """The card just drawn, while it may be laid or kept; otherwise empty."""
        return card_name(self.message.view.drawn_card)

    @property
    def table(self) -> view_pb2.TableView:
        """What everybody at the table sees."""
        return self.message.view.table

    @property
    def top(self) -> str:
        """The top card of the discard pile."""
        return card_name(self.table.top_card)

    @property
    def question(self) -> str:
        """What a custom rule dares or asks, in words; empty where it lets cards be laid out."""
        return self.table.custom_question.text

    @property
    def open_hands(self) -> dict[int, tuple[str, ...]]:
        """The hands of other seats that a custom rule has laid open, by seat."""
        opened = self.message.view.open_hands
        return {hand.seat: tuple(card_name(card) for card in hand.cards) for hand in opened}

    @property
    def colour(self) -> str:
        """The colour in force: `r`, `y`, `g`, `b`, or empty while none is."""
        return COLOURS[self.table.colour]

    @property
    def counts(self) -> tuple[int, ...]:
        """How many cards each seat holds, in seat order."""
        return tuple(player.hand_count for player in self.table.players)

    @property
    def seat(self) -> int:
        """The own seat, 0-based."""
        return self.message.seat

    @property
    def match_id(self) -> str:
        """The match."""
        return self.message.match_id

    @property
    def events(self) -> list[event_pb2.Event]:
        """
        What happened since the seat's last turn, oldest first; empty unless asked for.

        Events of a newer server that may be passed over are left out.

        Raises:
            UnknownEvent: A newer server told one that may not be passed over.
        """
        for event in self.message.events:
            if event.WhichOneof("payload") is None and not event.may_ignore:
                raise UnknownEvent("the server told an event that this release does not know")
        return [event for event in self.message.events if event.WhichOneof("payload")]

    def __repr__(self) -> str:
        """Show the question in one line, for people."""
        return (
            f"<turn {self.message.turn} of {self.match_id}, seat {self.seat}: {self.kind}, "
            f"hand {' '.join(self.hand)}, top {self.top}, colour {self.colour or 'none'}, "
            f"legal {', '.join(self.legal)}>"
        )
