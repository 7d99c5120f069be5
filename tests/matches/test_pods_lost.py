"""Is it noticed, and told, what a store has lost that several servers share?"""

import asyncio
from collections.abc import Sequence
from random import Random

import pytest

from lastcard_engine.record import EntryKind
from lastcard_server.errors import Reason
from lastcard_server.journal.port import Append, Conflict, StoreUnavailable
from lastcard_server.matches.counts import Counts
from lastcard_server.matches.finished import LOOKS
from lastcard_server.matches.losses import LINES, REMEMBERED, Losses
from lastcard_server.matches.match import Stage, log_of
from tests.matches.hall import Player, answer_to
from tests.matches.pods import Database, kinds, pods, until
from tests.matches.table import ManualClock, accepted, refused, setup_of

OWNER = "key:creator"


@pytest.mark.parametrize("kept", [0, 2])
async def test_a_store_that_went_back_ends_the_match_for_everybody(kept: int) -> None:
    """What was told can not be untold: the match is frozen, or gone, and its streams hear that."""
    database = Database()
    async with pods(database, "a", "b") as (one, two):
        players = [Player(), Player()]
        for seat, pod in enumerate((one, two)):
            await pod.matches.subscribe(f"key:{seat}", players[seat])
        match = await one.matches.create(OWNER, "r", setup_of(2))
        clock = ManualClock(database.core.now_us())
        answers = [answer_to(match, turn, Random(1), clock) for turn in match.turns.values()]
        await one.matches.submit(answers)
        ahead = (await one.matches.get(match.match_id)).history()
        await until(lambda: len(two.matches) == 1)
        database.roll_back(log_of(match.match_id), kept)
        await until(lambda: all(player.over for player in players), 5)
        assert one.matches.counts.histories_lost == two.matches.counts.histories_lost == 1
        if kept:
            assert (await kinds(database, match.match_id))[kept:] == [EntryKind.FROZEN]
            assert (await two.matches.get(match.match_id)).stage is Stage.FROZEN
        answers[0].history = ahead
        refusal = refused((await two.matches.submit(answers[:1]))[0])
        assert refusal.reason is Reason.HISTORY_LOST
        assert one.matches.counts.histories_lost == two.matches.counts.histories_lost == 1


@pytest.mark.parametrize(
    ("why", "later_us", "reasons"),
    [
        ("the store fails", 0, ["frozen"]),
        ("another server goes on", 1, ["frozen"]),
        ("it is there again", 0, []),
    ],
)
async def test_a_loss_is_told_when_that_is_durable_and_not_forgotten_before(
    why: str, later_us: int, reasons: list[str]
) -> None:
    """A match cannot be frozen at the first try: that is told of no end, and tried again."""
    database = Database()
    async with pods(database, "a") as (one,):
        player, failed = Player(), asyncio.Event()
        await one.matches.subscribe("key:0", player)
        match = await one.matches.create(OWNER, "r", setup_of(2))
        clock = ManualClock(database.core.now_us())
        answers = [answer_to(match, turn, Random(1), clock) for turn in match.turns.values()]
        await one.matches.submit(answers)
        append = one.journal.append

        async def failing(appends: Sequence[Append]) -> list[Conflict | None]:
            if failed.is_set() or appends[0].entries[0].kind != EntryKind.FROZEN:
                return await append(appends)
            failed.set()
            if why == "the store fails":
                raise StoreUnavailable("the store cannot be written")
            async with pods(database, "b") as (two,):
                answers[1].history = b""
                answers[1].received_us += later_us
                accepted((await two.matches.submit(answers[1:]))[0])
            return await append(appends)

        one.journal.append = failing  # type: ignore[method-assign]  # of this one journal
        database.roll_back(log_of(match.match_id), 2)
        custody = one.matches._runtime.custody
        await until(lambda: failed.is_set() and not custody.dropped, 5)
        assert player.reasons == reasons
        assert one.matches.counts.histories_lost == len(reasons)
        assert (EntryKind.FROZEN in await kinds(database, match.match_id)) is bool(reasons)


async def test_an_end_that_is_under_way_is_not_told_by_whoever_reads_the_match_again() -> None:
    """A match that was dropped has ended again meanwhile: it is over once that is durable."""
    database = Database()
    async with pods(database, "a") as (one,):
        player, held = Player(), asyncio.Event()
        await one.matches.subscribe("key:0", player)
        match = await one.matches.create(OWNER, "r", setup_of(2))
        append = one.journal.append

        async def slowly(appends: Sequence[Append]) -> list[Conflict | None]:
            await held.wait()
            return await append(appends)

        one.journal.append = slowly  # type: ignore[method-assign]  # of this one journal
        ending = asyncio.create_task(one.matches.cancel(match.match_id, OWNER))
        await until(lambda: match.over)
        await one.matches._runtime.custody.read_again(match.match_id)
        assert player.over == []
        held.set()
        await ending
        assert player.over == [match.match_id]


