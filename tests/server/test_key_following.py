"""Is everybody shut out who should be, whatever a store that servers share loses or holds?"""

import asyncio
import logging
from pathlib import Path
from typing import Any

import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from lastcard_server.config import Config
from lastcard_server.contests.contests import Contests
from lastcard_server.journal.entry import chained
from lastcard_server.journal.port import Append, Index, StoreCorrupt, StoreUnavailable
from lastcard_server.key_following import KeyFollower
from lastcard_server.key_registry import LOG, KeyRegistry
from lastcard_server.keys import Key, KeyUnknownError, LastOrganiserError, Role
from lastcard_server.matches.following import Follower
from lastcard_server.serving import Exit, serve
from lastcard_server.tasks import Tasks
from tests.matches.pods import Database, PodJournal, until
from tests.matches.table import KEYS
from tests.postgres import running_server
from tests.server.edge import running

INDEX = Index(None, (), live=True, label="")
HEALTH = health_pb2.HealthCheckResponse


class Site:
    """The keys of one server."""

    def __init__(self, journal: PodJournal, keys: KeyRegistry) -> None:
        self.journal = journal
        self.keys = keys
        self.ended: list[str] = []
        keys.on_revoked(self.ended.append)
        self.follower = KeyFollower(journal, keys)


@pytest.fixture
def database() -> Database:
    """Return what servers share."""
    return Database()


async def site(database: Database) -> Site:
    """Start a server's registry."""
    journal = PodJournal(database)
    return Site(journal, await KeyRegistry.open(journal, KEYS))


async def site_with_bot(database: Database) -> tuple[Site, Key, str]:
    """Start a server that makes an organiser and a bot; return it with the bot's key and secret."""
    one = await site(database)
    await one.keys.create("organiser", Role.ORGANISER)
    return one, *await one.keys.create("bot", Role.BOT)


async def add(database: Database, kind: str, body: str) -> None:
    """Append an entry to the log as some other release would."""
    head = await database.core.head(LOG)
    entry = chained(head, kind, database.core.now_us(), body=body)
    assert await database.core.append([Append(LOG, head, (entry,), INDEX)]) == [None]


async def _away(_appends: object) -> Any:
    raise StoreUnavailable("away")


