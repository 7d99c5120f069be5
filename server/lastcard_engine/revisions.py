"""
Which revisions of the engine does this release run?

A match is played to its end by the revision it was created under. A release that changes what a
journal replays to raises the newest, and may go on running older ones beside it.
"""

from typing import Final, NamedTuple

from lastcard_engine.hashing import REVISION


class Revisions(NamedTuple):
    """The revisions that can be run, `oldest` and `newest` included."""

    oldest: int
    newest: int
    new: int
    """What new matches take, one of them."""

    def runs(self, revision: int) -> bool:
        """Tell whether matches of this revision can be gone on with."""
        return self.oldest <= revision <= self.newest

    def __str__(self) -> str:
        """Write the range for people: `2`, or `1 to 3`."""
        one = self.oldest == self.newest
        return f"{self.oldest}" if one else f"{self.oldest} to {self.newest}"


RUNS: Final = Revisions(1, REVISION, REVISION)
"""Those of this release."""