@pytest.mark.parametrize("hints", ["hints", "no hints"])
@pytest.mark.parametrize("kept", [0, 2])
async def test_a_store_that_went_back_behind_an_end_does_not_play_it_again(
    kept: int, hints: str
) -> None:
    """A match that was told to be over is no live one again: it is frozen, or gone."""
    database = Database()
    database.deaf = hints == "no hints"
    async with pods(database, "a", "b") as (one, two):
        players = [Player(), Player()]
        for seat, pod in enumerate((one, two)):
            await pod.matches.subscribe(f"key:{seat}", players[seat])
        match = await one.matches.create(OWNER, "r", setup_of(2))
        log, clock = log_of(match.match_id), ManualClock(database.core.now_us())
        index = database.core._logs[log].index
        answers = [answer_to(match, turn, Random(1), clock) for turn in match.turns.values()]
        await one.matches.submit(answers)
        await until(lambda: len(two.matches) == 1)
        await one.matches.cancel(match.match_id, OWNER)
        await until(lambda: all(player.over for player in players), 5)
        database.roll_back(log, kept, index)
        await until(lambda: all(len(player.over) > 1 for player in players), 5)
        assert players[0].reasons[-1] == players[1].reasons[-1] == "frozen"
        assert one.matches.counts.histories_lost
        if kept:
            assert (await kinds(database, match.match_id))[kept:] == [EntryKind.FROZEN]


async def test_an_end_that_the_store_keeps_is_known_for_a_while_only() -> None:
    """Nothing stays in memory of what is over; until then a number tells of it."""
    database = Database()
    async with pods(database, "a") as (one,):
        match = await one.matches.create(OWNER, "r", setup_of(2))
        await one.matches.cancel(match.match_id, OWNER)
        assert (len(one.matches), one.matches.sizes.remembered) == (0, 1)
        for _ in range(LOOKS):
            await one.matches._runtime.patrol.look()
        assert one.matches.sizes.remembered == 0
        assert not one.matches.counts.histories_lost


async def test_only_who_holds_a_sealed_history_is_told_that_a_match_was_lost(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """An unknown match is not found by anybody else; operators hear once of one that was lost."""
    database = Database()
    async with pods(database, "a") as (one,):
        match = await one.matches.create(OWNER, "r", setup_of(2))
        clock = ManualClock(database.core.now_us())
        answer = answer_to(match, match.turns[0], Random(1), clock)
        answer.match_id = "unknown"
        for answer.history in (b"", bytes(36), match.history()):
            assert refused((await one.matches.submit([answer]))[0]).reason is Reason.NOT_FOUND
        answer.match_id = "other"
        answer.history = one.matches._runtime.custody.seal.seal("other", 7, bytes(32))
        for outcome in await one.matches.submit([answer, answer]):
            assert refused(outcome).reason is Reason.HISTORY_LOST
        assert one.matches.counts.histories_lost == 1
    assert _told(caplog) == ["the store has lost match other, of which a player has a history"]


def test_players_who_prove_many_losses_do_not_fill_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """All of them are counted; in a minute so many are named, and that there are more."""
    clock, counts = ManualClock(), Counts()
    losses = Losses(counts, clock)
    for place in range(2 * LINES):
        losses.tell_proven(str(place))
    assert len(_told(caplog)) == LINES + 1
    losses.tell_whole("known")
    clock.advance(60_000)
    for match_id in ("known", "0", "late"):
        losses.tell_proven(match_id)
    assert _told(caplog)[LINES:] == [
        "the store has lost more matches of which players have histories",
        "the store has lost match known",
        "the store has lost match late, of which a player has a history",
    ]
    assert counts.histories_lost == 2 * LINES + 2


def test_of_matches_that_are_gone_not_all_are_remembered() -> None:
    """What a server keeps of them has a bound: the one that was told first may be told again."""
    counts = Counts()
    losses = Losses(counts, ManualClock())
    for place in (*range(REMEMBERED + 1), REMEMBERED, 0):
        losses.tell_proven(str(place))
    assert counts.histories_lost == REMEMBERED + 2


def _told(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.message for record in caplog.records if record.levelname == "ERROR"]
