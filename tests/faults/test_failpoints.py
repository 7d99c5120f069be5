"""Is every named point really reached, and is nothing lost where a server dies there?"""

import asyncio
import inspect
import subprocess
import sys

import pytest

from lastcard_server.journal.postgres import open_postgres
from tests.faults.failing import DIED, owner_of
from tests.faults.failpoints import SCENARIOS
from tests.faults.outcome import Scenario
from tests.faults.points import POINTS, Store, points_of
from tests.faults.servers import ROOT
from tests.faults.short import SECONDS, check_few
from tests.journal.logs import LOG
from tests.postgres import running_server

_STORES: dict[str, Store] = {"failpoints": "sqlite", "failpoints-postgres": "postgres"}


@pytest.mark.timeout(SECONDS)
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_each_point_is_reached_and_loses_nothing(scenario: Scenario) -> None:
    """A server dies once at each; `make faults` lets it die twenty times."""
    assert check_few(scenario).times == len(points_of(_STORES[scenario.name]))


@pytest.mark.parametrize("name", POINTS)
def test_each_point_names_a_function(name: str) -> None:
    """Where the server's code moves, its points move with it."""
    target = POINTS[name].target
    if not target.startswith("sql:"):
        owner, function = owner_of(target)
        assert inspect.isroutine(getattr(owner, function))


def test_there_are_enough_points() -> None:
    """From receive to acknowledge, and all else that is written."""
    assert len(points_of("sqlite")) >= 20
    assert len(points_of("postgres")) >= 8


GROW = """
import asyncio, sys
from lastcard_server.journal.postgres import open_postgres
from tests.faults.failing import die_at
from tests.faults.points import POINTS
from tests.journal.logs import LOG, grow
async def main():
    journal = await open_postgres(sys.argv[1], unsafe=True)
    await grow(journal, LOG, "1", "2")
    die_at(POINTS[sys.argv[2]], 1)
    await grow(journal, LOG, "3")
asyncio.run(main())
"""


@pytest.mark.parametrize(
    ("name", "version"),
    [("before-statement", 2), ("statement-sent", 3), ("statement-answered", 3)],
)
def test_a_database_does_what_was_sent_by_the_dead(name: str, version: int) -> None:
    """What a server asked for before it died is done, and nothing before it asked."""
    address = asyncio.run(running_server().database(f"points {name}"))
    command = [sys.executable, "-c", GROW, address, name]
    assert subprocess.run(command, cwd=ROOT, timeout=60, check=False).returncode == DIED
    assert asyncio.run(_version(address, version)) == version


async def _version(address: str, expected: int) -> int:
    """Return the version that a log has reached; the database may still be at it."""
    journal = await open_postgres(address, unsafe=True)
    async with asyncio.timeout(SECONDS):
        while (await journal.head(LOG)).version < expected:  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0.01)
    version = (await journal.head(LOG)).version
    await journal.aclose()
    return version
