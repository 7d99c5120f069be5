"""
How does the record of a match read? Line by line for people, and as plain values for programs.

Both come from a replay, so a record that does not follow from its deal ends where it goes wrong.
Everything is shown, hands included: a record is opened when nothing is secret any more.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Any, Final, NamedTuple

import lastcard_engine as engine
from lastcard_engine import Card, Event, Pass, format_action, format_card, format_colour
from lastcard_engine.record import EntryKind, Record, Step, replay


class Tone(StrEnum):
    """How a line is meant."""

    HEAD = "head"
    PLAIN = "plain"
    WRONG = "wrong"
    RESULT = "result"


class Line(NamedTuple):
    """One line of a transcript."""

    tone: Tone
    text: str


SILENT: Final = frozenset(
    {
        EntryKind.CREATED,
        EntryKind.JOINED,
        EntryKind.LEFT,
        EntryKind.SEAT_REISSUED,
        EntryKind.NONCE,
        EntryKind.STARTED,
        EntryKind.GROUP_CLOSED,
        EntryKind.WINDOW_CLOSED,
        EntryKind.CLOCK_EXTENDED,
        EntryKind.ENDED,
    }
)
"""Entries that are told only by what happened with them."""
WRONG: Final = frozenset({EntryKind.FAULT, EntryKind.CANCELLED, EntryKind.FROZEN})


def transcript(record: Record) -> Iterator[Line]:
    """
    Yield the lines of a match.

    Raises:
        RecordError: an entry does not follow from those before; the lines before it are told.

    """
    names = Names(record.seats)
    yield Line(Tone.HEAD, f"match {record.match_id}")
    yield Line(Tone.PLAIN, f"seats  {', '.join(map(names.of, range(len(record.seats))))}")
    for step in replay(record):
        yield from _step(names, step)


class Names:
    """The names of seats as a transcript shows them."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = [f"{seat} {name}" for seat, name in enumerate(names)]
        self.width = max(map(len, self._names))

    def of(self, seat: int) -> str:
        """Return a seat's number and name."""
        return self._names[seat]

    def aligned(self, seat: int | None) -> str:
        """Return a seat's number and name, or blanks, at the width of the longest."""
        return ("" if seat is None else self.of(seat)).ljust(self.width)


def _step(names: Names, step: Step) -> Iterator[Line]:
    """Yield the lines of one entry: its own, then those of rounds that begin or end with it."""
    entry = step.entry
    told = [text for event in step.events if (text := _effect(names, event))]
    if entry.kind is EntryKind.ROUND_STARTED:
        yield from _opening(names, step)
    elif _is_worth_a_line(step, told):
        what = _what(step)
        aside = f"{what:<20}  {'; '.join(told)}" if told else what
        tone = Tone.WRONG if entry.kind in WRONG else Tone.PLAIN
        yield Line(tone, f"{entry.version:>6}  {names.aligned(entry.seat)}  {aside}".rstrip())
    for event in step.events:
        yield from _ending(names, event)


def _is_worth_a_line(step: Step, told: list[str]) -> bool:
    """Tell whether an entry says something; that an opportunity went by is nothing."""
    return bool(told) or not (step.entry.kind in SILENT or isinstance(step.entry.action, Pass))


def _what(step: Step) -> str:
    """Return what an entry says by itself."""
    entry = step.entry
    if entry.action is not None:
        return format_action(entry.action, entry.uno)
    if entry.kind in SILENT:
        return ""
    return f"{entry.kind.replace('_', ' ')} {entry.note}".rstrip()


def _opening(names: Names, step: Step) -> Iterator[Line]:
    """Yield the lines of a round that begins."""
    yield Line(Tone.PLAIN, "")
    yield Line(Tone.HEAD, f"round {step.state.round_number}")
    for event in step.events:
        match event:
            case engine.DealerDrawn(seats, cards):
                drawn = zip(map(names.of, seats), map(format_card, cards), strict=True)
                yield Line(Tone.PLAIN, f"draw   {', '.join(map(' '.join, drawn))}")
            case engine.DealerChosen(seat):
                yield Line(Tone.PLAIN, f"deals  {names.of(seat)}")
            case engine.CardsDealt(seat, cards):
                yield Line(Tone.PLAIN, f"hand   {names.aligned(seat)}  {_cards(cards)}")
            case _ if text := _effect(names, event):
                yield Line(Tone.PLAIN, f"       {text}")


def _ending(names: Names, event: Event) -> Iterator[Line]:
    """Yield the lines of a round or match that ends."""
    match event:
        case engine.RoundEnded(reason, winners, values, _, value, hands):
            who = ", ".join(map(names.of, winners)) or "nobody"
            why = reason.replace("_", " ")
            yield Line(Tone.RESULT, f"won by {who}: {value} points ({why})")
            for seat, (hand, worth) in enumerate(zip(hands, values, strict=True)):
                if hand:
                    left = f"left   {names.aligned(engine.Seat(seat))}  {_cards(hand)} = {worth}"
                    yield Line(Tone.PLAIN, left)
        case engine.MatchEnded(reason, places):
            order = sorted(range(len(places)), key=lambda seat: (places[seat], seat))
            ranks = ", ".join(f"{places[seat]}. {names.of(seat)}" for seat in order)
            yield Line(Tone.PLAIN, "")
            yield Line(Tone.RESULT, f"places {ranks} ({reason.replace('_', ' ')})")


