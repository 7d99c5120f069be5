"""What do tests of clients share? A real server in this process."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.clients.service import Service, served
from tests.quiet import quiet


@pytest.fixture
async def service(tmp_path: Path) -> AsyncIterator[Service]:
    """Serve from memory in this process, with a bot's key."""
    quiet()
    async with served(tmp_path) as running:
        yield running
