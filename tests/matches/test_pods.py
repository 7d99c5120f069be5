"""Do several servers on one journal play like one: promptly, once, and in order?"""

import asyncio
from random import Random

from lastcard_engine.record import EntryKind
from lastcard_server.matches.commands import Accepted
from lastcard_server.matches.folding import replay
from lastcard_server.matches.match import Stage, log_of
from lastcard_server.matches.registry import Leg
from tests.matches.hall import Player
from tests.matches.pods import Bot, Database, pods, until
from tests.matches.table import KEYS, seal, setup_of

OWNER = "key:creator"


async def test_seats_on_different_servers_play_one_match_to_its_end() -> None:
    """Each server tells its own seat's turns as soon as the other has written; nothing is lost."""
    database = Database()
    async with pods(database, "a", "b") as (one, two):
        bots = [Bot(one, Random(1)), Bot(two, Random(2))]
        for seat, bot in enumerate(bots):
            await bot.pod.matches.subscribe(f"key:{seat}", bot)
        match = await one.matches.create(OWNER, "r", setup_of(2))
        for bot in bots:
            await bot.until_over()
        entries = await database.core.read(log_of(match.match_id))
        final = replay(match.match_id, entries, KEYS, seal())
        assert final.stage is Stage.FINISHED
        assert not any(seat.faults for seat in final.seats)
        for bot in bots:
            assert bot.over == [match.match_id]
            assert all(isinstance(outcome, Accepted) for outcome in bot.outcomes)
        await until(lambda: not len(one.matches) + len(two.matches))


async def test_without_hints_a_match_goes_on_all_the_same() -> None:
    """The look of every second is the safety net."""
    database = Database()
    database.deaf = True
    async with pods(database, "a", "b") as (one, two):
        bots = [Bot(one, Random(1)), Bot(two, Random(2))]
        for seat, bot in enumerate(bots):
            await bot.pod.matches.subscribe(f"key:{seat}", bot)
        await one.matches.create(OWNER, "r", setup_of(2, action_cap=4, move_limit_ms=60_000))
        async with asyncio.timeout(30):
            for bot in bots:
                await bot.ended.wait()


async def test_a_spectator_elsewhere_hears_everything_in_order_without_gaps() -> None:
    """Updates follow each other on whichever server one watches, up to the end."""
    database = Database()
    async with pods(database, "a", "b", "c") as (one, two, three):
        bots = [Bot(one, Random(3)), Bot(two, Random(4))]
        for seat, bot in enumerate(bots):
            await bot.pod.matches.subscribe(f"key:{seat}", bot)
        match = await one.matches.create(OWNER, "r", setup_of(2))
        watcher = Player()
        known = (await three.matches.subscribe_match(match.match_id, watcher)).version
        await watcher.until_over()
        chain = [(update.after, update.version) for _, update in watcher.updates]
        chain = [link for link in chain if link[1] > known]
        assert [after for after, _ in chain[1:]] == [version for _, version in chain[:-1]]
        entries = await database.core.read(log_of(match.match_id))
        assert chain[-1][1] == len(entries)
        assert watcher.opened == []


async def test_own_appends_cost_no_reads() -> None:
    """A server that plays a match alone asks the store for nothing but to append."""
    database = Database()
    async with pods(database, "a", "b") as (one, _):
        bots = [Bot(one, Random(5)), Bot(one, Random(6))]
        for seat, bot in enumerate(bots):
            await one.matches.subscribe(f"key:{seat}", bot)
        one.journal.calls.clear()
        await one.matches.create(OWNER, "r", setup_of(2))
        await bots[0].until_over()
        assert one.journal.calls["append"] > 5, "short as the match may be"
        assert one.journal.calls.get("read", 0) == 0
        assert one.journal.calls.get("since", 0) <= 3, "the looks of every second"


async def test_a_read_shows_what_was_acknowledged_elsewhere() -> None:
    """Nobody who was told of an entry by one server reads less from another."""
    database = Database()
    database.deaf = True
    async with pods(database, "a", "b") as (one, two):
        match = await one.matches.create(OWNER, "r", setup_of(3, open_seats=1))
        assert (await two.matches.get(match.match_id)).version == 1
        await one.matches.join(match.match_id, "key:new", "Ada", "j")
        assert (await two.matches.get(match.match_id)).version == 2
        turns = [turn for _, turn in await two.matches.open_turns("key:new")]
        assert [turn.seat for turn in turns] == [2]


async def test_an_answer_is_refused_only_by_what_the_journal_holds_now() -> None:
    """A repeat that comes to a server behind the others gets the first outcome."""
    database = Database()
    database.deaf = True
    async with pods(database, "a", "b") as (one, two):
        bot = Bot(one, Random(1))
        match = await one.matches.create(OWNER, "r", setup_of(2))
        await two.matches.get(match.match_id)
        await one.matches.subscribe("key:0", bot)
        await until(lambda: bool(bot.outcomes))
        (first,), (sent,) = bot.outcomes, bot.sent
        assert isinstance(first, Accepted)
        sent.received_us = database.core.now_us() + 3_600_000_000
        (again,) = await two.matches.submit([sent])
        assert isinstance(again, Accepted)
        assert again.version == first.version


async def test_a_group_of_repeats_costs_one_round_trip() -> None:
    """It counts no matches: none where they are in memory, one where they have grown."""
    database = Database()
    database.deaf = True
    async with pods(database, "a", "b") as (one, two):
        bot = Bot(one, Random(1))
        names = [f"r{number}" for number in range(8)]
        for match in [await one.matches.create(OWNER, name, setup_of(2)) for name in names]:
            await two.matches.get(match.match_id)
        await one.matches.subscribe("key:0", bot)
        await until(lambda: len(bot.outcomes) == len(names))
        for sent in bot.sent:
            sent.received_us = database.core.now_us() + 3_600_000_000
        for pod, trips in (one, 0), (two, 1):
            pod.journal.calls.clear()
            again = await pod.matches.submit(bot.sent)
            versions = [outcome.version for outcome in again if isinstance(outcome, Accepted)]
            assert len(versions) == len(names)
            look = {"heartbeat": 1, "heartbeats": 1, "due": 1, "since": trips + 1}
            assert all(n <= look.get(name, 0) for name, n in pod.journal.calls.items())
            assert pod.journal.calls.get("since", 0) >= trips


async def test_legs_of_a_deal_group_start_with_the_same_deal_at_any_server() -> None:
    """Two legs with the seats exchanged, each entrant at a server of its own."""
    database = Database()
    async with pods(database, "a", "b") as (one, two):
        bots = [Bot(one, Random(5)), Bot(two, Random(6))]
        for seat, bot in enumerate(bots):
            await bot.pod.matches.subscribe(f"key:{seat}", bot)
        legs = [
            Leg(KEYS.game_id("contest", 0, leg, 0), setup_of(2, entrants=entrants, action_cap=40))
            for leg, entrants in enumerate(([0, 1], [1, 0]))
        ]
        made = await asyncio.gather(*(p.matches.create_group(OWNER, "g", legs) for p in (one, two)))
        assert [[m.match_id for m in found] for found in made] == [[x.match_id for x in legs]] * 2
        await until(lambda: all(len(bot.over) == 2 for bot in bots))
        deals = []
        for leg in legs:
            entries = await database.core.read(log_of(leg.match_id))
            deals.append(next(e.body for e in entries if e.kind == EntryKind.STARTED))
        assert deals[0] == deals[1]
