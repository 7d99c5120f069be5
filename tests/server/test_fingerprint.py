"""Is a store served only with the keys that it was written with?"""

import asyncio
import hashlib
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from lastcard_server.config import Config
from lastcard_server.fingerprint import (
    LOG,
    OtherKeysError,
    ensure_same_keys,
    keys_for,
    refuse_unmigrated,
)
from lastcard_server.journal.entry import Entry
from lastcard_server.journal.memory import MemoryJournal
from lastcard_server.journal.port import Journal
from lastcard_server.journal.sqlite import open_sqlite
from lastcard_server.journal.sqlite_schema import SCHEMA
from lastcard_server.secrets import (
    SERVER_KEYS,
    KeyFileError,
    ServerKeys,
    read_server_keys,
)
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
        with pytest.raises(OtherKeysError):
            await ensure_same_keys(journal, other)
    assert len(await journal.read(LOG)) == 1


async def test_of_servers_that_start_at_once_with_unlike_keys_one_serves(journal: Journal) -> None:
    """Whoever writes first has decided."""
    starts = (ensure_same_keys(journal, keys(name)) for name in "ab")
    done = await asyncio.gather(*starts, return_exceptions=True)
    assert sorted(type(end).__name__ for end in done) == ["NoneType", "OtherKeysError"]


async def test_keys_are_added_and_go_but_for_the_first_and_the_newest(journal: Journal) -> None:
    """Whoever lacks the newest could not open new deals, whoever lacks the first no history."""
    for held in (keys("a"), keys("a", "b"), keys("a", "b", "c"), keys("a", "c")):
        await ensure_same_keys(journal, held)
    for lacking in (keys("a"), keys("a", "b"), keys("c"), keys("b", "c")):
        with pytest.raises(OtherKeysError):
            await ensure_same_keys(journal, lacking)
    await ensure_same_keys(journal, keys("a", "c"))


async def test_no_key_can_be_read_from_the_store(journal: Journal) -> None:
    """Neither as it is nor as its plain digest."""
    await ensure_same_keys(journal, keys("a", "b"))
    text = "".join(entry.body for entry in await journal.read(LOG))
    for key in (hashlib.sha256(name).digest() for name in (b"a", b"b")):
        for shown in (key.hex(), hashlib.sha256(key).hexdigest()):
            assert not any(shown[at : at + 16] in text for at in range(0, 64, 16))


async def test_new_keys_are_made_for_a_store_that_has_none(
    journal: Journal, tmp_path: Path
) -> None:
    """Once; by a server that finds the store in use and its own file missing none are made."""
    file, other = tmp_path / "a" / SERVER_KEYS, tmp_path / "b" / SERVER_KEYS
    made = await keys_for(journal, file)
    again = await keys_for(journal, file)
    assert made.fingerprints() == again.fingerprints()
    with pytest.raises(KeyFileError, match=rf"has its server keys, and {other} is missing: put "):
        await keys_for(journal, other)
    assert not other.parent.exists()
    key_file(other, "b")
    with pytest.raises(KeyFileError, match=rf"in {other} are not those .*: name the server\.keys"):
        await keys_for(journal, other)


class Meanwhile(MemoryJournal):
    """A store on which another server starts just before the n-th reading."""

    def __init__(self, number: int, start: Callable[[Journal], Awaitable[object]]) -> None:
        super().__init__()
        self._left, self._start = number, start

    async def read(self, log: str, after: int = 0) -> list[Entry]:
        """Read, once the other one has started."""
        self._left -= 1
        if not self._left:
            await self._start(self)
        return await super().read(log, after)


async def test_a_server_that_is_overtaken_says_so(tmp_path: Path) -> None:
    """The keys that it has made in good faith stay, as somebody may use them, and are named."""
    file, other = tmp_path / "a" / SERVER_KEYS, tmp_path / "b" / SERVER_KEYS
    store = Meanwhile(2, lambda journal: keys_for(journal, other))
    with pytest.raises(KeyFileError, match=rf"while this one made {file}: put .* of that server"):
        await keys_for(store, file)
    assert file.exists()
    assert len(await store.read(LOG)) == 1


@pytest.mark.parametrize("number", [1, 2, 3])
async def test_servers_of_one_folder_make_one_key(tmp_path: Path, number: int) -> None:
    """Whoever finds the store keyed finds the file as well, however close they start."""
    file = tmp_path / SERVER_KEYS
    store = Meanwhile(number, lambda journal: keys_for(journal, file))
    assert await keys_for(store, file)
    assert len(await store.read(LOG)) == 1


