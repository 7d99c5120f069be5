"""
What does one seat see of a table?

A line of words as positions have them, but from one seat's own view (S21): its hand in cards, the
hands of others as numbers, of the draw pile how many. What is left out has the value of a new
match. `read_seen` reads such a line and refuses what cannot be written; whether the table can exist
is for `possible` to say.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from lastcard_engine.cards import Card, Colour, Seat, parse_card, parse_colour
from lastcard_engine.settings import Reactions
from lastcard_engine.state import Phase
from lastcard_engine.views import SeatView

T = TypeVar("T")
_DIGITS: Final = 4  # no number of a position comes near 10,000


class PositionError(ValueError):
    """A position that cannot be; the message is one sentence."""


@dataclass(frozen=True)
class Seen:
    """A table as one seat sees it. Sequences have one element a seat; None is a new match's."""

    seat: Seat
    hand: tuple[Card, ...]
    counts: tuple[int, ...]
    discards: tuple[Card, ...]
    """Cards of the discard pile that the seat knows, bottom up, the top one last."""
    beneath: int | None = None
    """How many more lie beneath those; None: all that are nowhere else."""
    draw: int | None = None
    """Cards in the draw pile; None: all that are nowhere else."""
    phase: Phase | None = None
    """None: what follows from the rest."""
    turn: Seat = Seat(0)  # noqa: RUF009 - a number
    direction: int = 1
    dealer: Seat | None = None
    colour: Colour | None = None
    drawn: Card | None = None
    pending: int = 0
    offender: Seat | None = None
    """Who laid the wild draw four that may be challenged."""
    called: tuple[bool, ...] | None = None
    caught: tuple[bool, ...] | None = None
    active: tuple[bool, ...] | None = None
    skip: tuple[bool, ...] | None = None
    totals: tuple[int, ...] | None = None
    duty: tuple[int, ...] | None = None
    """In which turn each laid its next-to-last card without a call; 0 for none."""
    course_known: bool = True
    """Whether `duty`, `begun` and `laid_by` are told: a view of a running match leaves them out."""
    serial: int = 1
    begun: bool = False
    raised: tuple[int, ...] | None = None
    """How many each draws on its next turn if it cannot play, by a custom rule; 0 for the usual."""
    credit: Seat | None = None
    laid_by: Seat | None = None
    group: Seat | None = None
    """After whose turn the others are asked; None while nobody is."""
    asked: bool | None = None
    """Whether the seat is among those the group asks; None: if it might react."""
    window: bool = False
    round_number: int = 1
    reactions: Reactions = Reactions.RACE


def _cards(text: str) -> tuple[Card, ...]:
    return () if text == "-" else tuple(parse_card(word) for word in text.split(","))


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= _DIGITS):
        raise ValueError("no number")
    return int(text)


def _seat(text: str) -> Seat:
    if len(text) != 1 or text not in "0123456789":
        raise ValueError("no seat")
    return Seat(int(text))


def _flag(text: str) -> bool:
    return bool(("0", "1").index(text))


def _each(read: Callable[[str], T]) -> Callable[[str], tuple[T, ...]]:
    return lambda text: tuple(read(word) for word in text.split(","))


def _direction(text: str) -> int:
    return (-1, 1)[("-1", "1").index(text)]


_WORDS: Final[Mapping[str, tuple[str, Callable[[str], Any], str]]] = {
    "round": ("round_number", _number, "a number"),
    "phase": ("phase", Phase, f"one of {', '.join(Phase)}"),
    "turn": ("turn", _seat, "a seat, 0 to 9"),
    "dir": ("direction", _direction, "1 or -1"),
    "dealer": ("dealer", _seat, "a seat, 0 to 9"),
    "colour": ("colour", parse_colour, "r, y, g or b"),
    "draw": ("draw", _number, "how many cards the draw pile has"),
    "drawn": ("drawn", parse_card, "a card such as r5"),
    "pending": ("pending", _number, "how many cards are demanded"),
    "offence": ("offender", _seat, "the seat that laid the wild draw four, 0 to 9"),
    "called": ("called", _each(_flag), "0 or 1 for each seat, with commas"),
    "caught": ("caught", _each(_flag), "0 or 1 for each seat, with commas"),
    "active": ("active", _each(_flag), "0 or 1 for each seat, with commas"),
    "skip": ("skip", _each(_flag), "0 or 1 for each seat, with commas"),
    "totals": ("totals", _each(_number), "a number for each seat, with commas"),
    "duty": ("duty", _each(_number), "a turn or 0 for each seat, with commas"),
    "raised": ("raised", _each(_number), "a number for each seat, with commas"),
    "serial": ("serial", _number, "the number of the turn"),
    "begun": ("begun", _flag, "0 or 1"),
    "credit": ("credit", _seat, "a seat, 0 to 9"),
    "laid_by": ("laid_by", _seat, "a seat, 0 to 9"),
    "group": ("group", _seat, "the seat after whose turn the others are asked, 0 to 9"),
    "window": ("window", _flag, "0 or 1"),
    "reactions": ("reactions", Reactions, f"one of {', '.join(Reactions)}"),
}
"""The words besides hands and discards: the field, how it is read, what it may be."""


