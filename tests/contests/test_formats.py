"""Are contests of pairs laid out fairly, and played and counted as their format says?"""

from collections import Counter
from itertools import combinations, pairwise

import pytest

from lastcard_engine.presets import preset
from lastcard_engine.rules import DealerPick
from lastcard_engine.settings import Settings
from lastcard_server.contests.contest import Contest
from lastcard_server.contests.contests import Contests
from lastcard_server.contests.formats import Format, plan_of, squares_of, tables_of, terms
from lastcard_server.contests.schedule import Plan, Slot, round_robin, seat_map
from lastcard_server.contests.spec import from_plain, plain
from lastcard_server.journal.memory import MemoryJournal
from tests.contests.fakes import World, a_spec, a_tournament
from tests.contests.test_contests import a_server, play_out, settle

PAIRS = preset("pairs_se")
TOURNAMENTS = pytest.mark.parametrize(
    ("form", "entrants"), [(Format.TOURNAMENT_4, 4), (Format.TOURNAMENT_8, 8)]
)


def slots(plan: Plan) -> list[Slot]:
    """Return the games of a schedule in order."""
    return [plan.slot(game) for game in range(plan.game_count)]


def partners(games: list[Slot]) -> Counter[frozenset[int]]:
    """Count the games of each partnership."""
    return Counter(frozenset(slot.seats[side::2]) for slot in games for side in (0, 1))


def sides(seats: tuple[str, ...]) -> set[frozenset[str]]:
    """Return who sits opposite whom."""
    return {frozenset(seats[::2]), frozenset(seats[1::2])}


def test_in_a_round_robin_of_pairs_partners_take_turns() -> None:
    """Over three blocks everybody has had everybody as partner alike often, on every seat."""
    plan = round_robin(4, squares_of(Format.ROUND_ROBIN, PAIRS, 4), 3)
    games = slots(plan)
    assert partners(games) == dict.fromkeys(map(frozenset, combinations(range(4), 2)), 4)
    seated = Counter((entrant, seat) for slot in games for seat, entrant in enumerate(slot.seats))
    assert set(seated.values()) == {3}
    for block in range(3):
        assert len(partners(list(plan.block(block)))) == 2


def test_over_six_blocks_of_pairs_everybody_sits_beside_everybody_alike() -> None:
    """Each ordered pair of entrants sits side by side equally often, round the table."""
    games = slots(round_robin(4, squares_of(Format.ROUND_ROBIN, PAIRS, 4), 6))
    beside = Counter(pair for s in games for pair in pairwise((*s.seats, s.seats[0])))
    assert len(beside) == 12
    assert set(beside.values()) == {8}


def test_without_teams_nothing_changes() -> None:
    """A round robin of players keeps its squares."""
    assert squares_of(Format.ROUND_ROBIN, preset("standard_no"), 5) == seat_map(5)


