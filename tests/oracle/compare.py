"""
The engine and the oracle play the same game, act by act, and have to agree on everything.

A `Table` holds both. Whatever is done is done to both; `check` compares them afterwards, asks the
ledger of events whether all holds that must, and raises the first difference.
"""

import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import lastcard_engine as engine
from tests.oracle import absence, rounds, turns
from tests.oracle.dealing import Dealing
from tests.oracle.facts import as_engine, facts
from tests.oracle.options import options_of
from tests.oracle.table import Refused, State
from tests.properties.ledger import Ledger

# Refusals that the rules themselves name; of others it only matters that they are refused.
NAMED = {
    "not_your_turn",
    "not_target",
    "only_drawn_card",
    "must_play",
    "not_identical",
    "nothing_to_catch",
    "finish_number_only",
    "uno_not_called",
    "stack_too_low",
}


class Difference(Exception):
    """The engine and the oracle do not agree."""


@dataclass(frozen=True)
class Start:
    """All that a compared game depends on besides the acts."""

    preset: str
    overrides: dict[str, Any]
    seats: int
    polled: bool
    absence: str = "play_default"
    action_cap: int = 2000
    rounds: int = 0
    key: bytes = bytes(32)
    hands: tuple[tuple[str, ...], ...] = ()  # a position to start from, if not the deal
    top: str = ""
    draw: tuple[str, ...] = ()
    discards: tuple[str, ...] = ()
    colour: str = ""


Move = Callable[[engine.State], Any]
"""Takes the engine a step further and returns the events."""


