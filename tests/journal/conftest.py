"""Which stores pass the conformance suite? All of `stores.KINDS`, each test once a store."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from lastcard_server.journal.port import Journal
from tests.journal.stores import KINDS, Kind


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> Kind:
    """Return each kind of store."""
    return KINDS[request.param]


@pytest.fixture
async def journal(kind: Kind, tmp_path: Path) -> AsyncIterator[Journal]:
    """Return a fresh store of each kind."""
    store = await kind.open(tmp_path, None)
    yield store
    await store.aclose()
