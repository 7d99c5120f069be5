"""Does every store keep what was asked once: an answer, a request, a group, a contest?"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import pytest

from lastcard_engine.actions import CALL_UNO, Catch
from lastcard_engine.cards import Seat
from lastcard_engine.settings import Reactions
from lastcard_server.contests.contests import Contests
from lastcard_server.errors import Reason, Refusal
from lastcard_server.journal.entry import genesis
from lastcard_server.journal.port import Append, Index, Journal
from lastcard_server.matches.commands import OutOfTurnAct
from lastcard_server.matches.match import Match, Stage, log_of
from lastcard_server.matches.registry import Matches
from lastcard_server.matches.turns import Ready
from tests.contests.fakes import a_spec
from tests.journal.stores import KINDS
from tests.matches.hall import answer_to, hall
from tests.matches.table import KEYS, ManualClock, Table, accepted, refused, setup_of
from tests.matches.test_groups import GROUP, IDS, LEGS
from tests.matches.test_reactions import catchable

OWNER = "key:creator"


class Stored:
    """A server on a store of one kind that can be started anew."""

    def __init__(self, kind: str, folder: Path) -> None:
        self.clock = ManualClock()
        self._kind = KINDS[kind]
        self._folder = folder
        self._kept: Journal | None = None
        """A store in memory outlives its servers; others are opened by each."""

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[tuple[Matches, Journal]]:
        """Run a server; on leaving it is gone, as after a crash."""
        journal = self._kept or await self._kind.open(self._folder, self.clock.now_us)
        try:
            async with hall(journal, self.clock) as matches:
                yield matches, journal
        finally:
            if self._kind.durable:
                await journal.aclose()
            else:
                self._kept = journal


@pytest.fixture(params=KINDS)
def stored(request: pytest.FixtureRequest, tmp_path: Path) -> Stored:
    """Return a server on each kind of store."""
    return Stored(request.param, tmp_path)


async def test_create_gives_the_same_match_for_the_same_request_only(stored: Stored) -> None:
    """Creator, request id and setup: any difference is another match or refused."""
    async with stored.serving() as (matches, _):
        calls = (matches.create(OWNER, "r", setup_of(4)) for _ in range(2))
        first, twin = await asyncio.gather(*calls)
        assert twin.match_id == first.match_id
        assert (await matches.create("key:other", "r", setup_of(4))).match_id != first.match_id
        with pytest.raises(Refusal) as caught:
            await matches.create(OWNER, "r", setup_of(3))
        assert caught.value.reason is Reason.REQUEST_ID_REUSED
        await matches.cancel(first.match_id, OWNER)
    async with stored.serving() as (matches, journal):
        again = await matches.create(OWNER, "r", setup_of(4))
        assert (again.match_id, again.stage) == (first.match_id, Stage.CANCELLED)
        assert again.commitment == first.commitment
        with pytest.raises(Refusal) as caught:
            await matches.create(OWNER, "r", setup_of(3))
        assert caught.value.reason is Reason.REQUEST_ID_REUSED
        assert len(await journal.read(log_of(first.match_id))) == 2


async def test_a_join_gives_the_same_seat_for_the_same_request_only(stored: Stored) -> None:
    """A repeat has its seat, at once and after a restart; another name under its id has none."""
    async with stored.serving() as (matches, _):
        match_id = (await matches.create(OWNER, "r", setup_of(4, open_seats=3))).match_id
        joins = (matches.join(match_id, "key:a", "Ada", "j") for _ in range(2))
        one, two = await asyncio.gather(*joins)
        assert (one.seat, one.seat_token) == (two.seat, two.seat_token)
    async with stored.serving() as (matches, journal):
        again = await matches.join(match_id, "key:a", "Ada", "j")
        assert (again.seat, again.seat_token, again.match.version) == (1, one.seat_token, 2)
        with pytest.raises(Refusal) as caught:
            await matches.join(match_id, "key:a", "Eve", "j")
        assert caught.value.reason is Reason.REQUEST_ID_REUSED
        assert (await matches.join(match_id, "key:a", "Ada", "j2")).seat == 2
        assert len(await journal.read(log_of(match_id))) == 3


async def test_an_answer_counts_once(stored: Stored) -> None:
    """A repeat gets the first outcome, at once and after a restart; another answer is refused."""
    async with stored.serving() as (matches, _):
        match = await matches.create(OWNER, "r", setup_of(2))
        answer = answer_to(match, match.turns[0], Random(1), stored.clock)
        outcomes = await asyncio.gather(*(matches.submit([answer, answer]) for _ in range(2)))
        versions = {accepted(outcome).version for group in outcomes for outcome in group}
        assert versions == {2}
    async with stored.serving() as (matches, journal):
        stored.clock.advance(2_000)
        assert accepted((await matches.submit([answer]))[0]).version == 2
        answer.reply = Ready(b"another")
        refusal = refused((await matches.submit([answer]))[0])
        assert refusal.reason is Reason.TURN_ANSWERED
        kinds = [entry.kind for entry in await journal.read(log_of(match.match_id))]
        assert kinds.count("nonce") == 1


async def test_an_act_out_of_turn_counts_once(stored: Stored) -> None:
    """A repeat of a catch gets the first outcome; another act under its request id is refused."""
    table = Table(setup_of(4, reactions=Reactions.RACE))
    table.play(catchable)
    log = log_of(table.match.match_id)
    index = Index(None, (), live=True, label="")
    stored.clock.us = table.clock.us
    async with stored.serving() as (matches, journal):
        await journal.append([Append(log, genesis(log), tuple(table.saved()), index)])
        catch = an_act(table.match, table.clock)
        both = await asyncio.gather(*(matches.submit([catch]) for _ in range(2)))
        first, again = (accepted(outcome) for (outcome,) in both)
        assert (again.version, again.request_id) == (first.version, "act")
    async with stored.serving() as (matches, journal):
        entries = await journal.read(log)
        assert [e.version for e in entries if e.request_id == "act"] == [first.version]
        assert accepted((await matches.submit([catch]))[0]).version == first.version
        catch.action = CALL_UNO
        refusal = refused((await matches.submit([catch]))[0])
        assert refusal.reason is Reason.REQUEST_ID_REUSED


def an_act(match: Match, clock: ManualClock) -> OutOfTurnAct:
    """Return a catch of a seat that did not call."""
    assert match.state is not None
    target = match.state.duty.index(max(match.state.duty))
    seat = (target + 1) % len(match.seats)
    return OutOfTurnAct(
        match.match_id,
        seat,
        match.window,
        Catch(Seat(target)),
        uno=False,
        request_id="act",
        owner=match.seats[seat].owner,
        received_us=clock.us,
    )


async def test_a_group_is_created_once(stored: Stored) -> None:
    """A repeat finds the same legs with the same deal; other legs under its name are refused."""
    async with stored.serving() as (matches, _):
        calls = (matches.create_group(OWNER, GROUP, LEGS) for _ in range(2))
        first, twin = await asyncio.gather(*calls)
        assert [match.match_id for match in first] == [match.match_id for match in twin] == IDS
    async with stored.serving() as (matches, journal):
        again = await matches.create_group(OWNER, GROUP, LEGS)
        assert [match.deal for match in again] == [match.deal for match in first]
        with pytest.raises(Refusal) as caught:
            await matches.create_group(OWNER, GROUP, LEGS[:2])
        assert caught.value.reason is Reason.REQUEST_ID_REUSED
        for match_id in IDS:
            assert len(await journal.read(log_of(match_id))) == 1


async def test_a_contest_is_created_once(stored: Stored) -> None:
    """The same request is the same contest; another under its request id is refused."""
    async with stored.serving() as (matches, journal):
        contests = Contests(journal, matches, KEYS, stored.clock)
        calls = (contests.create("key:o", "r", a_spec()) for _ in range(2))
        first, twin = await asyncio.gather(*calls)
        assert twin.contest_id == first.contest_id
        await contests.aclose()
    async with stored.serving() as (matches, journal):
        contests = Contests(journal, matches, KEYS, stored.clock)
        assert (await contests.create("key:o", "r", a_spec())).contest_id == first.contest_id
        with pytest.raises(Refusal) as caught:
            await contests.create("key:o", "r", a_spec(name="other"))
        assert caught.value.reason is Reason.REQUEST_ID_REUSED
        assert len(await journal.read(f"contest/{first.contest_id}")) == 1
        await contests.aclose()