def read_seen(text: str, seat: int | None = None) -> Seen:
    """
    Return the table that a line describes.

    Args:
        text: words as `name=value` with single blanks between them.
        seat: who asks; None for the seat whose cards the line holds.

    Raises:
        PositionError: the line cannot be read; the sentence repeats nothing of it.

    """
    words = _split(text)
    asker, hand, counts = _hands(words.pop("hands", ""), seat)
    beneath, discards = _discards(words.pop("discards", "-"))
    values: dict[str, Any] = {}
    for name, value in words.items():
        if name not in _WORDS:
            known = ", ".join(("hands", "discards", *_WORDS))
            raise PositionError(f"a position as a seat sees it has the words {known} only")
        field, read, wanted = _WORDS[name]
        values[field] = _value(name, value, read, wanted)
    seen = Seen(asker, hand, counts, discards, beneath, **values)
    return replace(seen, reactions=Reactions.POLLED) if seen.group is not None else seen


def _split(text: str) -> dict[str, str]:
    pairs = [word.partition("=") for word in text.split(" ")]
    words = {name: value for name, _, value in pairs}
    if len(words) < len(pairs) or not all(sign for _, sign, _ in pairs):
        raise PositionError(
            "a position is name=value with one blank between, each name once,"
            " for instance: hands=r5,b1/7 discards=y7 colour=y"
        )
    return words


def _value(name: str, text: str, read: Callable[[str], T], wanted: str) -> T:
    try:
        return read(text)
    except (ValueError, LookupError):
        raise PositionError(f"{name} must be {wanted}") from None


def _hands(text: str, seat: int | None) -> tuple[Seat, tuple[Card, ...], tuple[int, ...]]:
    """Return who asks, its hand, and how many cards each seat holds."""
    wanted = "for each seat, with / between: the asker's cards with commas, or - for none, "
    hands = text.split("/")
    shown = [place for place, hand in enumerate(hands) if not hand.isdigit()]
    if len(shown) != 1 or not 2 <= len(hands) <= 10:
        raise PositionError(f"hands must say {wanted}and of 1 to 9 others how many they hold")
    if seat is not None and seat != shown[0]:
        raise PositionError(
            f"hands shows the cards of seat {shown[0]}, but the asker is said to be seat {seat}"
        )
    asker = Seat(shown[0])
    hand = _value("hands", hands[asker], _cards, f"{wanted}such as r5,b1/7")
    counts = [
        len(hand) if place == asker else _value("hands", held, _number, wanted + "or a number")
        for place, held in enumerate(hands)
    ]
    return asker, tuple(sorted(hand)), tuple(counts)


def _discards(text: str) -> tuple[int | None, tuple[Card, ...]]:
    """Return how many cards lie unseen beneath the known ones, and these."""
    wanted = "the known cards bottom up, with commas; a number first for those beneath, as in 9,y7"
    first, _, rest = text.partition(",")
    if first.isdigit():
        return _value("discards", first, _number, wanted), _value("discards", rest, _cards, wanted)
    return None, _value("discards", text, _cards, wanted)


def seen_by(view: SeatView, reactions: Reactions) -> Seen:
    """
    Return what a view of a running match shows.

    A view does not tell who has forgotten to call (Q70), nor what is only of the turn's course.
    """
    return Seen(
        seat=view.seat,
        hand=view.hand,
        counts=view.counts,
        discards=() if view.top is None else (view.top,),
        beneath=max(0, view.discard_count - 1),
        draw=view.draw_count,
        phase=view.phase,
        turn=Seat(0) if view.turn is None else view.turn,
        direction=view.direction,
        dealer=view.dealer,
        colour=view.colour,
        drawn=view.drawn,
        pending=view.pending,
        called=view.called,
        active=view.active,
        totals=view.totals,
        raised=None if view.custom is None else view.custom.raised,
        course_known=False,
        serial=2,
        group=None if view.group is None else view.group.actor,
        laid_by=view.group.actor if view.group is not None and view.group.jump_in else None,
        asked=view.asked,
        window=view.window,
        round_number=view.round_number,
        reactions=reactions,
    )
