"""Do API keys open what they should, for as long as they should, and does nobody else get in?"""

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lastcard_server.cli import main
from lastcard_server.journal.entry import Entry, Head
from lastcard_server.journal.memory import MemoryJournal
from lastcard_server.journal.open_store import open_store
from lastcard_server.journal.port import Journal, StoreUnavailable
from lastcard_server.key_registry import LOG, KeyRegistry
from lastcard_server.keys import (
    Caller,
    KeyNameError,
    KeyUnknownError,
    LastOrganiserError,
    Role,
    normal_name,
)
from lastcard_server.organiser import ORGANISER_FILE, ensure_organiser
from lastcard_server.secrets import KeyFileError, ServerKeys
from lastcard_server.tokens import API_KEY, format_credential
from tests.postgres import running_server

SERVER = ServerKeys({"k1": hashlib.sha256(b"server").digest()})
MATCH = SERVER.match_id("key:a", "r")
SAFE = "SELECT 'on' AS fsync, 'on' AS full_page_writes"


@pytest.fixture
async def journal() -> AsyncIterator[Journal]:
    """Return an empty store."""
    store = MemoryJournal()
    yield store
    await store.aclose()


@pytest.fixture
async def registry(journal: Journal) -> KeyRegistry:
    """Return an empty registry."""
    return await KeyRegistry.open(journal, SERVER)


async def test_a_key_opens(registry: KeyRegistry) -> None:
    """Who shows the secret of a key is its caller, with its role."""
    for role in Role:
        key, secret = await registry.create(f"my {role}", role)
        assert secret.startswith("lck_")
        assert (key.name, key.role, key.revoked_us) == (f"my {role}", role, None)
        assert len(key.key_id) == 16
        assert key.key_id.isalnum()
        assert registry.authenticate(secret) == Caller(f"key:{key.key_id}", role, key.key_id)


async def test_nobody_else_gets_in(registry: KeyRegistry) -> None:
    """Garbage, unknown secrets and near misses are refused alike."""
    _, secret = await registry.create("bot", Role.BOT)
    unknown = format_credential(API_KEY, bytes(20))
    foreign = ServerKeys({"k1": bytes(range(32))}).seat_token(MATCH, 0, 0)
    wrong = ["", " ", secret[:-1], secret.upper(), secret + " ", f"Bearer {secret}", "é", "\ud800"]
    for text in [unknown, foreign, *wrong, "x" * 100_000]:
        assert registry.authenticate(text) is None


async def test_a_seat_token_opens_one_seat(registry: KeyRegistry, journal: Journal) -> None:
    """A seat token stands for its seat alone; without server keys none is accepted."""
    token = SERVER.seat_token(MATCH, 3, 2)
    caller = registry.authenticate(token)
    assert caller == Caller(f"seat:{MATCH}:3", Role.BOT, None, (MATCH, 3), 2)
    offline = await KeyRegistry.open(journal)
    assert offline.authenticate(token) is None


async def test_at_rest_lies_no_secret(registry: KeyRegistry, journal: Journal) -> None:
    """The log holds the SHA-256 of a secret and nothing of the secret itself."""
    _, secret = await registry.create("bot", Role.BOT)
    (entry,) = await journal.read(LOG)
    assert hashlib.sha256(secret.encode()).hexdigest() in entry.body
    assert secret not in entry.body
    assert secret[4:31] not in entry.body


async def test_a_revoked_key_is_shut_out(registry: KeyRegistry) -> None:
    """Revoking ends a key at once, tells who listens once, and cannot be undone by repeating it."""
    key, secret = await registry.create("bot", Role.BOT)
    other, others_secret = await registry.create("bot", Role.BOT)
    heard: list[str] = []
    silent = registry.on_revoked(lambda _: heard.append("silent"))
    registry.on_revoked(heard.append)
    silent()
    revoked = await registry.revoke(key.key_id)
    assert revoked.revoked_us is not None
    assert revoked.revoked_us >= key.created_us
    assert await registry.revoke(key.key_id) == revoked
    assert heard == [key.owner]
    assert registry.authenticate(secret) is None
    assert registry.authenticate(others_secret) == Caller(other.owner, Role.BOT, other.key_id)
    assert registry.knows(secret)


async def test_an_unknown_key_cannot_be_revoked(registry: KeyRegistry, journal: Journal) -> None:
    """Whoever revokes what does not exist is told so, and nothing is written."""
    for key_id in ("", "a" * 16):
        with pytest.raises(KeyUnknownError, match="no key with this id"):
            await registry.revoke(key_id)
    assert await journal.read(LOG) == []


