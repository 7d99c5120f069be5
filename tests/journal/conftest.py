"""Which stores have to pass the conformance suite? All of them, each test once a store."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from lastcard_server.journal.open_store import open_store
from lastcard_server.journal.port import Journal


@pytest.fixture(params=["memory", "sqlite"])
async def journal(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Journal]:
    """Return a fresh store of each kind."""
    store = await open_store("memory" if request.param == "memory" else f"sqlite:{tmp_path}/j.db")
    yield store
    await store.aclose()