async def test_of_servers_that_make_keys_at_once_one_serves(
    journal: Journal, tmp_path: Path
) -> None:
    """The other is refused, as often as it tries."""
    apart = [tmp_path / name / SERVER_KEYS for name in "ab"]
    done = await asyncio.gather(*(keys_for(journal, f) for f in apart), return_exceptions=True)
    (refused,) = (end for end in done if not isinstance(end, ServerKeys))
    assert isinstance(refused, KeyFileError)
    with pytest.raises(KeyFileError, match="the server that made"):
        await keys_for(journal, apart[done.index(refused)])


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """Return a folder with a store and the keys that a server of 0.1.0 has left."""
    folder = Path(shutil.copytree(OLD, tmp_path / "var"))
    (folder / SERVER_KEYS).chmod(0o600)
    return folder


async def test_a_store_of_0_1_0_takes_the_keys_of_its_matches_alone(old: Path) -> None:
    """Others are refused and not noted, so that the right ones find it as it was."""
    journal = await open_sqlite(old / "journal.sqlite")
    with pytest.raises(OtherKeysError):
        await ensure_same_keys(journal, keys("k1"))
    (old / SERVER_KEYS).rename(old / "away")
    with pytest.raises(KeyFileError, match="is missing"):
        await keys_for(journal, old / SERVER_KEYS)
    assert not (old / SERVER_KEYS).exists()
    assert not await journal.read(LOG)
    await keys_for(journal, old / "away")
    assert len(await journal.read(LOG)) == 1
    await journal.aclose()


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
async def test_a_server_with_other_keys_ends_with_four_and_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    """On a database beside one that serves, on a file after it."""
    store = await _store(kind, tmp_path)
    mine, others = (key_file(tmp_path / name / SERVER_KEYS, name) for name in ("mine", "others"))
    config = {"store": store, "unsafe_store": True}
    async with running(tmp_path, server_keys=mine, **config):
        if kind == "postgres":
            assert await serve(_with(tmp_path, store, others)) is Exit.STORE
    assert await serve(_with(tmp_path, store, others)) is Exit.STORE
    said = capsys.readouterr().err.splitlines()
    assert said
    for line in said:
        assert line.startswith(f"lastcard serve: the server keys in {others} are not those that ")
        assert line.endswith("with --server-keys")
        assert not any(file.read_text().split()[1] in line for file in (mine, others))


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
async def test_a_start_that_is_refused_makes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    """On the store of others a server without keys makes none, no organiser's, and no folder."""
    store = await _store(kind, tmp_path)
    async with running(tmp_path / "mine", store=store, unsafe_store=True):
        pass
    elsewhere = tmp_path / "elsewhere"
    config = Config(port=0, state_dir=elsewhere, store=store, unsafe_store=True)
    assert await serve(config) is Exit.STORE
    assert f"{elsewhere / SERVER_KEYS} is missing" in capsys.readouterr().err
    assert not elsewhere.exists()


@pytest.mark.parametrize("schema", range(1, SCHEMA))
async def test_an_old_file_is_not_migrated_for_other_keys(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], schema: int
) -> None:
    """The release that wrote it can go on with it; nothing is made beside it."""
    folder = Path(shutil.copytree(OLD.parent / str(schema), tmp_path / "var"))
    (folder / SERVER_KEYS).chmod(0o600)
    file, others = folder / "journal.sqlite", key_file(tmp_path / "others.keys", "k1")
    before = _files(folder)
    for config in (
        _with(folder, f"sqlite:{file}", others),
        Config(port=0, state_dir=tmp_path / "elsewhere", store=f"sqlite:{file}"),
    ):
        assert await serve(config) is Exit.STORE
    strange, missing = capsys.readouterr().err.splitlines()
    assert f"in {others} are not those" in strange
    assert f"{tmp_path / 'elsewhere' / SERVER_KEYS} is missing" in missing
    await refuse_unmigrated(f"sqlite:{file}", read_server_keys(folder / SERVER_KEYS), others)
    assert _files(folder) == before


def _files(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def _with(folder: Path, store: str, server_keys: Path) -> Config:
    return Config(port=0, state_dir=folder, store=store, server_keys=server_keys, unsafe_store=True)


async def _store(kind: str, folder: Path) -> str:
    """Return the address of a new store."""
    if kind == "postgres":
        return await running_server().database(str(folder))
    return f"sqlite:{folder / 'journal.db'}"