async def test_keys_are_listed_newest_first(registry: KeyRegistry) -> None:
    """Pages join without gap or overlap, revoked keys among them."""
    made = [(await registry.create(f"k{n}", Role.BOT))[0] for n in range(5)]
    made[2] = await registry.revoke(made[2].key_id)
    newest = made[::-1]
    assert registry.keys() == newest
    assert registry.keys(limit=2) == newest[:2]
    assert registry.keys(after=newest[1].key_id, limit=2) == newest[2:4]
    assert registry.keys(after=newest[-1].key_id) == []
    with pytest.raises(KeyUnknownError):
        registry.keys(after="nobody")


@pytest.mark.parametrize("name", ["a", "x" * 32, "Ann's".replace("'", "_"), "ä b.c-d_9", "漢字"])
def test_names_that_are_allowed(name: str) -> None:
    """Letters and digits of any script, spaces inside and three marks make a name."""
    assert normal_name(name) == name
    assert normal_name("a\u0308") == "ä"


@pytest.mark.parametrize(
    "name",
    [
        "",
        "x" * 33,
        " a",
        "a ",
        "a\n",
        "a\x00",
        "a\u202eb",
        "a/b",
        "😀",
        "\u3164",
        "a\ufe0f",
        "a\u200b",
    ],
)
async def test_names_that_are_not(registry: KeyRegistry, journal: Journal, name: str) -> None:
    """Anything else is refused in one sentence and creates nothing."""
    with pytest.raises(KeyNameError, match=r"1 to 32 letters"):
        await registry.create(name, Role.BOT)
    assert await journal.read(LOG) == []
    assert registry.keys() == []


async def test_a_registry_is_its_log(registry: KeyRegistry, journal: Journal) -> None:
    """A registry opened anew holds the same keys and admits the same secrets."""
    valid, secret = await registry.create("valid", Role.ORGANISER)
    gone, gone_secret = await registry.create("gone", Role.BOT)
    await registry.revoke(gone.key_id)
    again = await KeyRegistry.open(journal, SERVER)
    assert again.keys() == registry.keys()
    assert again.authenticate(secret) == Caller(valid.owner, Role.ORGANISER, valid.key_id)
    assert again.authenticate(gone_secret) is None


async def test_two_registries_on_one_log(registry: KeyRegistry, journal: Journal) -> None:
    """Registries of two processes do not overwrite each other, and hear of revocations."""
    other = await KeyRegistry.open(journal, SERVER)
    made = await asyncio.gather(
        *(each.create(f"k{n}", Role.BOT) for n in range(9) for each in (registry, other))
    )
    heard: list[str] = []
    other.on_revoked(heard.append)
    await registry.refresh()
    first, secret = made[0]
    await registry.revoke(first.key_id)
    made[0] = (registry.key(first.key_id), secret)
    await other.refresh()
    assert heard == [first.owner]
    assert other.authenticate(secret) is None
    assert other.keys() == registry.keys()
    assert sorted(key for key, _ in made) == sorted(registry.keys(limit=None)) != []


async def test_a_store_that_is_gone_creates_nothing(
    registry: KeyRegistry, journal: Journal
) -> None:
    """Where the store cannot write there is no key, and the valid ones go on."""
    _, secret = await registry.create("bot", Role.BOT)
    await journal.aclose()
    with pytest.raises(StoreUnavailable):
        await registry.create("late", Role.BOT)
    assert len(registry.keys()) == 1
    assert registry.authenticate(secret) is not None


async def test_keys_of_a_stopped_server(tmp_path: Path) -> None:
    """A command can make a key in the file of a stopped server, and the server then admits it."""
    journal = await open_store(f"sqlite:{tmp_path}/j.db")
    offline = await KeyRegistry.open(journal)
    key, secret = await offline.create("from the command line", Role.BOT)
    await journal.aclose()
    journal = await open_store(f"sqlite:{tmp_path}/j.db")
    registry = await KeyRegistry.open(journal, SERVER)
    assert registry.authenticate(secret) == Caller(key.owner, Role.BOT, key.key_id)
    await journal.aclose()


async def test_the_first_organiser(registry: KeyRegistry, tmp_path: Path) -> None:
    """A new server writes its organiser's key into a file of its owner, and only once."""
    path = tmp_path / ORGANISER_FILE
    key = await ensure_organiser(registry, path)
    assert key is not None
    assert path.stat().st_mode & 0o777 == 0o600
    caller = registry.authenticate(path.read_text().strip())
    assert caller == Caller(key.owner, Role.ORGANISER, key.key_id)
    assert await ensure_organiser(registry, path) is None
    assert len(registry.keys()) == 1


async def test_an_emptied_store_admits_the_file(tmp_path: Path) -> None:
    """A store in memory that starts anew admits the key that lies in the file."""
    path = tmp_path / ORGANISER_FILE
    await ensure_organiser(await KeyRegistry.open(MemoryJournal(), SERVER), path)
    text = path.read_text()
    registry = await KeyRegistry.open(MemoryJournal(), SERVER)
    assert registry.authenticate(text.strip()) is None
    await ensure_organiser(registry, path)
    assert registry.authenticate(text.strip()) is not None
    assert path.read_text() == text


