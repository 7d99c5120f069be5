"""Does ContestService refuse what cannot be played, and tell the rest as the contract says?"""

from collections.abc import AsyncIterator
from typing import cast

import pytest

from lastcard.v1 import contest_service_pb2 as pb
from lastcard.v1.match_service_pb2 import MatchSettings
from lastcard.v1.rules_pb2 import CustomKind, CustomRule, RulesChoice, RulesOverride
from lastcard_server.arena.results import game_of
from lastcard_server.contests.contests import Contests
from lastcard_server.contests.ledger import chained, genesis
from lastcard_server.errors import Reason, Refusal
from lastcard_server.journal.memory import MemoryJournal
from lastcard_server.key_registry import KeyRegistry
from lastcard_server.keys import Caller, Role
from lastcard_server.matches.registry import Matches
from lastcard_server.servicers.contest import ContestServicer
from tests.contests.fakes import FakeMatches, World
from tests.contests.test_contests import KEYS, Clock, settle

ORGANISER = Caller("key:organiser", Role.ORGANISER, "organiser")


class Service:
    """ContestService over a world, with one bot key."""

    def __init__(self, registry: KeyRegistry, contests: Contests, world: World) -> None:
        self.registry = registry
        self.world = world
        self.servicer = ContestServicer(contests, registry, ("greedy", "random"))
        self.key_id = ""

    def spec(self, **changes: object) -> pb.ContestSpec:
        """Return a contest that can be played, with some fields changed."""
        spec = pb.ContestSpec(
            name="cup",
            rules=RulesChoice(preset="standard_no"),
            entrants=[
                pb.Entrant(name="ann", key_id=self.key_id),
                pb.Entrant(name="bob", house_strategy="random"),
            ],
            seat_count=2,
            schedule=pb.SCHEDULE_ROUND_ROBIN,
            block_count=3,
        )
        for field, value in changes.items():
            spec.ClearField(field)
            spec.MergeFrom(pb.ContestSpec(**{field: value}))  # type: ignore[arg-type]  # any field
        return spec

    async def create(self, **changes: object) -> pb.Contest:
        """Create a contest."""
        request = pb.CreateContestRequest(spec=self.spec(**changes), request_id="r")
        return (await self.servicer.CreateContest(request, ORGANISER)).contest

    async def play_out(self, contest_id: str) -> None:
        """Start a contest and end its matches one by one."""
        await self.servicer.StartContest(pb.StartContestRequest(contest_id=contest_id), ORGANISER)
        await settle()
        while live := self.world.live():
            self.world.end(live[-1])
            await settle()


@pytest.fixture
async def service() -> AsyncIterator[Service]:
    """Return the service of a server."""
    journal, world = MemoryJournal(), World()
    contests = Contests(journal, cast("Matches", FakeMatches(world)), KEYS, Clock())
    service = Service(await KeyRegistry.open(journal), contests, world)
    key, _ = await service.registry.create("ann", Role.BOT)
    service.key_id = key.key_id
    yield service
    await contests.aclose()


def entrants(*names: str) -> list[pb.Entrant]:
    """Return bots of the house."""
    return [pb.Entrant(name=name, house_strategy="random") for name in names]


