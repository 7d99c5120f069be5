"""Do releases that run different revisions of the engine agree on one store, or refuse cleanly?"""

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import pytest

from lastcard_engine.revisions import RUNS, Revisions
from lastcard_server import config
from lastcard_server.config import Config, ConfigError
from lastcard_server.errors import Reason, Refusal
from lastcard_server.journal.entry import Entry, chained, genesis
from lastcard_server.journal.open_store import open_store
from lastcard_server.journal.port import Append, Index
from lastcard_server.matches.creation import Creation, LeftBehind, creation_body, read_creation
from lastcard_server.matches.deals import new_deal, new_pool
from lastcard_server.matches.folding import replay
from lastcard_server.matches.match import log_of
from lastcard_server.matches.registry import Matches
from lastcard_server.secrets import SERVER_KEYS, make_server_keys
from lastcard_server.serving import Exit, serve
from tests.matches.hall import FrailJournal, answer_to, hall, play_on
from tests.matches.table import KEYS, ManualClock, accepted, refused, seal, setup_of

OWNER = "key:creator"
OLD = Revisions(1, 1, 1)
NEW_ROLLED_OUT = Revisions(1, 2, 1)
NEW_RAISED = Revisions(1, 2, 2)
NEXT = Revisions(2, 2, 2)


class CountingJournal(FrailJournal):
    """A shared journal that counts how often logs are read."""

    def __init__(self, clock: ManualClock) -> None:
        super().__init__(clock, shared=True)
        self.reads = 0

    async def read(self, log: str, after: int = 0) -> list[Entry]:
        """Read and count."""
        self.reads += 1
        return await super().read(log, after)


def test_the_range_of_this_release_holds_what_new_matches_take() -> None:
    """It is told as people write it."""
    assert RUNS.runs(RUNS.new)
    assert [NEW_RAISED.runs(revision) for revision in range(4)] == [False, True, True, False]
    assert (str(OLD), str(NEW_RAISED)) == ("1", "1 to 2")


async def test_two_releases_play_one_match_as_long_as_new_ones_take_what_both_run() -> None:
    """Every answer is accepted by whichever release it comes to, and the log is one."""
    clock, dice = ManualClock(), Random(3)
    journal = CountingJournal(clock)
    async with (
        hall(journal, clock, pod="old", revisions=OLD) as old,
        hall(journal, clock, pod="new", revisions=NEW_ROLLED_OUT) as new,
    ):
        match_id = (await new.create(OWNER, "r", setup_of(3))).match_id
        for step in range(400):
            match = await (old, new)[step % 2].get(match_id)
            if match.over:
                break
            commands = [answer_to(match, turn, dice, clock) for turn in match.turns.values()]
            clock.advance(3)
            answers = await asyncio.gather(*[server.submit(commands) for server in (old, new)])
            for own, other in zip(*answers, strict=True):
                assert accepted(own).version == accepted(other).version
        assert match.over
    log = await journal.read(log_of(match_id))
    assert read_creation(log[0].body).revision == 1
    assert replay(match_id, log, KEYS, seal()).over


