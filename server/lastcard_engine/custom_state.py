"""
What have custom wilds left on the table?

The rule that is being carried out, and what stays after one: open hands, a larger draw, texts that
hold until somebody calls UNO. Tables without custom rules have none of it.
"""

import json
from typing import Any, Final

from lastcard_engine.cards import Card, Seat, format_card, parse_card
from lastcard_engine.custom_ops import Operation
from lastcard_engine.custom_text import format_operation, parse_operation


class Carried:
    """A custom rule that is being carried out."""

    __slots__ = (
        "actor",
        "called",
        "extra_turn",
        "question",
        "sizes",
        "steps",
        "subject",
        "target",
        "turned",
    )

    def __init__(
        self, actor: Seat, target: Seat | None, steps: list[tuple[Operation, Seat]]
    ) -> None:
        self.actor = actor
        """Who laid the card, or the dealer for whom it was turned first."""
        self.target = target
        """Who was named with the play."""
        self.steps = steps
        """What is still to be done, each with the seat that `self` means in it."""
        self.called = False
        """Whether UNO was called with the play (S07)."""
        self.extra_turn = False
        self.turned = False
        """Whether the card was turned first, so that nobody has played it."""
        self.sizes: list[tuple[Seat, int, bool]] = []
        """Who lays out cards, down to how many, and may it stop before? The first is asked."""
        self.question: Operation | None = None
        """The dare or vote that is open."""
        self.subject = actor
        """Whom the question is about: who is dared, or for whom the others vote."""

    def clone(self) -> "Carried":
        """Return an independent copy."""
        copy = Carried(self.actor, self.target, self.steps.copy())
        copy.called = self.called
        copy.extra_turn = self.extra_turn
        copy.turned = self.turned
        copy.sizes = self.sizes.copy()
        copy.question = self.question
        copy.subject = self.subject
        return copy


class Custom:
    """What custom wilds have left on the table in this round."""

    __slots__ = ("choices", "next_draw", "opened", "restrictions", "rule")

    def __init__(self, seats: int) -> None:
        self.rule: Carried | None = None
        self.next_draw = [0] * seats
        """By seat: how many it draws on its next turn if it cannot play, 0 for the usual (CR04)."""
        self.choices: tuple[Card, ...] = ()
        """Several cards drawn in this turn, one of which may be laid; secret (Q38)."""
        self.opened: list[tuple[Seat, tuple[Seat, ...]]] = []
        """Whose turn closes hands that lie open, and whose hands these are (CR08)."""
        self.restrictions: list[tuple[Seat, str]] = []
        """Who keeps to which text until somebody calls UNO (CR10)."""

    def clone(self) -> "Custom":
        """Return an independent copy."""
        copy = Custom(0)
        copy.rule = None if self.rule is None else self.rule.clone()
        copy.next_draw = self.next_draw.copy()
        copy.choices = self.choices
        copy.opened = self.opened.copy()
        copy.restrictions = self.restrictions.copy()
        return copy

    @property
    def open_hands(self) -> tuple[Seat, ...]:
        """Whose hands lie open, in seat order."""
        return tuple(sorted({seat for _, seats in self.opened for seat in seats}))

    def end_turn(self, seat: Seat) -> None:
        """Forget what was for this turn of a seat alone (CR04, Q38)."""
        self.next_draw[seat] = 0
        self.choices = ()

    def __eq__(self, other: object) -> bool:
        """Tell whether two tables are left the same."""
        return isinstance(other, Custom) and write_custom(self) == write_custom(other)

    __hash__ = None  # type: ignore[assignment]  # it changes


def _plain_rule(rule: Carried) -> dict[str, object]:
    return {
        "actor": rule.actor,
        "target": rule.target,
        "steps": [[format_operation(op), own] for op, own in rule.steps],
        "called": rule.called,
        "extra_turn": rule.extra_turn,
        "turned": rule.turned,
        "sizes": [[*size] for size in rule.sizes],
        "question": None if rule.question is None else format_operation(rule.question),
        "subject": rule.subject,
    }


def write_custom(custom: Custom) -> str:
    """Return all of it as one line of compact JSON without blanks, secrets included."""
    plain = {
        "rule": None if custom.rule is None else _plain_rule(custom.rule),
        "next_draw": custom.next_draw,
        "choices": [*map(format_card, custom.choices)],
        "opened": [[closer, [*seats]] for closer, seats in custom.opened],
        "restrictions": [[*restriction] for restriction in custom.restrictions],
    }
    return _encode(plain).replace(" ", "\\u0020")


_encode: Final = json.JSONEncoder(separators=(",", ":")).encode


def _read_rule(plain: Any) -> Carried:  # noqa: ANN401 - checked by writing it again
    steps = [(parse_operation(text), Seat(own)) for text, own in plain["steps"]]
    rule = Carried(plain["actor"], plain["target"], steps)
    rule.called = plain["called"]
    rule.extra_turn = plain["extra_turn"]
    rule.turned = plain["turned"]
    rule.sizes = [(seat, size, may_stop) for seat, size, may_stop in plain["sizes"]]
    rule.question = None if plain["question"] is None else parse_operation(plain["question"])
    rule.subject = plain["subject"]
    return rule


def read_custom(text: str) -> Custom:
    """
    Return what a line describes.

    Raises:
        ValueError, LookupError or TypeError: the line is not one that `write_custom` writes.

    """
    plain = json.loads(text)
    custom = Custom(0)
    custom.rule = None if plain["rule"] is None else _read_rule(plain["rule"])
    custom.next_draw = plain["next_draw"]
    custom.choices = tuple(map(parse_card, plain["choices"]))
    custom.opened = [(closer, tuple(seats)) for closer, seats in plain["opened"]]
    custom.restrictions = [(seat, phrase) for seat, phrase in plain["restrictions"]]
    return custom
