"""Do the oracles hold after every step of any match?"""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import lastcard_engine as engine
from tests.properties.candidates import candidates
from tests.properties.ledger import Ledger
from tests.properties.matches import matches, open_acts

Step = tuple[str, tuple[Any, ...]]


def refusal_of(function: Callable[..., Any], *arguments: Any) -> tuple[str, str] | None:
    """Return why the call is refused, None if it is not."""
    try:
        function(*arguments)
    except engine.RuleViolation as refusal:
        return refusal.reason, refusal.message
    return None


class MatchMachine(RuleBasedStateMachine):
    """Any sequence of accepted and refused steps in any match."""

    state: engine.State

    @initialize(state=matches())
    def begin(self, state: engine.State) -> None:
        """Start a match."""
        self.state = state
        self.fresh = state.clone()
        self.ledger = Ledger(state)
        self.log: list[tuple[Step, list[engine.Event]]] = []

    def take(self, verb: str, *arguments: Any) -> None:
        """Take a step, keep it for the replay, and enter its events."""
        events = list(getattr(engine, verb)(self.state, *arguments))
        self.log.append(((verb, arguments), events))
        self.ledger.read(events)

    def asked(self) -> bool:
        """Tell whether any seat may act."""
        return bool(open_acts(self.state))

    @precondition(lambda self: engine.needs_round(self.state))
    @rule()
    def start_round(self) -> None:
        """Deal."""
        self.take("start_round")

    @precondition(asked)
    @rule(data=st.data())
    def act(self, data: st.DataObject) -> None:
        """Any legal action or reaction of any seat."""
        self.take("apply", *data.draw(st.sampled_from(open_acts(self.state))))

    @precondition(asked)
    @rule(data=st.data())
    def lay(self, data: st.DataObject) -> None:
        """Any card that may be laid now, so that rounds come to their end."""
        plays = [a for a in open_acts(self.state) if isinstance(a[1], engine.Play | engine.JumpIn)]
        if plays:
            self.take("apply", *data.draw(st.sampled_from(plays)))

    @precondition(lambda self: self.state.window)
    @rule()
    def close_window(self) -> None:
        """End the race pause."""
        self.take("close_window")

    @precondition(lambda self: self.state.group is not None and not engine.to_act(self.state))
    @rule()
    def close_group(self) -> None:
        """Resolve a group that is complete."""
        self.take("close_group")

    @precondition(lambda self: bool(engine.to_act(self.state)))
    @rule(data=st.data())
    def time_out(self, data: st.DataObject) -> None:
        """Let the time of an asked seat run out."""
        self.take("time_out", data.draw(st.sampled_from(engine.to_act(self.state))))

    @precondition(lambda self: self.state.running and len(self.log) % 7 == 0)
    @rule(data=st.data(), verb=st.sampled_from(("knock_out", "forfeit")))
    def leave(self, data: st.DataObject, verb: str) -> None:
        """Take a live seat out of the round or the match."""
        live = [s for s in range(self.state.seat_count) if self.state.active[s]]
        self.take(verb, engine.Seat(data.draw(st.sampled_from(live))))

    @rule(data=st.data())
    def refused(self, data: st.DataObject) -> None:
        """Oracle 3: an action that is refused changes nothing, by check and by apply."""
        seat = engine.Seat(data.draw(st.integers(0, self.state.seat_count - 1)))
        action = data.draw(st.sampled_from(candidates(self.state)))
        before = engine.state_hash(self.state)
        verdict = refusal_of(engine.check, self.state, seat, action)
        if verdict is not None:
            assert refusal_of(engine.apply, self.state, seat, action) == verdict
        assert engine.state_hash(self.state) == before

    @rule(verb=st.sampled_from(("close_group", "close_window", "start_round")))
    def out_of_place(self, verb: str) -> None:
        """Oracle 3 for the steps no seat takes."""
        before = engine.state_hash(self.state)
        due = {
            "start_round": engine.needs_round(self.state),
            "close_window": self.state.window,
            "close_group": self.state.group is not None and not engine.to_act(self.state),
        }
        if not due[verb]:
            with pytest.raises(engine.RuleViolation):
                getattr(engine, verb)(self.state)
            assert engine.state_hash(self.state) == before

    @invariant()
    def oracles(self) -> None:
        """Assert the other oracles."""
        if hasattr(self, "ledger"):
            self.ledger.compare()

    def teardown(self) -> None:
        """Oracle 7: the accepted steps lead to the same states and events once more."""
        if not hasattr(self, "ledger"):
            return
        for (verb, arguments), events in self.log:
            assert list(getattr(engine, verb)(self.fresh, *arguments)) == events
        assert engine.state_hash(self.fresh) == engine.state_hash(self.state)


TestMatchMachine = MatchMachine.TestCase