async def test_the_old_release_leaves_newer_matches_to_the_new_one(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """It names the revision, breaks nothing, and does not read such a match again and again."""
    caplog.set_level(logging.INFO)
    clock = ManualClock()
    journal = CountingJournal(clock)
    async with (
        hall(journal, clock, pod="old", revisions=OLD) as old,
        hall(journal, clock, pod="new", revisions=NEW_RAISED) as new,
    ):
        match = await new.create(OWNER, "r", setup_of(2))
        match_id = match.match_id
        assert (await journal.indexes([match.log]))[match.log].revision == 2
        command = answer_to(match, match.turns[0], Random(1), clock)
        refusals = [refused((await old.submit([command]))[0])]
        for attempt in (old.get(match_id), old.create(OWNER, "r", setup_of(2))):
            with pytest.raises(Refusal) as refusal:
                await attempt
            refusals.append(refusal.value)
        for refusal_ in refusals:
            assert refusal_.reason is Reason.STORE_UNAVAILABLE
            assert "engine revision 2; this server runs 1" in refusal_.message
        assert len(old) == 0
        clock.advance(60_000)
        await old._runtime.patrol.take_up_due()
        journal.reads = 0
        for _ in range(3):
            await old._runtime.patrol.take_up_due()
        assert journal.reads == 0
        assert match_id not in old._runtime.cache.broken
        assert [record for record in caplog.records if record.levelno > logging.INFO] == []
        await play_on(new, [match_id], clock, Random(1))
        assert (await new.get(match_id)).over
        await old._runtime.patrol.take_up_due()
        assert old._runtime.cache.foreign == set()


def _with(part: str, revision: int) -> str:
    """Return the body of a creation in which some part has a field more."""
    setup, pool = setup_of(2), new_pool(KEYS, "m")
    body = creation_body(Creation(OWNER, setup, new_deal(KEYS, pool), revision))
    terms, rest = map(json.loads, body.split("\n"))
    {"clocks": terms["clocks"], "seats": rest["seats"][0], "terms": terms}[part]["unheard"] = 1
    if part == "terms":
        del terms["rules"]
    return f"{json.dumps(terms)}\n{json.dumps(rest)}"


@pytest.mark.parametrize("part", ["clocks", "seats", "terms"])
async def test_a_newer_match_is_left_alone_whatever_its_creation_says(part: str) -> None:
    """Its revision is read before the rest, which an older release need not understand."""
    async with _found(_with(part, 2)) as old:
        await old._runtime.patrol.take_up_due()
        assert old._runtime.cache.foreign == {"m"}
        assert not old._runtime.cache.broken


@pytest.mark.parametrize(
    "body", [_with("clocks", 1), _with("seats", 1), _with("terms", 1), "", "{}", "{}\n[]"]
)
async def test_a_creation_that_cannot_be_read_ends_no_server(body: str) -> None:
    """The match is quarantined, as any that cannot be followed."""
    async with _found(body) as old:
        await old._runtime.patrol.take_up_due()
        assert old._runtime.cache.broken == {"m"}
        with pytest.raises(Refusal) as refusal:
            await old.get("m")
        assert refusal.value.reason is Reason.STORE_UNAVAILABLE


@asynccontextmanager
async def _found(body: str) -> AsyncIterator[Matches]:
    """Run an older release that finds a match with this creation, which is due."""
    clock = ManualClock()
    journal = CountingJournal(clock)
    start = genesis("match/m")
    entry = chained(start, "created", clock.now_us(), body=body)
    index = Index(clock.now_us(), ("house",), live=True, label=OWNER, revision=2)
    assert await journal.append([Append("match/m", start, (entry,), index)]) == [None]
    async with hall(journal, clock, pod="old", revisions=OLD) as old:
        clock.advance(60_000)
        yield old


async def test_a_release_that_would_leave_a_live_match_behind_does_not_start() -> None:
    """Once the match is over it does."""
    clock = ManualClock()
    journal = CountingJournal(clock)
    async with hall(journal, clock, revisions=NEW_RAISED) as matches:
        await matches.create(OWNER, "new", setup_of(2))
    async with hall(journal, clock, revisions=NEW_ROLLED_OUT) as matches:
        match_id = (await matches.create(OWNER, "old", setup_of(2))).match_id
        later = Matches(journal, KEYS, clock, {}, revisions=NEXT)
        with pytest.raises(LeftBehind, match="takes engine revision 1 and this release runs 2;"):
            await later.start()
        await matches.cancel(match_id, OWNER)
    async with hall(journal, clock, revisions=NEXT) as matches:
        assert not matches.broken.is_set()


def test_a_revision_that_is_not_run_is_refused_before_anything_starts() -> None:
    """The sentence says which are."""
    for wrong in (0, RUNS.newest + 1):
        with pytest.raises(ConfigError, match=rf"engine revision {wrong} is not .* must be {RUNS}"):
            Config(engine_revision=wrong)
    assert Config().engine_revision == RUNS.new


async def test_a_server_says_in_a_sentence_why_it_does_not_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Its exit code is that of a store it cannot use."""
    journal = await open_store(f"sqlite:{tmp_path / 'journal'}")
    clock = ManualClock()
    old = Matches(journal, make_server_keys(tmp_path / SERVER_KEYS), clock, {}, revisions=OLD)
    await old.start()
    await old.create(OWNER, "r", setup_of(2))
    await old.aclose()
    await journal.aclose()
    monkeypatch.setattr(config, "RUNS", NEXT)
    address = f"sqlite:{tmp_path / 'journal'}"
    settings = Config(port=0, store=address, state_dir=tmp_path, engine_revision=NEXT.new)
    async with asyncio.timeout(20):
        assert await serve(settings) is Exit.STORE
    assert "lastcard serve: a live match takes engine revision 1" in capfd.readouterr().err
