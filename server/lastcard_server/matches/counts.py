"""
What do the servers on one journal do to each other, and how much is in memory?

Plain numbers, read by the metrics.
"""

from typing import NamedTuple


class Sizes(NamedTuple):
    """How much is in memory now, besides the matches that are played."""

    listeners: int
    """To seats and to matches, the house's included."""
    deadlines: int
    remembered: int
    """Matches as they were: over lately, dropped and not read again yet, or damaged."""


class Counts:
    """What has happened so far on this server."""

    __slots__ = (
        "append_conflicts",
        "catch_ups",
        "histories_lost",
        "matches_quarantined",
        "matches_reread",
    )

    def __init__(self) -> None:
        self.append_conflicts = 0
        """Appends that were refused because another server was first."""
        self.catch_ups = 0
        """Matches in memory that were brought up to what others had appended."""
        self.matches_reread = 0
        """Matches that were dropped and read again."""
        self.histories_lost = 0
        """Matches of which the store held less, or something else, than it had before."""
        self.matches_quarantined = 0
        """Matches that this server could not follow."""