def _cards(cards: Iterable[Card]) -> str:
    return " ".join(map(format_card, cards))


def _cause(cause: str) -> str:
    return cause.replace("_", " ")


_EFFECTS: Final[Mapping[type, Callable[[Names, Any], str]]] = {
    engine.StartCardTurned: lambda _, e: f"starts with {format_card(e.card)}",
    engine.StartCardRejected: lambda _, e: f"turned {format_card(e.card)}, which may not start",
    engine.CardsDiscarded: lambda n, e: f"{n.of(e.seat)} discards {_cards(e.cards)}",
    engine.CardsDrawn: lambda n, e: (
        f"{n.of(e.seat)} draws {_cards(e.cards) or 'nothing'} ({_cause(e.cause)})"
    ),
    engine.ColourChosen: lambda _, e: f"colour {format_colour(e.colour)}",
    engine.DirectionReversed: lambda _, e: "clockwise" if e.direction > 0 else "anticlockwise",
    engine.SeatSkipped: lambda n, e: f"{n.of(e.seat)} loses a turn ({_cause(e.cause)})",
    engine.ChallengeOpened: lambda n, e: f"{n.of(e.seat)} may challenge",
    engine.DrawDemanded: lambda n, e: f"{n.of(e.seat)} faces {e.count} cards",
    engine.ChallengeResolved: lambda n, e: (
        f"{n.of(e.offender)} is {'guilty' if e.guilty else 'innocent'}"
    ),
    engine.HandsShuffled: lambda _, e: f"hands are shuffled: {' '.join(map(str, e.counts))} cards",
    engine.HandsSwapped: lambda n, e: f"{n.of(e.seat)} and {n.of(e.target)} swap hands",
    engine.HandsRotated: lambda _, e: f"hands are passed on: {' '.join(map(str, e.counts))} cards",
    engine.HandReceived: lambda n, e: f"{n.of(e.seat)} holds {_cards(e.cards)}",
    engine.HandsOpened: lambda n, e: (
        f"open until the turn of {n.of(e.seat)}: {', '.join(map(n.of, e.seats))}"
    ),
    engine.DrawRaised: lambda n, e: f"{n.of(e.seat)} draws {e.count} if unable to play",
    engine.Dared: lambda n, e: f"{n.of(e.seat)} is dared: {e.text}",
    engine.DareAnswered: lambda n, e: f"{n.of(e.seat)} {'did it' if e.done else 'backs out'}",
    engine.VoteOpened: lambda n, e: f"vote about {n.of(e.seat)}: {e.text}",
    engine.VoteCounted: lambda _, e: (
        f"{e.yes} yes, {e.no} no: {'carried' if e.carried else 'not carried'}"
    ),
    engine.Restricted: lambda n, e: f"{n.of(e.seat)} until UNO is called: {e.text}",
    engine.RestrictionsLifted: lambda _, __: "restrictions end",
    engine.UnoCaught: lambda n, e: f"{n.of(e.catcher)} catches {n.of(e.target)}",
    engine.UnoCalled: lambda n, e: f"{n.of(e.seat)} calls UNO",
    engine.DeckReshuffled: lambda _, e: f"discards are shuffled: {e.count} cards",
    engine.DefaultTaken: lambda n, e: f"{n.of(e.seat)} did not answer: default action",
    engine.SeatKnockedOut: lambda n, e: f"{n.of(e.seat)} is out of the round",
    engine.SeatForfeited: lambda n, e: f"{n.of(e.seat)} is out of the match",
}
"""What events say beside the entry they came of; those left out say what it says."""


def _effect(names: Names, event: Event) -> str:
    tell = _EFFECTS.get(type(event))
    return tell(names, event) if tell else ""


def plain_steps(record: Record) -> Iterator[dict[str, Any]]:
    """
    Yield each entry with all its events as plain values: cards, colours and actions in notation.

    Raises:
        RecordError: an entry does not follow from those before; those before it are told.

    """
    for step in replay(record):
        entry = step.entry
        yield {
            "version": entry.version,
            "kind": str(entry.kind),
            "seat": entry.seat,
            "action": format_action(entry.action, entry.uno) if entry.action else None,
            "note": entry.note,
            "events": list(map(_plain_event, step.events)),
        }


def _plain_event(event: Event) -> dict[str, Any]:
    fields = {name: _plain_field(name, value) for name, value in event._asdict().items()}
    return {"event": _snake(type(event).__name__), **fields}


def _plain_field(name: str, value: Any) -> Any:  # noqa: ANN401 - fields of every event
    match name:
        case "card":
            return format_card(value)
        case "cards":
            return list(map(format_card, value))
        case "hands":
            return [list(map(format_card, hand)) for hand in value]
        case "colour":
            return None if value is None else format_colour(value)
    return str(value) if isinstance(value, StrEnum) else value


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)[1:]
