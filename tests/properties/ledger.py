"""
What must have happened, judged by the events alone?

An independent book of hand sizes, rounds and totals, kept from what everybody may see. It holds the
oracles that compare this book with the state.
"""

from collections import Counter

import lastcard_engine as engine


class Ledger:
    """Follows a match by its events and compares."""

    def __init__(self, state: engine.State) -> None:
        self.state = state
        self.sizes = [0] * state.seat_count
        self.totals = [0] * state.seat_count
        self.open_rounds = 0
        self.rounds = 0
        self.matches_ended = 0
        self.deck = Counter(engine.deck(state.rules))

    def read(self, events: list[engine.Event]) -> None:
        """Enter events into the book."""
        for event in events:
            self._read(event)

    def _read(self, event: engine.Event) -> None:
        match event:
            case engine.RoundStarted():
                self.open_rounds += 1
                self.rounds += 1
                self.sizes = [0] * len(self.sizes)
            case engine.CardsDealt() | engine.HandReceived():
                self.sizes[event.seat] = event.count
            case engine.CardPlayed():
                self.sizes[event.seat] -= 1
            case engine.CardsDiscarded():
                self.sizes[event.seat] -= len(event.cards)
            case engine.CardsDrawn():
                self.sizes[event.seat] += event.count
                assert len(event.cards) == event.count
            case engine.SeatKnockedOut():
                self.sizes[event.seat] -= event.count
                assert self.sizes[event.seat] == 0
            case engine.RoundEnded():
                self.open_rounds -= 1
                self.totals = [a + b for a, b in zip(self.totals, event.points, strict=True)]
                assert [len(hand) for hand in event.hands] == self.sizes
            case engine.MatchEnded():
                self.matches_ended += 1
            case _:
                pass

    def compare(self) -> None:
        """Assert all oracles on the present state."""
        self.cards_are_conserved()
        self.colour_is_defined()
        self.somebody_is_asked()
        self.sizes_follow_from_events()
        self.rounds_end_once()
        assert engine.violations(self.state) == ()

    def cards_are_conserved(self) -> None:
        """Oracle 1: hands and piles are exactly the deck once something has been dealt."""
        state = self.state
        held = Counter(card for hand in state.hands for card in hand)
        total = held + Counter(state.draw_pile) + Counter(state.discards)
        assert total == (self.deck if self.rounds else Counter())
        assert all(hand == sorted(hand) for hand in state.hands)

    def colour_is_defined(self) -> None:
        """Oracle 2: exactly one colour is in force whenever somebody plays by it."""
        state = self.state
        if state.running and state.phase != engine.Phase.CHOOSE_COLOUR:
            assert state.colour in tuple(engine.Colour)

    def somebody_is_asked(self) -> None:
        """Oracle 4: one seat has the turn, or a group or a window is open, and nobody is stuck."""
        state = self.state
        asked = engine.to_act(state)
        if not state.running:
            assert asked == ()
            assert not state.window
            assert state.group is None
        elif state.window:
            assert asked == ()
            assert state.group is None
        elif state.group is None:
            assert len(asked) == 1
        for seat in range(state.seat_count):
            legal = engine.legal_actions(state, engine.Seat(seat))
            assert bool(legal) is (seat in asked)
            assert state.active[seat] or not legal
            assert len(set(legal)) == len(legal)

    def sizes_follow_from_events(self) -> None:
        """Oracle 5: each change of a hand size has exactly one event that says so."""
        assert [len(hand) for hand in self.state.hands] == self.sizes
        assert list(engine.table_view(self.state).counts) == self.sizes

    def rounds_end_once(self) -> None:
        """Oracle 8: a round that was started is running or has ended exactly once."""
        assert self.open_rounds == (1 if self.state.running else 0)
        assert self.matches_ended == (1 if self.state.over else 0)
