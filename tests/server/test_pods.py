"""Do servers on one journal know each other's keys, and count what a key has over all of them?"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from lastcard_server.access import admitted
from lastcard_server.errors import Reason, Refusal
from lastcard_server.key_following import KeyFollower
from lastcard_server.key_registry import KeyRegistry
from lastcard_server.keys import Role
from lastcard_server.quota import LiveMatches
from lastcard_server.tasks import Tasks
from lastcard_server.tokens import API_KEY, format_credential
from tests.matches.pods import Database, PodJournal, pods, until
from tests.matches.table import KEYS, setup_of


@asynccontextmanager
async def registries(database: Database) -> AsyncIterator[tuple[KeyRegistry, KeyRegistry]]:
    """Run the key registries of two servers."""
    journals = [PodJournal(database) for _ in range(2)]
    found = [await KeyRegistry.open(journal, KEYS) for journal in journals]
    tasks = Tasks()
    for journal, registry in zip(journals, found, strict=True):
        follower = KeyFollower(journal, registry)
        tasks.begin(follower.run(), vital=True)
        tasks.begin(follower.listen())
    try:
        yield found[0], found[1]
        assert not tasks.broken.is_set()
    finally:
        await tasks.aclose()


async def test_a_key_made_at_one_server_is_admitted_by_another_at_once() -> None:
    """Hints or not: what is not known is looked for before it is refused."""
    database = Database()
    database.deaf = True
    async with registries(database) as (one, two), pods(database, "a") as (pod,):
        key, secret = await one.create("Ada", Role.BOT)
        assert two.authenticate(secret) is None
        caller = await admitted(pod.matches, two, secret)
        assert caller is not None
        assert caller.owner == key.owner


@pytest.mark.parametrize("deaf", [False, True])
async def test_a_revoked_key_is_shut_out_everywhere_within_seconds(deaf: bool) -> None:  # noqa: FBT001
    """Listeners at every server hear of it, so that they end its streams."""
    database = Database()
    database.deaf = deaf
    async with registries(database) as (one, two):
        key, secret = await one.create("Ada", Role.BOT)
        await until(lambda: two.authenticate(secret) is not None, 3)
        heard: list[str] = []
        two.on_revoked(heard.append)
        await one.revoke(key.key_id)
        await until(lambda: heard == [key.owner], 3)
        assert await two.admit_caller(secret) is None


async def test_floods_of_unknown_credentials_cost_few_reads() -> None:
    """Garbage costs none, well-formed keys that nobody has made one read each 100 ms."""
    database = Database()
    journal = PodJournal(database)
    registry = await KeyRegistry.open(journal, KEYS)
    journal.calls.clear()
    secrets = [format_credential(API_KEY, number.to_bytes(20)) for number in range(1_000)]
    garbage = [f"nonsense {number}" for number in range(1_000)]
    loop = asyncio.get_running_loop()
    began = loop.time()
    found = await asyncio.gather(*map(registry.admit_caller, secrets + garbage))
    assert not any(found)
    assert journal.calls["since"] <= 2 + (loop.time() - began) / 0.1
    journal.calls.clear()
    assert await registry.admit_caller("nonsense") is None
    assert not journal.calls


async def test_two_registries_revoke_without_disturbing_each_other() -> None:
    """Both revoke at once: each key is revoked once, and both know of both."""
    database = Database()
    async with registries(database) as (one, two):
        first, _ = await one.create("Ada", Role.BOT)
        second, _ = await two.create("Bo", Role.BOT)
        await asyncio.gather(one.revoke(second.key_id), two.revoke(first.key_id))
        await until(
            lambda: all(r.is_revoked(k.owner) for r in (one, two) for k in (first, second)), 3
        )
        assert len(await database.core.read("keys")) == 4


async def test_the_quota_of_live_matches_counts_those_of_every_server() -> None:
    """What another server has created is counted where it is near the limit."""
    database = Database()
    async with pods(database, "a", "b") as running:
        quotas = [LiveMatches(pod.journal, 6) for pod in running]

        async def create(number: int) -> None:
            match_id = KEYS.match_id("key:a", f"r{number}")
            for quota in quotas:
                quota._counted.clear()  # a second has passed
            async with quotas[number % 2].place("key:a", match_id):
                await running[number % 2].matches.create("key:a", f"r{number}", setup_of(2))

        for number in range(6):
            await create(number)
        for number in (6, 7):
            with pytest.raises(Refusal) as caught:
                await create(number)
            assert caught.value.reason is Reason.QUOTA