@pytest.mark.parametrize(
    ("changes", "reason", "sentence"),
    [
        ({"name": "a\nb"}, Reason.BAD_NAME, "spec.name must be"),
        (
            {"schedule": 0},
            Reason.BAD_FIELD,
            "spec.schedule must be one of SCHEDULE_ROUND_ROBIN, SCHEDULE_PAIRS",
        ),
        (
            {"schedule": 99},
            Reason.BAD_FIELD,
            "spec.schedule must be one of SCHEDULE_ROUND_ROBIN, SCHEDULE_PAIRS",
        ),
        ({"seat_count": 0}, Reason.BAD_FIELD, "spec.seat_count must be 2 to 10"),
        ({"seat_count": 3}, Reason.BAD_FIELD, "spec.entrants must be seat_count to 64"),
        ({"block_count": 0}, Reason.BAD_FIELD, "spec.block_count must be 1 to 100,000"),
        ({"concurrent_match_count": 1}, Reason.BAD_FIELD, "concurrent_match_count must be 2 to"),
        ({"entrants": entrants("a", "a")}, Reason.BAD_NAME, "a name of its own"),
        ({"entrants": entrants("a", "")}, Reason.BAD_NAME, "The name of an entrant must be"),
        ({"entrants": [*entrants("a"), pb.Entrant(name="b")]}, Reason.BAD_FIELD, "key_id or a"),
        (
            {"entrants": [*entrants("a"), pb.Entrant(name="b", house_strategy="best")]},
            Reason.BAD_FIELD,
            "There is no such house_strategy; there are greedy, random",
        ),
        (
            {"entrants": [*entrants("a"), pb.Entrant(name="b", key_id="none")]},
            Reason.BAD_FIELD,
            "Every key_id must name a valid key",
        ),
        ({"rules": RulesChoice(preset="best")}, Reason.BAD_RULES, "There is no such preset"),
        (
            {
                "rules": RulesChoice(
                    preset="standard_no",
                    overrides=[RulesOverride(option="hand_size", value="40")],
                )
            },
            Reason.BAD_RULES,
            "hand_size",
        ),
        (
            {"entrants": entrants(*(f"b{n}" for n in range(64))), "seat_count": 9},
            Reason.BAD_FIELD,
            "at most 1,000,000 can be played",
        ),
    ],
)
async def test_what_cannot_be_played_is_refused(
    service: Service, changes: dict[str, object], reason: Reason, sentence: str
) -> None:
    """Each mistake gets its reason and one sentence, and nothing is created."""
    with pytest.raises(Refusal) as refused:
        await service.create(**changes)
    assert refused.value.reason is reason
    assert sentence in refused.value.message
    again = await service.create()
    assert again.state == pb.CONTEST_STATE_CREATED


def pairs_of(preset: str = "pairs_se", **overrides: str) -> RulesChoice:
    """Return rules of pairs, with some options set otherwise."""
    changed = [RulesOverride(option=option, value=value) for option, value in overrides.items()]
    return RulesChoice(preset=preset, overrides=changed)


FOUR = {
    "rules": pairs_of("tournament_4_se"),
    "entrants": entrants("a", "b", "c", "d"),
    "seat_count": 4,
    "schedule": pb.SCHEDULE_TOURNAMENT_4,
}


@pytest.mark.parametrize(
    ("changes", "reason", "sentence"),
    [
        ({"seat_count": 2}, Reason.BAD_FIELD, "spec.seat_count must be 4 in tournament_4."),
        (
            {"entrants": entrants(*"abcde")},
            Reason.BAD_FIELD,
            "spec.schedule: tournament_4 needs 4 entrants, not 5.",
        ),
        (
            {"schedule": pb.SCHEDULE_TOURNAMENT_8},
            Reason.BAD_FIELD,
            "tournament_8 needs 8 entrants, not 4.",
        ),
        (
            {"schedule": pb.SCHEDULE_PAIRS, "entrants": entrants(*"abcde")},
            Reason.BAD_FIELD,
            "pairs needs an even number of entrants from 4 on, not 5.",
        ),
        (
            {"rules": pairs_of("family_se")},
            Reason.BAD_FIELD,
            "tournament_4 needs rules with teams=pairs, such as those of pairs_se.",
        ),
        *(
            (
                {"rules": pairs_of(**{option: value})},
                Reason.BAD_RULES,
                f"{option} cannot be overridden in tournament_4: its schedule says who deals",
            )
            for option, value in (
                ("dealer_pick", "random"),
                ("next_dealer", "winner"),
                ("scoring", "single_round"),
                ("target_points", "300"),
            )
        ),
        (
            {"settings": MatchSettings(max_rounds=2)},
            Reason.BAD_FIELD,
            "spec.schedule: max_rounds must be 1 or left out in tournament_4",
        ),
        (
            {"schedule": pb.SCHEDULE_PAIRS, "duplicate_deals": True},
            Reason.BAD_FIELD,
            "spec.duplicate_deals is for tournaments: in pairs a block is always one deal.",
        ),
    ],
)
async def test_what_a_format_does_not_play_is_refused(
    service: Service, changes: dict[str, object], reason: Reason, sentence: str
) -> None:
    """Each mistake gets its reason and one sentence that says what would be right."""
    with pytest.raises(Refusal) as refused:
        await service.create(**{**FOUR, **changes})
    assert refused.value.reason is reason
    assert sentence in refused.value.message
    assert (await service.create(**FOUR)).game_count == 3 * 12


