"""
Which matches were over lately? They are known a while longer, for a store may lose their ends.

A standby that takes over without the last moments of its primary has such a match as it was before
its end, or not at all, and to whoever only reads it there it is a match like any other.
"""

from typing import Final

from lastcard_server.journal.entry import Head
from lastcard_server.matches.slots import Slot

LOOKS: Final = 10
"""For how many looks of the patrol at a store that answers."""


class Finished:
    """Matches that were over lately, as they were when their listeners heard that."""

    def __init__(self) -> None:
        self._slots: dict[str, Slot] = {}
        self._young: list[set[str]] = [set() for _ in range(LOOKS)]
        """Which were over since the last look, since the one before, and so on."""

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._slots)

    def add(self, slot: Slot) -> None:
        """Know a match that is over, and durable, for a while."""
        self._slots[slot.match.match_id] = slot
        self._young[0].add(slot.match.match_id)

    def take(self, match_id: str) -> Slot | None:
        """Forget a match; return it if it was known."""
        return self._slots.pop(match_id, None)

    def heads(self) -> dict[str, Head]:
        """Return what the journal must hold, by log."""
        return {slot.match.log: slot.head for slot in self._slots.values()}

    def age(self) -> None:
        """Forget those that were looked at often enough."""
        self._young.insert(0, set())
        for match_id in self._young.pop():
            self._slots.pop(match_id, None)
