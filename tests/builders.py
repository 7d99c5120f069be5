"""
How does a test put a table into a position, speak to it and read what happened?

In the short notation of cards and actions, through the engine's public functions alone. Seats are
numbers; hands are written "r5 b1 | y2". Nothing here knows a rule.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import pytest

import lastcard_engine as engine

DRAW = "b9 b8 b7 b6 b5 b4 b3 b2 b1 g9 g8 g7 g6 g4 g3"
SEARCH = 20_000  # deal keys tried before a search for a deal gives up


def cards(text: str) -> tuple[engine.Card, ...]:
    """Read cards in short notation, blank-separated."""
    return tuple(engine.parse_card(word) for word in text.split())


def text(some_cards: Any) -> str:
    """Write cards in short notation, in the order given."""
    return " ".join(engine.format_card(card) for card in some_cards)


def make_settings(
    reactions: str = "race", absence: str = "play_default", **more: int
) -> engine.Settings:
    """Make match settings from the names of their values."""
    return engine.Settings(
        reactions=engine.Reactions(reactions), absence=engine.Absence(absence), **more
    )


def deal_key(number: int) -> bytes:
    """Return the deal key with this number."""
    return number.to_bytes(32, "big")


class Table:
    """A match in progress; `act` closes the race window at once unless told to hold it."""

    def __init__(self, state: engine.State) -> None:
        self.state = state
        self.events: list[engine.Event] = []

    def act(self, seat: int, action: str, *, hold: bool = False) -> list[engine.Event]:
        """Let `seat` act; the events are kept until the next call."""
        parsed, uno = engine.parse_action(action)
        self.events = list(engine.apply(self.state, engine.Seat(seat), parsed, uno))
        if not hold:
            self.close_window()
        return self.events

    def draw_and_keep(self, seat: int) -> None:
        """Let a seat draw and lay nothing; it is not asked again where there was no card."""
        self.act(seat, "draw")
        if self.phase == "play_or_keep":
            self.act(seat, "keep")

    def close_window(self) -> None:
        """End the race pause if one is open."""
        if self.state.window:
            self.events += engine.close_window(self.state)

    def refuse(self, seat: int, action: str, reason: str) -> None:
        """Assert that check and apply refuse the action for `reason` and change nothing."""
        parsed, uno = engine.parse_action(action)
        before = engine.state_hash(self.state)
        for function in (engine.check, engine.apply):
            with pytest.raises(engine.RuleViolation) as refusal:
                function(self.state, engine.Seat(seat), parsed, uno)
            assert refusal.value.reason == reason, str(refusal.value)
            assert engine.state_hash(self.state) == before

    def refusal(self, seat: int, action: str) -> str:
        """Return the sentence with which the action is refused."""
        parsed, uno = engine.parse_action(action)
        with pytest.raises(engine.RuleViolation) as refusal:
            engine.check(self.state, engine.Seat(seat), parsed, uno)
        return refusal.value.message

    def accepts(self, seat: int, action: str) -> bool:
        """Tell whether the action would be accepted now."""
        parsed, uno = engine.parse_action(action)
        try:
            engine.check(self.state, engine.Seat(seat), parsed, uno)
        except engine.RuleViolation:
            return False
        return True

    def settle(self, **answers: str) -> list[engine.Event]:
        """Answer an open group: `P2="catch 0"` by name, everybody else passes; then close it."""
        for seat in engine.to_act(self.state):
            parsed, uno = engine.parse_action(answers.get(f"P{seat}", "pass"))
            engine.apply(self.state, seat, parsed, uno)
        self.events = list(engine.close_group(self.state))
        return self.events

    def event(self, name: str) -> Any:
        """Return the only event of this name since the last act."""
        (found,) = self.all_events(name)
        return found

    def all_events(self, name: str) -> list[Any]:
        """Return the events of this name since the last act."""
        return [event for event in self.events if type(event).__name__ == name]

    def clone(self) -> "Table":
        """Return an independent table in the same position."""
        return Table(self.state.clone())

    def view(self, seat: int) -> engine.SeatView:
        """Return what the seat sees."""
        return engine.view(self.state, engine.Seat(seat))

    def hand(self, seat: int) -> str:
        """Return the hand of a seat in canonical order."""
        return text(self.view(seat).hand)

    def count(self, seat: int) -> int:
        """Return how many cards a seat holds."""
        return len(self.view(seat).hand)

    @property
    def counts(self) -> list[int]:
        """Return the size of every hand."""
        return [self.count(seat) for seat in range(self.state.seat_count)]

    @property
    def turn(self) -> int:
        """Return the seat that is asked; fails where it is not exactly one."""
        (seat,) = engine.to_act(self.state)
        return seat

    @property
    def phase(self) -> str:
        """Return the phase by its name."""
        return str(self.state.phase)

    @property
    def colour(self) -> str | None:
        """Return the letter of the colour in force."""
        colour = engine.table_view(self.state).colour
        return None if colour is None else engine.format_colour(colour)

    @property
    def top(self) -> str:
        """Return the top discard."""
        top = engine.table_view(self.state).top
        assert top is not None
        return engine.format_card(top)

    @property
    def direction(self) -> int:
        """Return +1 for clockwise, -1 for the other way."""
        return engine.table_view(self.state).direction

    @property
    def draw_count(self) -> int:
        """Return the size of the draw pile."""
        return engine.table_view(self.state).draw_count

    def legal(self, seat: int | None = None) -> list[str]:
        """Return the legal actions of a seat (the one on turn) in notation."""
        seat = self.turn if seat is None else seat
        actions = engine.legal_actions(self.state, engine.Seat(seat))
        return [engine.format_action(action) for action in actions]

    def lawful_cards(self, seat: int | None = None) -> set[str]:
        """Return the cards a seat may lay without bluffing."""
        seat = self.turn if seat is None else seat
        return {
            engine.format_card(action.card)
            for action in engine.legal_actions(self.state, engine.Seat(seat))
            if isinstance(action, engine.Play)
            and not engine.is_bluff(self.state, engine.Seat(seat), action)
        }

    def bluff_cards(self, seat: int) -> set[str]:
        """Return the cards a seat may lay as a bluff only."""
        return {
            engine.format_card(action.card)
            for action in engine.legal_actions(self.state, engine.Seat(seat))
            if isinstance(action, engine.Play)
            and engine.is_bluff(self.state, engine.Seat(seat), action)
        }

    def owes_call(self) -> int | None:
        """Return the seat whose missing call could be caught now, probed by catching."""
        seats = range(self.state.seat_count)
        caught = {
            target
            for target in seats
            for catcher in seats
            if catcher != target and self.clone().accepts(catcher, f"catch {target}")
        }
        assert len(caught) <= 1
        return caught.pop() if caught else None

    def all_cards(self) -> list[str]:
        """Return every card of the table, sorted: hands and piles."""
        state = self.state
        piles = [*state.hands, state.draw_pile, state.discards]
        return sorted(engine.format_card(card) for pile in piles for card in pile)


def make_rules(preset: str = "standard_no", **overrides: Any) -> engine.Rules:
    """Make the rules of a preset with overrides."""
    return engine.make_rules(preset, overrides)


def at(
    hands: str,
    top: str,
    *,
    preset: str = "standard_no",
    settings: engine.Settings | None = None,
    turn: int = 0,
    colour: str | None = None,
    draw: str = DRAW,
    discards: str = "",
    options: dict[str, Any] | None = None,
    **more: Any,
) -> Table:
    """Return a table with these hands, top discard, draw pile (top first) and discards beneath."""
    return Table(
        engine.position(
            make_rules(preset, **(options or {})),
            hands=[cards(hand) for hand in hands.split("|")],
            top=engine.parse_card(top),
            colour=None if colour is None else engine.parse_colour(colour),
            turn=engine.Seat(turn),
            draw=cards(draw),
            discards=cards(discards),
            settings=settings or make_settings(),
            **more,
        )
    )


def deal(
    seats: int = 4,
    *,
    preset: str = "standard_no",
    key: int = 0,
    settings: engine.Settings | None = None,
    **options: Any,
) -> Table:
    """Return a new match whose first round has been started; `events` are those of the start."""
    rules = make_rules(preset, **options)
    table = Table(engine.new_match(rules, settings or make_settings(), seats, deal_key(key)))
    table.events = list(engine.start_round(table.state))
    return table


def deals(seats: int = 4, **more: Any) -> Iterator[Table]:
    """Yield freshly dealt tables, one for each deal key."""
    for key in range(SEARCH):
        yield deal(seats, key=key, **more)


@lru_cache(maxsize=64)
def _opening_key(face: str, seats: int, preset: str) -> int:
    for key in range(SEARCH):
        table = deal(seats, preset=preset, key=key)
        turned = [engine.format_card(event.card) for event in table.all_events("StartCardTurned")]
        if turned == [face]:
            return key
    raise AssertionError(face)


def open_with(first: str, seats: int = 4, *, preset: str = "official_se", **more: Any) -> Table:
    """Return a table whose first turned card is `first`, by searching the deal keys."""
    return deal(seats, preset=preset, key=_opening_key(first, seats, preset), **more)
