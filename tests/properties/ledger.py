"""
What must have happened, judged by the events alone?

An independent book of hand sizes, rounds and totals, kept from what everybody may see. It holds the
oracles that compare this book with the state.
"""

from collections import Counter

import lastcard_engine as engine


class Ledger:
    """Follows a match by its events, from its beginning or from any position, and compares."""

    def __init__(self, state: engine.State) -> None:
        self.state = state
        self.sizes = [len(hand) for hand in state.hands]
        self.totals = list(state.totals)
        self.open_rounds = int(state.running)
        self.rounds = state.round_number
        self.matches_ended = 0
        self.stock = self._table()
        self.deck = Counter(engine.deck(state.rules))

    def read(self, events: list[engine.Event]) -> None:
        """Enter events into the book."""
        for event in events:
            self._read(event)
            self.cards_reach_those_who_may_see_them(event)

    def _read(self, event: engine.Event) -> None:
        match event:
            case engine.RoundStarted():
                self.open_rounds += 1
                self.rounds += 1
                self.sizes = [0] * len(self.sizes)
                self.stock = self.deck
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
        self.hands_are_seen_by_their_owners()
        assert engine.violations(self.state, list(self.stock.elements())) == ()

    def _table(self) -> Counter[engine.Card]:
        """Count all cards there are."""
        state = self.state
        held = Counter(card for hand in state.hands for card in hand)
        return held + Counter(state.draw_pile) + Counter(state.discards)

    def cards_are_conserved(self) -> None:
        """Oracle 1: hands and piles are exactly the deck once something has been dealt."""
        assert self._table() == self.stock
        assert all(hand == sorted(hand) for hand in self.state.hands)

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

    def hands_are_seen_by_their_owners(self) -> None:
        """Oracle 6: a view shows the own hand, and another only where a rule lays it open."""
        custom = engine.table_view(self.state).custom
        opened = () if custom is None else custom.opened
        for seat, hand in enumerate(self.state.hands):
            seen = engine.view(self.state, engine.Seat(seat))
            assert list(seen.hand) == hand
            assert all(owner in opened and owner != seat for owner, _ in seen.open_hands)

    def cards_reach_those_who_may_see_them(self, event: engine.Event) -> None:
        """Oracle 6: dealt, drawn and received cards are told to their owner alone."""
        entitled: set[int | None]
        match event:
            case engine.CardsDealt() | engine.CardsDrawn() | engine.HandReceived():
                entitled = {event.seat}
            case engine.HandShown():
                entitled = {event.seat, event.viewer}
            case _:
                return
        for viewer in (None, *map(engine.Seat, range(self.state.seat_count))):
            told = engine.redact(event, viewer)
            assert getattr(told, "cards") == (event.cards if viewer in entitled else ())  # noqa: B009