async def test_the_last_organiser_cannot_be_revoked(registry: KeyRegistry) -> None:
    """It is refused while no other valid key is an organiser's, two at once too."""
    first, secret = await registry.create("first", Role.ORGANISER)
    await registry.create("bot", Role.BOT)
    with pytest.raises(LastOrganiserError, match="create another one"):
        await registry.revoke(first.key_id)
    second, _ = await registry.create("second", Role.ORGANISER)
    both = [registry.revoke(key.key_id) for key in (second, first)]
    outcomes = await asyncio.gather(*both, return_exceptions=True)
    assert isinstance(outcomes[1], LastOrganiserError)
    assert registry.authenticate(secret) is not None
    assert await registry.revoke(second.key_id) == outcomes[0], "a repeat is no refusal"


async def test_the_last_organiser_of_a_store_cannot_be_revoked(tmp_path: Path) -> None:
    """The command on a stopped server's store refuses it in one sentence."""
    store = f"sqlite:{tmp_path / 'j.sqlite'}"
    journal = await open_store(store)
    key, _ = await (await KeyRegistry.open(journal)).create("first", Role.ORGANISER)
    await journal.aclose()
    arguments = ["keys", "--store", store, "revoke", key.key_id]
    result = await asyncio.to_thread(CliRunner().invoke, main, arguments)
    assert result.exit_code == 1
    assert "last valid organiser's key" in result.output


@pytest.mark.parametrize("is_safe", [True, False])
async def test_keys_in_a_database_that_may_lose_them_come_with_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_safe: bool
) -> None:
    """Whoever creates or revokes a key there reads that it may not last; a safe one is silent."""
    store = await running_server().database(str(tmp_path))
    if is_safe:
        monkeypatch.setattr("lastcard_server.journal.postgres_server.SAFETY", SAFE)

    async def keys(*arguments: str) -> Result:
        command = ["keys", "--store", store, *arguments]
        return await asyncio.to_thread(CliRunner().invoke, main, command)

    created = await keys("create", "anna", "--json")
    revoked = await keys("revoke", json.loads(created.stdout)["key_id"])
    for done in (created, revoked):
        assert done.exit_code == 0
        assert done.stderr.count("a crash of it may lose keys that were created") == (not is_safe)
        assert done.stderr.count("\n") == (not is_safe)


async def test_a_revoked_organiser_stays_out(registry: KeyRegistry, tmp_path: Path) -> None:
    """A start does not bring back what was revoked, nor replace it."""
    path = tmp_path / ORGANISER_FILE
    key = await ensure_organiser(registry, path)
    assert key is not None
    await registry.create("other", Role.ORGANISER)
    await registry.revoke(key.key_id)
    assert await ensure_organiser(registry, path) is None
    assert registry.authenticate(path.read_text().strip()) is None


@pytest.mark.parametrize("text", ["", "lck_", SERVER.seat_token(MATCH, 0, 0), "bot"])
async def test_a_wrong_organiser_file(registry: KeyRegistry, tmp_path: Path, text: str) -> None:
    """A file that holds no organiser's key stops the start; nothing is admitted or overwritten."""
    path = tmp_path / ORGANISER_FILE
    if text == "bot":
        _, text = await registry.create("bot", Role.BOT)
    path.write_text(text)
    path.chmod(0o600)
    before = registry.keys()
    with pytest.raises(KeyFileError, match="holds no organiser's key: delete it"):
        await ensure_organiser(registry, path)
    assert registry.keys() == before
    assert path.read_text() == text


async def test_a_late_look_brings_no_revoked_key_back(
    journal: Journal, registry: KeyRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two looks at once the one that has read less changes nothing when it comes last."""
    elsewhere = await KeyRegistry.open(journal, SERVER)
    key, secret = await elsewhere.create("bot", Role.BOT)
    entries, read_on = await journal.read(LOG), asyncio.Event()
    since = journal.since

    async def slow(_heads: Mapping[str, Head]) -> dict[str, list[Entry] | None]:
        await read_on.wait()
        return {LOG: list(entries)}

    monkeypatch.setattr(journal, "since", slow)
    late = asyncio.create_task(registry.refresh())
    await asyncio.sleep(0)
    monkeypatch.setattr(journal, "since", since)
    await elsewhere.create("other", Role.ORGANISER)
    await elsewhere.revoke(key.key_id)
    await registry.refresh()
    read_on.set()
    await late
    assert registry.authenticate(secret) is None
    assert registry.is_revoked(key.owner)
