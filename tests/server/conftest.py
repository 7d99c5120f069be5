"""What tests of the edge share: a server with the memory store, quiet logs."""

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.quiet import quiet
from tests.server.edge import Edge, running

os.environ.setdefault("GRPC_VERBOSITY", "ERROR")


@pytest.fixture
async def edge(tmp_path: Path) -> AsyncIterator[Edge]:
    """Run a server for one test."""
    async with running(tmp_path) as found:
        yield found


@pytest.fixture(autouse=True)
def _quiet_logs() -> None:
    """Keep the log of the server out of the test's output."""
    quiet()