@dataclass
class Table:
    """One match on both sides."""

    start: Start
    engine: engine.State
    oracle: State
    moves: list[tuple[Move, list[Any]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Keep the beginning, for the replay, and open the ledger."""
        self.fresh = self.engine.clone()
        self.ledger = Ledger(self.engine)

    def check(self) -> None:
        """
        Compare everything the two know.

        Raises:
            Difference: with both values.

        """
        for what, ours, theirs in facts(self.engine, self.oracle):
            self._same(what, ours, theirs)
        try:
            self.ledger.compare()
        except AssertionError:
            self.differ("the ledger of events", traceback.format_exc(limit=-1), "")

    def differ(self, what: str, ours: object, theirs: object) -> None:
        """Raise what was found."""
        where = engine.format_position(self.engine)
        raise Difference(f"{what}\n engine: {ours}\n oracle: {theirs}\n {where}")

    def both(self, act: str, ours: Move, theirs: Callable[[], None]) -> None:
        """Do an act that both must accept, and compare what became of it."""
        try:
            events = [*ours(self.engine), *_close_vote(self.engine)]
        except engine.RuleViolation as violation:
            self.differ(act, repr(violation), "accepted")
        try:
            theirs()
        except Refused as refusal:
            self.differ(act, "accepted", repr(refusal))
        self.moves.append((ours, events))
        self.ledger.read(events)
        self.check()
        self._check_result(events)

    def replay(self) -> None:
        """Take all steps once more, from the beginning: the events and the state are the same."""
        for move, events in self.moves:
            self._same("replay", [*move(self.fresh), *_close_vote(self.fresh)], events)
        self._same("hash", engine.state_hash(self.fresh), engine.state_hash(self.engine))

    def _check_result(self, events: list[Any]) -> None:
        for event in events:
            if isinstance(event, engine.RoundEnded):
                result = self.oracle.results[-1]
                ours = (event.reason.value, list(event.winners), list(event.points))
                self._same("round", ours, (result.reason, result.winners, result.points))
                self._same("hand values", list(event.values), result.values)
                self._same("round value", event.value, result.value)
            elif isinstance(event, engine.MatchEnded):
                self._same("places", list(event.places), self.oracle.places)

    def _same(self, what: str, ours: object, theirs: object) -> None:
        if ours != theirs:
            self.differ(what, ours, theirs)

    def act(self, seat: int, text: str, *, uno: bool) -> None:
        """Let a seat act on both sides."""
        action, _ = engine.parse_action(as_engine(text))
        self.both(
            f"{seat}: {text}{' uno' if uno else ''}",
            lambda state: engine.apply(state, engine.Seat(seat), action, uno),
            lambda: turns.step(self.oracle, seat, text, uno),
        )

    def refuse(self, seat: int, text: str) -> None:
        """Try an act that neither side may accept."""
        action, _ = engine.parse_action(as_engine(text))
        before = engine.state_hash(self.engine)
        try:
            turns.step(self.oracle, seat, text)
        except Refused as refusal:
            theirs = str(refusal)
        else:
            raise AssertionError(text)
        try:
            engine.apply(self.engine, engine.Seat(seat), action)
        except engine.RuleViolation as violation:
            reason = violation.reason.value
            if theirs in NAMED and reason != theirs:
                self.differ(f"{seat}: {text}", reason, theirs)
        else:
            self.differ(f"{seat}: {text}", "accepted", theirs)
        self._same(f"state after refusing {text}", engine.state_hash(self.engine), before)

    def deal(self) -> None:
        """Start the next round on both sides."""
        shuffle = self.oracle.shuffle
        assert isinstance(shuffle, Dealing)
        shuffle.begin_round(self.oracle.round + 1)
        self.both(
            "start_round",
            engine.start_round,
            lambda: rounds.start_round(self.oracle),
        )

    def close(self) -> None:
        """Close the open window or group on both sides."""
        if self.oracle.pause:
            self.both(
                "close_window",
                engine.close_window,
                lambda: turns.close_window(self.oracle),
            )
        else:
            self.both(
                "close_group",
                engine.close_group,
                lambda: turns.close_group(self.oracle),
            )

    def be_absent(self, seat: int, what: str) -> None:
        """Time a seat out, knock it out or let it forfeit, on both sides."""
        self.both(
            f"{seat}: {what}",
            lambda state: getattr(engine, what)(state, engine.Seat(seat)),
            lambda: getattr(absence, what)(self.oracle, seat),
        )


def _close_vote(state: engine.State) -> list[Any]:
    """Close the engine's group of a vote with its last answer, as the oracle does."""
    if state.phase is engine.Phase.VOTE and not engine.to_act(state):
        return list(engine.close_group(state))
    return []


def built(start: Start) -> engine.Rules:
    """
    Make the engine's rules.

    Raises:
        engine.RulesError: the engine refuses them as contradictory.

    """
    rules = engine.make_rules(start.preset, start.overrides)
    engine.validate(rules, start.seats)
    return rules


def lay_out(start: Start) -> Table:
    """Seat a match on both sides, and deal the first round or lay out the position."""
    rules = built(start)
    settings = engine.Settings(
        reactions=engine.Reactions.POLLED if start.polled else engine.Reactions.RACE,
        absence=engine.Absence(start.absence),
        action_cap=start.action_cap,
        rounds=start.rounds,
    )
    oracle = rounds.new_match(
        options_of(start.preset, **start.overrides),
        start.seats,
        Dealing(start.key),
        polled=start.polled,
        action_cap=start.action_cap,
        rounds=start.rounds or None,
    )
    if not start.hands:
        table = Table(start, engine.new_match(rules, settings, start.seats, start.key), oracle)
        table.deal()
        return table
    cards = [[engine.parse_card(c) for c in hand] for hand in start.hands]
    ours = engine.position(
        rules,
        cards,
        engine.parse_card(start.top),
        colour=engine.parse_colour(start.colour),
        draw=[engine.parse_card(c) for c in start.draw],
        discards=[engine.parse_card(c) for c in start.discards],
        settings=settings,
        deal_key=start.key,
    )
    oracle.round, oracle.running, oracle.dealer = 1, True, start.seats - 1
    oracle.hands = [list(hand) for hand in start.hands]
    oracle.draw_pile, oracle.discard = list(start.draw), [*start.discards, start.top]
    oracle.colour = start.colour
    table = Table(start, ours, oracle)
    table.check()
    return table
