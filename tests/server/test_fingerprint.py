"""Is a store served only with the keys that it was written with?"""

import asyncio
import hashlib
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from lastcard_server.config import Config
from lastcard_server.fingerprint import LOG, ensure_same_keys
from lastcard_server.journal.port import Journal
from lastcard_server.journal.sqlite import open_sqlite
from lastcard_server.secrets import SERVER_KEYS, KeyFileError, ServerKeys, load_server_keys
from lastcard_server.serving import Exit, serve
from tests.journal.stores import KINDS
from tests.postgres import running_server
from tests.server.edge import running

OLD = Path(__file__).parents[1] / "golden/sqlite/1"


def keys(*names: str) -> ServerKeys:
    """Return server keys, each made from its name."""
    return ServerKeys({name: hashlib.sha256(name.encode()).digest() for name in names})


def key_file(path: Path, *names: str) -> Path:
    """Write a file of such keys."""
    lines = (f"{name} {hashlib.sha256(name.encode()).hexdigest()}\n" for name in names)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(lines))
    path.chmod(0o600)
    return path


@pytest.fixture(params=KINDS)
async def journal(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Journal]:
    """Return a fresh store of each kind."""
    store = await KINDS[request.param].open(tmp_path, None)
    yield store
    await store.aclose()


async def test_the_same_keys_are_noted_once(journal: Journal) -> None:
    """As often as servers start with them, and whichever was first."""
    await asyncio.gather(*(ensure_same_keys(journal, keys("a")) for _ in range(5)))
    assert len(await journal.read(LOG)) == 1


async def test_other_keys_are_refused_and_change_nothing(journal: Journal) -> None:
    """Keys that lie behind others under the same name are others too."""
    await ensure_same_keys(journal, keys("a"))
    for other in (keys("b"), keys("b", "a"), ServerKeys({"a": hashlib.sha256(b"b").digest()})):
        with pytest.raises(KeyFileError, match="not those that this store was written with"):
            await ensure_same_keys(journal, other)
    assert len(await journal.read(LOG)) == 1


async def test_of_servers_that_start_at_once_with_unlike_keys_one_serves(journal: Journal) -> None:
    """Whoever writes first has decided."""
    starts = (ensure_same_keys(journal, keys(name)) for name in "ab")
    done = await asyncio.gather(*starts, return_exceptions=True)
    assert sorted(type(end).__name__ for end in done) == ["KeyFileError", "NoneType"]


async def test_keys_are_added_and_go_but_for_the_first_and_the_newest(journal: Journal) -> None:
    """Whoever lacks the newest could not open new deals, whoever lacks the first no history."""
    for held in (keys("a"), keys("a", "b"), keys("a", "b", "c"), keys("a", "c")):
        await ensure_same_keys(journal, held)
    for lacking in (keys("a"), keys("a", "b"), keys("c"), keys("b", "c")):
        with pytest.raises(KeyFileError):
            await ensure_same_keys(journal, lacking)
    await ensure_same_keys(journal, keys("a", "c"))


async def test_no_key_can_be_read_from_the_store(journal: Journal) -> None:
    """Neither as it is nor as its plain digest."""
    await ensure_same_keys(journal, keys("a", "b"))
    text = "".join(entry.body for entry in await journal.read(LOG))
    for key in (hashlib.sha256(name).digest() for name in (b"a", b"b")):
        for shown in (key.hex(), hashlib.sha256(key).hexdigest()):
            assert not any(shown[at : at + 16] in text for at in range(0, 64, 16))


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """Return a folder with a store and the keys that a server of 0.1.0 has left."""
    folder = Path(shutil.copytree(OLD, tmp_path / "var"))
    (folder / SERVER_KEYS).chmod(0o600)
    return folder


async def test_a_store_of_0_1_0_takes_the_keys_of_its_matches_alone(old: Path) -> None:
    """Others are refused and not noted, so that the right ones find it as it was."""
    journal = await open_sqlite(old / "journal.sqlite")
    with pytest.raises(KeyFileError, match="not those that this store was written with"):
        await ensure_same_keys(journal, keys("k1"))
    assert not await journal.read(LOG)
    await ensure_same_keys(journal, load_server_keys(old))
    assert len(await journal.read(LOG)) == 1
    await journal.aclose()


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
async def test_a_server_with_other_keys_ends_with_four_and_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    """On a database beside one that serves, on a file after it."""
    store = f"sqlite:{tmp_path / 'journal.db'}"
    if kind == "postgres":
        store = await running_server().database(str(tmp_path))
    mine, others = (key_file(tmp_path / name / SERVER_KEYS, name) for name in ("mine", "others"))
    config = {"store": store, "unsafe_store": True}
    async with running(tmp_path, server_keys=mine, **config):
        if kind == "postgres":
            assert await serve(_with(tmp_path, store, others)) is Exit.STORE
    assert await serve(_with(tmp_path, store, others)) is Exit.STORE
    said = capsys.readouterr().err.splitlines()
    assert said
    for line in said:
        assert line.startswith("lastcard serve: the server keys are not those that this store")
        assert not any(file.read_text().split()[1] in line for file in (mine, others))


def _with(folder: Path, store: str, server_keys: Path) -> Config:
    return Config(port=0, state_dir=folder, store=store, server_keys=server_keys, unsafe_store=True)
