"""Matches that end when a test says so, for contests that need no cards."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from random import Random

from lastcard_engine.presets import make_rules
from lastcard_engine.settings import Settings
from lastcard_server.contests.formats import Format, squares_of, tables_of, terms
from lastcard_server.contests.schedule import seat_map
from lastcard_server.contests.spec import Entrant, Spec, seats_of
from lastcard_server.matches.match import Result
from lastcard_server.matches.news import Sink
from lastcard_server.matches.registry import Leg
from lastcard_server.matches.setup import HOUSE, MatchSetup


class Seat:
    """A seat with its faults."""

    def __init__(self) -> None:
        self.faults: dict[str, int] = {}


class FakeMatch:
    """A match as far as a contest looks at one."""

    def __init__(self, leg: Leg, group: str) -> None:
        self.match_id, self.setup = leg
        self.group = group
        self.seats = [Seat() for _ in leg.setup.seats]
        self.result: Result | None = None
        self.turn_actions = 0
        self.decisions = 0
        self.last_us = 0
        self.sinks: list[Sink] = []

    @property
    def over(self) -> bool:
        """Tell whether it has ended."""
        return self.result is not None


class World:
    """The matches that a journal would keep while servers come and go."""

    def __init__(self) -> None:
        self.matches: dict[str, FakeMatch] = {}
        self.most_live = 0
        self.random = Random(5)

    def live(self) -> list[FakeMatch]:
        """Return the matches that run, oldest first."""
        return [match for match in self.matches.values() if match.result is None]

    def end(self, match: FakeMatch, reason: str = "played") -> None:
        """End a match; somebody wins it."""
        seats = len(match.seats)
        winner = self.random.randrange(seats)
        places = tuple(1 if seat == winner else 2 for seat in range(seats))
        values = tuple(30 if seat == winner else 0 for seat in range(seats))
        played = reason == "played"
        match.result = Result(reason, places if played else (), values, values)
        match.turn_actions, match.decisions, match.last_us = 44, 40, 1_700_000_000_000_000
        match.seats[0].faults = {"late": 1}
        for sink in tuple(match.sinks):
            sink.match_over(match)  # type: ignore[arg-type]  # as far as a contest looks


class FakeMatches:
    """`Matches` of one server over a world that outlives it."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.cancelled: list[str] = []
        self.broken = asyncio.Event()

    async def record_digest(self, match: FakeMatch) -> bytes:
        """Return what stands for the digest of a record."""
        return sha256(match.match_id.encode()).digest()

    async def create_group(
        self, creator: str, group_id: str, legs: Sequence[Leg]
    ) -> list[FakeMatch]:
        """Create the matches that are not there yet."""
        await asyncio.sleep(0)
        world = self.world
        found = [world.matches.setdefault(leg.match_id, FakeMatch(leg, group_id)) for leg in legs]
        assert [match.setup for match in found] == [leg.setup for leg in legs]
        world.most_live = max(world.most_live, len(world.live()))
        return found

    async def subscribe_match(self, match_id: str, sink: Sink) -> FakeMatch:
        """Tell a sink of the end."""
        await asyncio.sleep(0)
        match = self.world.matches[match_id]
        match.sinks.append(sink)
        return match

    async def get(self, match_id: str) -> FakeMatch:
        """Return a match."""
        await asyncio.sleep(0)
        return self.world.matches[match_id]

    def unsubscribe_match(self, match_id: str, sink: Sink) -> None:
        """Tell it no more."""
        self.world.matches[match_id].sinks.remove(sink)

    async def cancel(self, match_id: str, by: str) -> FakeMatch:
        """End a match without a result."""
        match = self.world.matches[match_id]
        self.cancelled.append(match_id)
        self.world.end(match, "cancelled")
        return match


def a_spec(
    *, entrants: int = 4, seats: int = 4, blocks: int = 3, concurrency: int = 16, name: str = "cup"
) -> Spec:
    """Return a contest between bots of the house."""
    bots = tuple(Entrant(f"bot{number}", HOUSE, "random") for number in range(entrants))
    return Spec(
        name=name,
        match=MatchSetup(
            rules=make_rules("standard_no", {}),
            preset="standard_no",
            seats=seats_of(bots, range(seats)),
        ),
        overrides=(),
        entrants=bots,
        squares=seat_map(seats),
        blocks=blocks,
        concurrency=concurrency,
    )


def a_tournament(form: Format, *, entrants: int, duplicate_deals: bool = False) -> Spec:
    """Return a contest of pairs between bots of the house, played once."""
    spec = a_spec(entrants=entrants, blocks=1)
    rules, settings = terms(form, make_rules("pairs_se", {}), Settings())
    return replace(
        spec,
        match=replace(spec.match, rules=rules, preset="pairs_se", settings=settings),
        squares=squares_of(form, rules, 4),
        format=form,
        tables=tables_of(form, entrants),
        duplicate_deals=duplicate_deals,
    )