@pytest.mark.parametrize(
    ("schedule", "names", "games"),
    [
        (pb.SCHEDULE_ROUND_ROBIN, "abcd", 12),
        (pb.SCHEDULE_PAIRS, "abcdef", 36),
        (pb.SCHEDULE_TOURNAMENT_4, "abcd", 36),
        (pb.SCHEDULE_TOURNAMENT_8, "abcdefgh", 168),
    ],
)
async def test_a_format_is_told_and_played(
    service: Service, schedule: pb.Schedule, names: str, games: int
) -> None:
    """Every format goes through the contract: as asked, with its games, and its tallies."""
    contest = await service.create(**{**FOUR, "schedule": schedule, "entrants": entrants(*names)})
    assert (contest.spec.schedule, contest.game_count) == (schedule, games)
    tournament = schedule in (pb.SCHEDULE_TOURNAMENT_4, pb.SCHEDULE_TOURNAMENT_8)
    assert contest.spec.settings.max_rounds == (1 if tournament else 0)
    await service.play_out(contest.contest_id)
    request = pb.GetStandingsRequest(contest_id=contest.contest_id)
    answer = await service.servicer.GetStandings(request, ORGANISER)
    assert answer.complete_block_count == (3 if tournament else games // 4)
    assert sum(row.point_total for row in answer.standings) == 30 * games
    for row in answer.standings:
        assert row.point_total == pytest.approx(row.points.mean * row.game_count)


async def test_revoked_and_watching_keys_cannot_take_part(service: Service) -> None:
    """An entrant's key must be valid and allowed to play."""
    watching, _ = await service.registry.create("eve", Role.SPECTATOR)
    await service.registry.revoke(service.key_id)
    for key_id in (watching.key_id, service.key_id):
        with pytest.raises(Refusal, match="valid key whose role may play"):
            await service.create(entrants=[*entrants("a"), pb.Entrant(name="b", key_id=key_id)])


async def test_a_contest_is_told_complete(service: Service) -> None:
    """What was asked comes back with every default filled in."""
    contest = await service.create()
    assert len(contest.contest_id) == 26
    assert contest.game_count == 6
    assert contest.spec.concurrent_match_count == 16
    assert contest.spec.settings.move_limit_duration.seconds == 5
    assert [entrant.name for entrant in contest.spec.entrants] == ["ann", "bob"]
    assert contest.spec.entrants[0].key_id == service.key_id
    assert contest.spec.rules.preset == "standard_no"


async def test_a_contest_tells_its_custom_rules(service: Service) -> None:
    """What was asked to be written on the wilds comes back with preset and overrides."""
    written = CustomRule(
        rule_id="crow", operations=["draw(next,3)"], kind=CustomKind.CUSTOM_KIND_MECHANICAL
    )
    asked = RulesChoice(
        preset="official_se",
        overrides=[RulesOverride(option="hand_size", value="5")],
        custom_rules=[written],
    )
    contest = await service.create(rules=asked)
    assert contest.spec.rules == asked


async def test_the_ledger_is_paged_and_chained(service: Service) -> None:
    """Pages hold every game once in schedule order, and each hash follows from the games."""
    contest = await service.create()
    await service.play_out(contest.contest_id)
    games: list[pb.Game] = []
    token = ""
    while True:
        request = pb.ListGamesRequest(contest_id=contest.contest_id, page_size=4, page_token=token)
        page = await service.servicer.ListGames(request, ORGANISER)
        games += page.games
        token = page.next_page_token
        if not token:
            break
    assert [game.game for game in games] == list(range(6))
    chain = genesis(contest.contest_id)
    for game in games:
        chain = chained(chain, game_of(contest.contest_id, game))
        assert game.chain_hash == chain
        assert list(game.seat_names) == (["ann", "bob"] if game.leg == 0 else ["bob", "ann"])
        assert [f.fault_count for f in game.faults[0].faults] == [1]
        assert game.faults[0].faults[0].kind == pb.FAULT_KIND_LATE


async def test_a_bad_page_token_is_refused(service: Service) -> None:
    """A page token that no page gave is a bad field."""
    contest = await service.create()
    request = pb.ListGamesRequest(contest_id=contest.contest_id, page_token="x")
    with pytest.raises(Refusal, match="page_token must be"):
        await service.servicer.ListGames(request, ORGANISER)


async def test_standings_tell_blocks_and_rows(service: Service) -> None:
    """Standings name the blocks they count and hold one row an entrant, best first."""
    contest = await service.create()
    await service.play_out(contest.contest_id)
    request = pb.GetStandingsRequest(contest_id=contest.contest_id)
    answer = await service.servicer.GetStandings(request, ORGANISER)
    assert answer.complete_block_count == 3
    assert answer.contest.state == pb.CONTEST_STATE_FINISHED
    assert sorted(row.name for row in answer.standings) == ["ann", "bob"]
    first, second = answer.standings
    assert first.points.mean >= second.points.mean
    assert first.win_count + second.win_count == 6
    assert first.points.low <= first.points.mean <= first.points.high


async def test_a_watch_ends_with_the_contest(service: Service) -> None:
    """The last message says that the contest is finished and how many decisions were made."""
    contest = await service.create()
    await service.play_out(contest.contest_id)
    request = pb.WatchContestRequest(contest_id=contest.contest_id)
    spectator = Caller("key:s", Role.SPECTATOR, "s")
    told = [news async for news in service.servicer.WatchContest(request, spectator)]
    assert [news.contest.state for news in told] == [pb.CONTEST_STATE_FINISHED]
    assert told[0].decision_count == 6 * 40
    assert told[0].contest.finished_game_count == 6


@pytest.mark.parametrize(
    "method", ["CreateContest", "StartContest", "GetContest", "GetStandings", "ListGames"]
)
async def test_all_but_watching_is_for_organisers(service: Service, method: str) -> None:
    """A bot's key is refused before anything is looked up."""
    request = getattr(pb, f"{method}Request")()
    with pytest.raises(Refusal) as refused:
        await getattr(service.servicer, method)(request, Caller("key:b", Role.BOT, "b"))
    assert refused.value.reason is Reason.FORBIDDEN


@pytest.mark.parametrize("contest_id", ["", "short", "Z" * 26, "z" * 26, "z" * 27])
@pytest.mark.parametrize("method", ["StartContest", "GetContest", "GetStandings", "ListGames"])
async def test_unknown_contests_are_not_found(
    service: Service, method: str, contest_id: str
) -> None:
    """An id that cannot exist is refused like one that does not."""
    request = getattr(pb, f"{method}Request")(contest_id=contest_id)
    with pytest.raises(Refusal) as refused:
        await getattr(service.servicer, method)(request, ORGANISER)
    assert refused.value.reason is Reason.NOT_FOUND