@pytest.mark.parametrize("entrants", [4, 6, 10])
def test_pairs_keep_their_partner_and_meet_every_other_pair(entrants: int) -> None:
    """One and two are partners throughout, and each pair sits at each side of the table."""
    tables = tables_of(Format.PAIRS, entrants)
    squares = squares_of(Format.PAIRS, PAIRS, 4)
    games = slots(plan_of(Format.PAIRS, tables, squares, 2, same=False))
    pairs = [frozenset({first, first + 1}) for first in range(0, entrants, 2)]
    assert set(partners(games)) == set(pairs)
    assert len(set(partners(games).values())) == 1
    met = Counter(frozenset(slot.seats) for slot in games)
    assert set(met) == {one | other for one, other in combinations(pairs, 2)}
    assert set(met.values()) == {2 * 4}
    seated = Counter((entrant, seat) for slot in games for seat, entrant in enumerate(slot.seats))
    assert set(seated.values()) == {2 * (entrants // 2 - 1)}


@pytest.mark.parametrize("entrants", [2, 3, 5])
def test_pairs_that_are_not_whole_are_refused(entrants: int) -> None:
    """An entrant without a partner, or a pair without opponents, cannot play."""
    with pytest.raises(ValueError, match="pairs needs an even number of entrants from 4 on"):
        tables_of(Format.PAIRS, entrants)


def test_pairs_play_whole_matches_whose_dealer_is_drawn() -> None:
    """Only a tournament changes what the rules and settings say."""
    settings = Settings(rounds=3)
    assert terms(Format.PAIRS, PAIRS, settings) == (PAIRS, settings)
    rules, _ = terms(Format.TOURNAMENT_4, PAIRS, Settings())
    assert (PAIRS.dealer_pick, rules.dealer_pick) == (DealerPick.DRAW_HIGH, DealerPick.HOST)


async def begun(form: Format, entrants: int, *, duplicate: bool) -> tuple[World, Contests, Contest]:
    """Return a tournament that has begun, on a server of its own."""
    world = World()
    contests, _ = a_server(MemoryJournal(), world)
    spec = a_tournament(form, entrants=entrants, duplicate_deals=duplicate)
    contest = await contests.create("key:o", "r", spec)
    await contests.begin(contest.contest_id)
    return world, contests, contest


@TOURNAMENTS
@pytest.mark.parametrize("duplicate", [False, True])
async def test_a_tournament_is_played_to_its_end(
    form: Format, entrants: int, *, duplicate: bool
) -> None:
    """Every deal is a game whose seats are the schedule's; each counts 4 deals a partner."""
    world, contests, contest = await begun(form, entrants, duplicate=duplicate)
    await settle()
    _, counted, table = await contests.standings(contest.contest_id)
    assert (counted, {row.games for row in table}) == (0, {0})
    await play_out(contests, world, contest)
    games = [row.game for row in contest.ledger]
    assert [game.game for game in games] == list(range({4: 12, 8: 56}[entrants]))
    assert [game.seats for game in games] == [
        tuple(contest.spec.entrants[player].name for player in slot.seats)
        for slot in slots(contest.plan)
    ]
    _, counted, table = await contests.standings(contest.contest_id)
    assert (counted, {row.games for row in table}) == (1, {4 * (entrants - 1)})
    tallies: Counter[str] = Counter()
    for game in games:
        tallies.update(dict(zip(game.seats, game.points, strict=True)))
    assert {row.name: row.total for row in table} == tallies
    assert [row.total for row in table] == sorted(tallies.values(), reverse=True)


@TOURNAMENTS
@pytest.mark.parametrize("duplicate", [False, True])
async def test_deals_share_their_cards_only_where_that_is_asked_for(
    form: Format, entrants: int, *, duplicate: bool
) -> None:
    """A deal is a group of its own, or the four of a round at a table are one."""
    world, contests, contest = await begun(form, entrants, duplicate=duplicate)
    await play_out(contests, world, contest)
    groups: dict[str, list[tuple[str, ...]]] = {}
    for match in world.matches.values():
        groups.setdefault(match.group, []).append(tuple(s.name for s in match.setup.seats))
    assert {len(seats) for seats in groups.values()} == {4 if duplicate else 1}
    for first, *others in groups.values():
        assert all(sides(row) == sides(first) for row in others)
    rows = [row.game for row in contest.ledger]
    assert {game.leg for game in rows} == (set(range(4)) if duplicate else {0})
    assert rows[-1].block == len(groups) - 1


def test_a_spec_is_read_as_it_was_written() -> None:
    """Format, tables and squares stand in the log, whatever a later release would choose."""
    spec = a_tournament(Format.TOURNAMENT_8, entrants=8, duplicate_deals=True)
    assert from_plain(plain(spec)) == spec
    assert from_plain(plain(spec)).plan() == spec.plan()


def test_a_log_without_a_format_is_a_round_robin() -> None:
    """Contests that were created before there were others go on."""
    old = plain(a_spec())
    for key in ("format", "tables", "duplicate_deals"):
        del old[key]
    assert from_plain(old) == a_spec()