async def test_keys_that_the_store_has_lost_are_gone(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    """Their streams end, nobody is admitted by them, and the log says at ERROR what is gone."""
    one = await site(database)
    kept, kept_secret = await one.keys.create("kept", Role.ORGANISER)
    gone, gone_secret = await one.keys.create("gone", Role.BOT)
    database.roll_back(LOG, 1)
    await one.follower.look()
    assert one.keys.keys() == [kept]
    assert one.keys.authenticate(kept_secret) is not None
    assert one.keys.authenticate(gone_secret) is None
    assert one.ended == [gone.owner]
    assert one.follower.follows
    (line,) = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert f"{gone.key_id} (gone)" in line.getMessage()
    assert kept.key_id not in line.getMessage()


async def test_a_log_of_keys_that_is_gone_altogether_leaves_none(database: Database) -> None:
    """So does one that was put back to before the first key."""
    one = await site(database)
    key, secret = await one.keys.create("gone", Role.ORGANISER)
    database.roll_back(LOG, 0)
    await one.follower.look()
    assert one.keys.keys() == []
    assert one.keys.authenticate(secret) is None
    assert one.ended == [key.owner]


async def test_a_log_of_keys_that_has_forked_is_read_anew(database: Database) -> None:
    """Another entry stands where one was lost: what came after it counts."""
    one = await site(database)
    _, kept_secret = await one.keys.create("kept", Role.ORGANISER)
    _, gone_secret = await one.keys.create("gone", Role.BOT)
    database.roll_back(LOG, 1)
    two = await site(database)
    _, new_secret = await two.keys.create("new", Role.BOT)
    _, newest_secret = await two.keys.create("newest", Role.BOT)
    await one.follower.look()
    assert one.keys.keys() == two.keys.keys()
    assert one.keys.authenticate(gone_secret) is None
    for secret in (kept_secret, new_secret, newest_secret):
        assert one.keys.authenticate(secret) is not None


async def test_a_revocation_that_the_store_has_lost_is_written_again(database: Database) -> None:
    """Whoever was shut out stays out at this server all the while, and at all others soon."""
    one, key, secret = await site_with_bot(database)
    await one.keys.revoke(key.key_id)
    database.roll_back(LOG, 2)
    two = await site(database)
    assert two.keys.authenticate(secret) is not None
    one.journal.cut = True
    await one.follower.look()
    one.journal.cut = False
    one.journal.uncertain = True
    await one.follower.look()
    assert one.keys.authenticate(secret) is None
    await one.follower.look()
    assert one.keys.authenticate(secret) is None
    assert one.follower.follows
    await two.follower.look()
    assert two.keys.authenticate(secret) is None
    assert two.ended == [key.owner]
    assert (await site(database)).keys.is_revoked(key.owner)


async def test_a_lost_revocation_is_written_once_whoever_knows_it(database: Database) -> None:
    """Servers that write it at once find each other's."""
    one, key, _ = await site_with_bot(database)
    await one.keys.revoke(key.key_id)
    sites = [one, await site(database), await site(database)]
    database.roll_back(LOG, 2)
    await asyncio.gather(*(each.follower.look() for each in sites))
    assert all(each.follower.follows for each in sites)
    assert [entry.kind for entry in await database.core.read(LOG)] == [*["created"] * 2, "revoked"]


async def test_a_revocation_is_not_written_again_once_its_key_is_lost_too(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store is put back a second time before it could be: nobody could read such an entry."""
    one, key, _ = await site_with_bot(database)
    await one.keys.revoke(key.key_id)
    told: list[bool] = []
    one.follower.on_change(told.append)
    database.roll_back(LOG, 2)
    with monkeypatch.context() as patch:
        patch.setattr(one.journal, "append", _away)
        await one.follower.look()
    database.roll_back(LOG, 1)
    await one.follower.look()
    assert told == [False, True]
    assert len(await database.core.read(LOG)) == 1
    await site(database)


async def test_a_key_that_is_lost_as_it_is_revoked_is_not_known(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store is put back between the look at it and the entry, which nobody could read."""
    one, key, _ = await site_with_bot(database)
    append = one.journal.append

    async def late(appends: Any) -> Any:
        monkeypatch.undo()
        database.roll_back(LOG, 1)
        return await append(appends)

    monkeypatch.setattr(one.journal, "append", late)
    with pytest.raises(KeyUnknownError):
        await one.keys.revoke(key.key_id)
    await one.follower.look()
    assert one.follower.follows
    await site(database)


async def test_two_servers_leave_an_organiser(database: Database) -> None:
    """Each revokes another one of the last two at once: the second is refused."""
    one, two = await site(database), await site(database)
    made = [(await one.keys.create(name, Role.ORGANISER))[0] for name in ("ann", "bob")]
    pairs = zip((one, two), made, strict=True)
    ends = [each.keys.revoke(key.key_id) for each, key in pairs]
    outcomes = await asyncio.gather(*ends, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes].count(LastOrganiserError) == 1
    listed = (await site(database)).keys.keys()
    assert [key.revoked_us for key in listed].count(None) == 1


@pytest.mark.parametrize("kept", [0, 1])
async def test_keys_are_made_on_a_log_that_was_put_back(database: Database, kept: int) -> None:
    """Nobody waits for ever for a head that the store has lost."""
    one = await site(database)
    for name in ("kept", "gone"):
        await one.keys.create(name, Role.ORGANISER)
    database.roll_back(LOG, kept)
    async with asyncio.timeout(3):
        key, _ = await one.keys.create("new", Role.BOT)
    listed = one.keys.keys()
    assert [each.name for each in listed] == ["new", "kept"][: kept + 1]
    assert (await site(database)).keys.key(key.key_id) == key


UNREADABLE = [
    ("renamed", "{}"),
    ("created", "{}"),
    ("created", "nonsense"),
    ("created", "[]"),
    ("created", '{"digest":1,"id":"a","name":"a","role":"bot"}'),
    ("created", '{"digest":"","id":"a","name":"a","role":"king"}'),
    ("revoked", '{"id":"nobody"}'),
]


@pytest.mark.parametrize(("kind", "body"), UNREADABLE)
async def test_an_entry_that_cannot_be_read_is_no_end_of_revocations(
    database: Database, caplog: pytest.LogCaptureFixture, kind: str, body: str
) -> None:
    """It is said once, the server is not ready from then on, and what can be read is followed."""
    one, two = await site(database), await site(database)
    key, secret = await two.keys.create("bot", Role.BOT)
    await one.follower.look()
    assert one.keys.authenticate(secret) is not None
    await two.keys.revoke(key.key_id)
    revoked = (await database.core.read(LOG))[-1]
    database.roll_back(LOG, 1)
    await add(database, kind, body)
    await add(database, revoked.kind, revoked.body)
    for _ in range(3):
        await one.follower.look()
        assert not one.follower.follows
    assert one.keys.authenticate(secret) is None
    assert one.ended == [key.owner]
    (line,) = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert "entry 2 of the log keys cannot be read by this release" in line.getMessage()
    with pytest.raises(StoreCorrupt, match="entry 2 of the log keys cannot be read"):
        await site(database)


async def test_keys_are_followed_again_after_any_failure(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The task outlives what it meets, and tells when it follows no more and when it does again."""
    one, two = await site(database), await site(database)
    told: list[bool] = []
    one.follower.on_change(told.append)
    failures: list[Exception] = [StoreUnavailable("away"), StoreCorrupt("torn"), ValueError("odd")]
    since = one.journal.since

    async def failing(heads: Any) -> Any:
        if failures:
            raise failures.pop()
        return await since(heads)

    monkeypatch.setattr(one.journal, "since", failing)
    monkeypatch.setattr("lastcard_server.key_following.LOOK_SECONDS", 0.01)
    tasks = Tasks()
    tasks.begin(one.follower.run(), vital=True)
    await until(lambda: told == [False, True], 3)
    key, _ = await two.keys.create("bot", Role.BOT)
    await two.keys.revoke(key.key_id)
    await until(lambda: one.ended == [key.owner], 3)
    assert not tasks.broken.is_set()
    await tasks.aclose()


async def test_a_server_that_cannot_follow_keys_is_not_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until it can; it stays alive meanwhile."""
    async with running(tmp_path) as edge:
        stub: Any = health_pb2_grpc.HealthStub(edge.channel)

        async def status(service: str = "") -> Any:
            return (await stub.Check(health_pb2.HealthCheckRequest(service=service))).status

        async def torn(_self: KeyRegistry) -> None:
            raise StoreCorrupt("torn")

        follower = edge.server._core.key_follower
        with monkeypatch.context() as patch:
            patch.setattr(KeyRegistry, "refresh", torn)
            await follower.look()
        assert await status() == HEALTH.NOT_SERVING
        assert await status("liveness") == HEALTH.SERVING
        await follower.look()
        assert await status() == HEALTH.SERVING


async def _die(_self: object) -> None:
    raise RuntimeError("died")


@pytest.fixture
async def store(tmp_path: Path) -> str:
    """Return the address of a store that servers share."""
    return await running_server().database(str(tmp_path))


@pytest.mark.parametrize(
    ("part", "task"), [(KeyFollower, "run"), (Contests, "_tend"), (Follower, "run")]
)
async def test_a_server_ends_that_cannot_follow_others_any_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, store: str, part: type, task: str
) -> None:
    """Whichever of its tasks has died: the program ends with the code of a fault."""
    monkeypatch.setattr(part, task, _die)
    config = Config(port=0, store=store, state_dir=tmp_path, unsafe_store=True)
    async with asyncio.timeout(10):
        assert await serve(config) is Exit.FAULT


async def test_a_task_that_fails_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """Though nobody waits for it, and nothing ends but for one that nothing goes on without."""
    tasks = Tasks()
    tasks.begin(_die(None))
    await asyncio.sleep(0.01)
    (line,) = caplog.records
    assert line.exc_info
    assert not tasks.broken.is_set()
    tasks.begin(asyncio.sleep(0), vital=True)
    await asyncio.sleep(0.01)
    assert tasks.broken.is_set()
    await tasks.aclose()
