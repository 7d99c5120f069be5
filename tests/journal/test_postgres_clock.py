"""Do pods on one database agree on the time, whatever happens to the database's wall clock?"""

import asyncio
import itertools
from pathlib import Path

import pytest

from lastcard_server.journal.postgres import open_postgres
from lastcard_server.journal.postgres_clock import FollowingClock, Reading, Stamp
from tests.postgres import ask, running_server

SECOND = 1_000_000
HOUR = 3600 * SECOND
WALL = 1_800_000_000 * SECOND


class World:
    """A pod's local clock and the server's wall clock, which may be set."""

    def __init__(self) -> None:
        self.local_us = 5 * SECOND
        self.wall_us = WALL

    def clock(self, *stamps: Stamp) -> FollowingClock:
        """Return the clock of a pod that starts now."""
        return FollowingClock(self.read(), stamps, lambda: self.local_us)

    def read(self, took_us: int = 1000) -> Reading:
        """Read the wall clock, in the middle of a question."""
        return Reading(self.local_us - took_us // 2, self.local_us + took_us // 2, self.wall_us)

    def wait(self, us: int, wall_us: int | None = None) -> None:
        """Let time go by, on the wall clock perhaps another one."""
        self.local_us += us
        self.wall_us += us if wall_us is None else wall_us


def test_a_first_pod_starts_with_the_wall_clock() -> None:
    """Where nobody lives the server's wall clock is the time."""
    world = World()
    clock = world.clock(Stamp(WALL - HOUR, WALL - HOUR))
    assert clock.now_us() == WALL
    world.wait(SECOND)
    assert clock.now_us() == WALL + SECOND


def test_time_goes_on_after_what_was_stamped() -> None:
    """A wall clock that was set back while nobody lived does not take the time back with it."""
    world = World()
    clock = world.clock(Stamp(WALL + HOUR, WALL + HOUR))
    assert clock.now_us() == WALL + HOUR


def test_who_died_under_the_same_wall_clock_does_not_tell_the_time() -> None:
    """A wall clock that was set back shows what it showed then; who lives has stamped since."""
    world = World()
    living = Stamp(WALL + 2 * HOUR, WALL)
    dead = [Stamp(WALL + HOUR, WALL), Stamp(WALL + HOUR, WALL + SECOND)]
    assert world.clock(*dead, living).now_us() == living.time_us


@pytest.mark.parametrize("drift_us", [-900_000, -300, 300, 900_000])
def test_a_small_difference_is_worked_off(drift_us: int) -> None:
    """The clock comes near the server's in small steps, and never runs backwards."""
    world = World()
    clock = world.clock()
    world.wall_us += drift_us
    times = [clock.now_us()]
    for _ in range(120):
        world.wait(SECOND)
        clock.follow(world.read())
        times.append(clock.now_us())
    assert abs(clock.now_us() - world.wall_us) < 1000
    steps = [after - before for before, after in itertools.pairwise(times)]
    assert all(abs(step - SECOND) <= SECOND // 100 for step in steps)
    assert clock.step_us == 0


def test_the_clock_stands_rather_than_runs_backwards() -> None:
    """Between two measurements the clock may stand for a moment, but shows no earlier time."""
    world = World()
    clock = world.clock()
    world.wall_us -= 500_000
    world.wait(SECOND)
    before = clock.now_us()
    clock.follow(world.read())
    assert clock.now_us() == before
    world.wait(SECOND)
    assert clock.now_us() > before


@pytest.mark.parametrize("jump_us", [-HOUR, -SECOND - 1, SECOND + 1, HOUR])
def test_a_jump_moves_nothing(jump_us: int) -> None:
    """A wall clock that is set leaves the time alone, at once and later."""
    world = World()
    clock = world.clock()
    world.wait(SECOND, SECOND + jump_us)
    clock.follow(world.read())
    assert clock.now_us() == WALL + SECOND
    for _ in range(30):
        world.wait(SECOND)
        clock.follow(world.read())
    assert clock.now_us() == WALL + 31 * SECOND
    assert clock.step_us == -jump_us


def test_a_new_pod_takes_over_the_step() -> None:
    """After a jump a new pod has the time of those that live, not the wall clock's."""
    world = World()
    clock = world.clock()
    world.wait(SECOND, SECOND - HOUR)
    clock.follow(world.read())
    stamp = Stamp(clock.now_us(), clock.now_us() - clock.step_us)
    world.wait(SECOND)
    late = world.clock(stamp, Stamp(WALL - 9 * HOUR, WALL - 9 * HOUR))
    assert late.now_us() == clock.now_us() == WALL + 2 * SECOND


def test_a_vague_measurement_is_ignored() -> None:
    """An answer that took long says nothing of the time."""
    world = World()
    clock = world.clock()
    world.wait(SECOND, SECOND + HOUR)
    clock.follow(world.read(took_us=SECOND))
    assert (clock.now_us(), clock.step_us) == (WALL + SECOND, 0)


async def test_pods_agree_on_the_time(tmp_path: Path) -> None:
    """Two pods on one database have the same time, also where it is not the wall clock's."""
    address = await running_server().database(str(tmp_path))
    one = await open_postgres(address, unsafe=True)
    other = None
    try:
        await one.heartbeat("one")
        ahead = "UPDATE lastcard.heartbeats SET time_us = time_us + 3600000000"
        await ask(address, ahead)
        other = await open_postgres(address, unsafe=True)
        assert abs(other.now_us() - one.now_us() - HOUR) < SECOND
        await other.heartbeat("other")
        beats = await other.heartbeats()
        assert abs(beats["other"].time_us - beats["one"].time_us) < SECOND
    finally:
        await asyncio.gather(*(journal.aclose() for journal in (one, other) if journal))
