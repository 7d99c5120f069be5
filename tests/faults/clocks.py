"""
What if the machine's wall clock jumps? No deadline moves, and time never runs backwards in a log.

libfaketime shows the server another wall clock, changed while it runs and while it is dead; its
monotonic clock stays true. Without `faketime` (a Debian package) there is no such test.
"""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Final

from tests.faults.fleet import Fleet, judged
from tests.faults.outcome import Outcome, Progress, Scenario
from tests.faults.punished import TIMED
from tests.faults.servers import FAILING, Nursery, Server, folder_of

_LIBRARIES: Final = tuple(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
WALL_CLOCKS: Final = (
    "+3600",
    "-3600",
    "@1970-01-01 00:00:10",
    "@2038-01-19 03:14:00",
    "@2040-06-01 12:00:00",
    "+0",
)
"""In the words of libfaketime: an offset in seconds, or the time from which it goes on."""
INSTANT: Final = "@%Y-%m-%d %H:%M:%S"
"""How such a time is written."""
LEAST: Final = 20
"""Acknowledged answers a jump, at least, or the run is invalid."""
_LOOKS: Final = 20
_LOOK_SECONDS: Final = 0.6  # libfaketime looks for a jump once a second
_RESTARTING: Final = 0.4
"""Which part of the jumps happens while the server is dead."""


def clocks(times: int, seed: int, progress: Progress) -> Outcome:
    """Let the wall clock of a server jump that often."""
    return asyncio.run(_clocks(times, seed, progress))


async def _clocks(times: int, seed: int, progress: Progress) -> Outcome:
    with folder_of("clocks") as folder:
        shown = Shown(folder / "wall-clock")
        with Nursery(FAILING, shown.environment) as nursery:
            server = Server(nursery, folder, before=("--relative-sleep",))
            dice = random.Random(seed)
            await server.started()
            fleet = Fleet([server.address], server.key, server.keys, seed)
            restarts, went_on, jumped = 0, True, 0
            async with fleet.playing(settings=TIMED):
                for number in range(times):
                    progress(number, f"jumps, {fleet.acknowledged:,} acknowledged")
                    went_on &= await fleet.acknowledge(LEAST)
                    restarts += await _jump(server, shown, number, dice)
                    jumped += await shown.seen(partial(_clock, nursery))
                went_on &= await fleet.acknowledge(LEAST)
            server.kill()
        return await judged(
            "the wall clock jumps",
            times,
            fleet,
            server,
            in_time=True,
            least=times * LEAST,
            note=f"{restarts} of them across a restart",
            valid=went_on and jumped == times,
        )


class Shown:
    """The wall clock that a process is shown."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.show("+0")

    @property
    def environment(self) -> dict[str, str]:
        """Return what makes a process see it."""
        return {
            "LD_PRELOAD": str(_LIBRARIES[0]),
            "FAKETIME_TIMESTAMP_FILE": str(self._path),
            "FAKETIME_CACHE_DURATION": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "FAKETIME_FORCE_MONOTONIC_FIX": "0",  # it would spoil waits on conditions
        }

    def show(self, wall_clock: str) -> None:
        """Let the clock jump; nobody ever reads half of it."""
        self._shown, self._since = wall_clock, time.time()
        new = self._path.with_suffix(".new")
        new.write_text(wall_clock)
        new.chmod(0o644)  # whoever is shown it
        new.replace(self._path)

    async def seen(self, clock: Callable[[], Awaitable[int]]) -> bool:
        """Wait until the new clock is seen, which takes a second or two; return whether it is."""
        for _ in range(_LOOKS):
            await asyncio.sleep(_LOOK_SECONDS)
            if self._is_seen(await clock()):
                return True
        return False

    def _is_seen(self, seconds: int) -> bool:
        """Tell whether a clock shows what it should."""
        if self._shown.startswith("@"):
            begin = time.mktime(time.strptime(self._shown, INSTANT))
            return 0 <= seconds - begin <= time.time() - self._since + 60
        return abs(seconds - time.time() - int(self._shown)) < 60


async def _clock(nursery: Nursery) -> int:
    """Return the seconds that the servers' wall clock shows."""
    seconds: int = nursery.ask(clock=0)["clock"]
    return seconds


async def _jump(server: Server, shown: Shown, number: int, dice: random.Random) -> bool:
    """Show another wall clock; return whether the server was dead meanwhile."""
    wall_clock = WALL_CLOCKS[number % len(WALL_CLOCKS)]
    if dice.random() >= _RESTARTING:
        shown.show(wall_clock)
        return False
    server.kill()
    shown.show(wall_clock)
    await server.started()
    return True


def no_faketime() -> str:
    """Return why no other wall clock can be shown here; "" where one can."""
    return "" if _LIBRARIES else "there is no faketime (apt-get install faketime)"


SCENARIOS: Final = (Scenario("clocks", clocks, times=24, few=4, missing=no_faketime),)
