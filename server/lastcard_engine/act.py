"""
How is one kind of action handled?

The parts that every kind has, whoever may send it: `transition` puts them together.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from lastcard_engine.cards import Seat
from lastcard_engine.events import Event
from lastcard_engine.state import State


class Act(NamedTuple):
    """One kind of action."""

    check: Callable[[State, Seat, Any], None]
    """Only reads, and raises RuleViolation where the action is not allowed."""
    do: Callable[[State, Seat, Any, list[Event]], None]
    """Changes the state and adds to the events; only after `check` has passed."""
    counted: bool = False
    """Whether it is a turn action, which the cap of a round counts (S02)."""
