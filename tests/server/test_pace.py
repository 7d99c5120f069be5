"""How long a turn takes this machine: measured under load, within bounds, never while idle."""

import pytest

from lastcard_server.pace import QUICK_SECONDS, Pace


class Times:
    """A processor and a clock that are moved by hand."""

    def __init__(self) -> None:
        self.processor = self.clock = 0.0

    def pace(self) -> Pace:
        """Return a pace that reads them."""
        return Pace(lambda: self.processor, lambda: self.clock)

    def pass_by(self, processor: float, clock: float) -> None:
        """Let time pass."""
        self.processor += processor
        self.clock += clock


@pytest.mark.parametrize(
    ("spent", "seconds"),
    [(0.01, 100e-6), (0.001, QUICK_SECONDS), (5.0, 250e-6)],
    ids=["measured", "quicker than quick", "slower than slow"],
)
def test_a_turn_takes_what_a_hundred_take_together(spent: float, seconds: float) -> None:
    """The mean over a hundred turns counts, within 50 and 250 µs."""
    times = Times()
    pace = times.pace()
    assert pace.turn_seconds == QUICK_SECONDS
    pace.delivered(40)
    times.pass_by(spent, 1.0)
    pace.delivered(60)
    assert pace.turn_seconds == pytest.approx(seconds)


def test_turns_that_come_slowly_tell_nothing() -> None:
    """An idle server's own time is not the turns'; the next busy moment counts again."""
    times = Times()
    pace = times.pace()
    times.pass_by(1.0, 60.0)
    pace.delivered(100)
    assert pace.turn_seconds == QUICK_SECONDS
    times.pass_by(0.012, 0.1)
    pace.delivered(100)
    assert pace.turn_seconds == pytest.approx(120e-6)
