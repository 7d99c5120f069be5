"""Do house bots play like everybody else, and does one that fails harm only its own seat?"""

import asyncio
from random import Random

import pytest

from lastcard_engine import Action, Event, MatchEnded, RoundStarted
from lastcard_server.errors import Reason, Refusal
from lastcard_server.matches.house import Strategy
from lastcard_server.matches.match import Match, Stage
from lastcard_server.matches.news import Update
from lastcard_server.matches.setup import HOUSE, MatchSetup, SeatSetup
from lastcard_server.matches.turns import OpenTurn, Ready
from tests.matches.hall import FrailJournal, Player, hall, pass_time
from tests.matches.table import ManualClock, quick_choice, setup_of

OWNER = "key:creator"


def house_setup(*strategies: str) -> MatchSetup:
    """Return a table of house bots."""
    setup = setup_of(len(strategies), action_cap=40)
    seats = tuple(SeatSetup(HOUSE, f"bot {n}", name) for n, name in enumerate(strategies))
    return MatchSetup(setup.rules, setup.preset, seats, setup.settings)


def dice_bot(seed: int) -> Strategy:
    """Return a strategy that plays at random."""
    dice = Random(seed)
    return lambda _match, turn: (quick_choice(turn, dice), dice.random() < 0.5)


def broken_bot(_match: Match, _turn: OpenTurn) -> tuple[int, bool]:
    """Fail."""
    raise ValueError("no idea")


async def test_house_bots_play_a_match_to_its_end() -> None:
    """Nobody else is needed; no fault is counted."""
    clock = ManualClock()
    async with hall(FrailJournal(clock), clock, {"dice": dice_bot(1)}) as matches:
        watcher = Player()
        match_id = (await matches.create(OWNER, "r", house_setup("dice", "dice", "dice"))).match_id
        await matches.subscribe_match(match_id, watcher)
        await watcher.until_over()
        match = await matches.get(match_id)
        assert match.stage is Stage.FINISHED
        assert [seat.faults for seat in match.seats] == [{}, {}, {}]


async def test_what_is_returned_is_durable_however_quickly_the_house_plays_on() -> None:
    """A match that is handed out never holds what has been decided since and is not written."""
    clock = ManualClock()
    journal = FrailJournal(clock)
    async with hall(journal, clock, {"dice": dice_bot(1)}) as matches:
        match_id = (await matches.create(OWNER, "r", house_setup("dice", "dice"))).match_id
        versions = set[int]()
        async with asyncio.timeout(10):
            while not (match := await matches.get(match_id)).over:
                assert match.head == await journal.head(match.log)
                versions.add(match.version)
                await asyncio.sleep(0)
        assert len(versions) > 10


async def test_the_answers_of_the_house_are_stamped_when_they_are_handed_in() -> None:
    """A strategy that takes its time is charged for it."""
    clock = ManualClock()
    quick = dice_bot(1)

    def slow(match: Match, turn: OpenTurn) -> tuple[object, bool]:
        clock.advance(20)
        return quick(match, turn)

    async with hall(FrailJournal(clock), clock, {"slow": slow}) as matches:  # type: ignore[dict-item]
        watcher = Player()
        match_id = (await matches.create(OWNER, "r", house_setup("slow", "slow"))).match_id
        await matches.subscribe_match(match_id, watcher)
        await watcher.until_over()
        match = await matches.get(match_id)
        assert max(seat.last_answer_ms or 0 for seat in match.seats) == 20


class Attentive:
    """A strategy that listens, and notes how much it had heard at each turn."""

    def __init__(self) -> None:
        self.heard: dict[int, list[Event]] = {0: [], 1: []}
        self.asked: list[tuple[int, int]] = []
        self.over = 0
        self._play = dice_bot(1)

    def __call__(self, match: Match, turn: OpenTurn) -> tuple[int | Action | Ready, bool]:
        """Play by dice."""
        self.asked.append((turn.seat, len(self.heard[turn.seat])))
        return self._play(match, turn)

    def hear(self, match: Match, seat: int, update: Update) -> None:
        """Keep what happened."""
        self.heard[seat] += update.events

    def forget(self, match: Match) -> None:
        """Count it."""
        self.over += 1


async def test_a_strategy_that_listens_hears_everything_before_its_turn() -> None:
    """What led to a turn is told before it; the end is told; others are told nothing."""
    clock, bot = ManualClock(), Attentive()
    async with hall(FrailJournal(clock), clock, {"ear": bot, "dice": dice_bot(1)}) as matches:
        watcher = Player()
        match_id = (await matches.create(OWNER, "r", house_setup("dice", "ear"))).match_id
        await matches.subscribe_match(match_id, watcher)
        await watcher.until_over()
    assert bot.heard[0] == []
    assert isinstance(bot.heard[1][0], RoundStarted)
    assert isinstance(bot.heard[1][-1], MatchEnded)
    amounts = [heard for _, heard in bot.asked]
    assert amounts[0] > 2
    assert amounts == sorted(amounts)
    assert bot.over == 1


async def test_the_house_goes_on_after_a_restart() -> None:
    """Open turns of house bots are found by the journal's index."""
    clock = ManualClock()
    journal = FrailJournal(clock)
    async with hall(journal, clock, {"dice": dice_bot(1)}) as matches:
        match_id = (await matches.create(OWNER, "r", house_setup("dice", "dice"))).match_id
    async with hall(journal, clock, {"dice": dice_bot(1)}) as matches:
        watcher = Player()
        if not (await matches.subscribe_match(match_id, watcher)).over:
            await watcher.until_over()


async def test_a_strategy_the_house_does_not_have_is_refused() -> None:
    """The message names those it has."""
    clock = ManualClock()
    async with hall(FrailJournal(clock), clock, {"dice": dice_bot(1)}) as matches:
        with pytest.raises(Refusal, match="dice") as caught:
            await matches.create(OWNER, "r", house_setup("dice", "oracle"))
        assert caught.value.reason is Reason.BAD_FIELD
        assert len(matches) == 0


async def test_a_strategy_that_fails_runs_out_of_time(caplog: pytest.LogCaptureFixture) -> None:
    """Its failure is logged and its defaults are taken; the match goes on."""
    clock = ManualClock()
    bots: dict[str, Strategy] = {"dice": dice_bot(1), "broken": broken_bot}
    async with hall(FrailJournal(clock), clock, bots) as matches:
        match_id = (await matches.create(OWNER, "r", house_setup("broken", "dice"))).match_id
        for _ in range(600):
            match = await matches.get(match_id)
            if match.over:
                break
            await pass_time(matches, clock, clock.us + 1_000_000)
        assert match.stage is Stage.FINISHED
        assert match.seats[0].faults.keys() == {"late"}
        assert match.seats[1].faults == {}
        assert "no idea" in caplog.text
