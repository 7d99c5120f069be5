"""Are tournaments with changing partners laid out and scored as the rules have it (R221-R224)?"""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import pytest

import lastcard_engine as engine
from lastcard_server.contests.formats import ROUNDS, Format, plan_of, squares_of, tables_of, terms
from lastcard_server.contests.ledger import Game
from lastcard_server.contests.schedule import Plan, Slot
from lastcard_server.contests.standings import standings
from tests.builders import at
from tests.contests.games import a_game

FOUR, EIGHT = Format.TOURNAMENT_4, Format.TOURNAMENT_8
PLAYERS = {FOUR: 4, EIGHT: 8}
PRESETS = {FOUR: "tournament_4_se", EIGHT: "tournament_8_se"}
BOTH = pytest.mark.parametrize("form", [FOUR, EIGHT])
ALL = pytest.mark.parametrize(
    ("form", "same"), [(FOUR, False), (FOUR, True), (EIGHT, False), (EIGHT, True)]
)

LAW = {
    FOUR: ["A+B v C+D", "A+C v B+D", "A+D v B+C"],
    EIGHT: [
        "A+H v B+D | C+G v E+F",
        "B+H v C+E | A+D v F+G",
        "C+H v D+F | B+E v A+G",
        "D+H v E+G | C+F v A+B",
        "E+H v A+F | D+G v B+C",
        "F+H v B+G | A+E v C+D",
        "G+H v A+C | B+F v D+E",
    ],
}
"""The tables of the tournament, each deal of a round alike: who sits N and S against E and W."""


def plan(form: Format, *, same: bool = False, cycles: int = 1) -> Plan:
    """Return a tournament's schedule."""
    rules = engine.preset(PRESETS[form])
    squares, tables = squares_of(form, rules, 4), tables_of(form, PLAYERS[form])
    return plan_of(form, tables, squares, cycles, same=same)


def slots(plan: Plan) -> list[Slot]:
    """Return the games of a schedule in order."""
    return [plan.slot(game) for game in range(plan.game_count)]


def sides(slot: Slot) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the two pairs of a game: those who sit opposite each other."""
    north, east, south, west = slot.seats
    return tuple(sorted((north, south))), tuple(sorted((east, west)))


def partners(games: list[Slot]) -> Counter[tuple[int, ...]]:
    """Count the deals of each partnership."""
    return Counter(pair for slot in games for pair in sides(slot))


def opponents(games: list[Slot]) -> Counter[tuple[int, ...]]:
    """Count the deals in which two players oppose each other."""
    faced = (sides(slot) for slot in games)
    return Counter(tuple(sorted((a, b))) for one, other in faced for a in one for b in other)


def rounds(form: Format, games: list[Slot]) -> Iterator[list[Slot]]:
    """Yield the games of each round: four deals at every table."""
    size = 4 * len(ROUNDS[form][0])
    return (games[first : first + size] for first in range(0, len(games), size))


@ALL
def test_r221_r224_everybody_partners_everybody_in_four_deals(form: Format, *, same: bool) -> None:
    """12 deals with four players, 56 table deals with eight, 28 for each of them."""
    games = slots(plan(form, same=same))
    players = PLAYERS[form]
    everybody = set(combinations(range(players), 2))
    assert len(games) == {FOUR: 12, EIGHT: 56}[form]
    assert Counter(player for slot in games for player in slot.seats) == dict.fromkeys(
        range(players), 4 * (players - 1)
    )
    assert partners(games) == dict.fromkeys(everybody, 4)
    assert opponents(games) == dict.fromkeys(everybody, 8)


def told(slot: Slot) -> str:
    """Return the table of a round's first deal, which N deals, as the law writes it."""
    east, south, west, north = (chr(ord("A") + player) for player in slot.seats)
    return f"{north}+{south} v {east}+{west}"


@BOTH
def test_r221_r224_each_round_is_that_of_the_law(form: Format) -> None:
    """Every round has the tables of the rules, four deals at each, and each player at one table."""
    for games, law in zip(rounds(form, slots(plan(form))), LAW[form], strict=True):
        tables = [games[first : first + 4] for first in range(0, len(games), 4)]
        assert " | ".join(told(table[0]) for table in tables) == law
        for table in tables:
            assert len({frozenset(sides(slot)) for slot in table}) == 1
        seated = [player for table in tables for player in table[0].seats]
        assert sorted(seated) == list(range(PLAYERS[form]))


@BOTH
def test_r222_the_dealer_of_deal_k_is_seat_k(form: Format) -> None:
    """N, E, S and W deal in turn, each once a round, whatever the preset's draw for the deal."""
    rules, settings = terms(form, engine.preset(PRESETS[form]), engine.Settings())
    for games in rounds(form, slots(plan(form))):
        for first in range(0, len(games), 4):
            table = games[first : first + 4]
            north, east, south, west = (table[0].seats[seat] for seat in (3, 0, 1, 2))
            dealers = []
            for slot in table:
                match = engine.new_match(rules, settings, 4, engine.deal_key(bytes(32), []))
                events = engine.start_round(match)
                (dealer,) = (e.seat for e in events if isinstance(e, engine.DealerChosen))
                assert not any(isinstance(e, engine.DealerDrawn) for e in events)
                dealers.append(slot.seats[dealer])
            assert dealers == [north, east, south, west]


def played(form: Format, games: Plan, names: str) -> list[Game]:
    """Return the games of a tournament in which everybody takes the first lawful action."""
    rules, settings = terms(form, engine.preset(PRESETS[form]), engine.Settings())
    result = []
    for slot in slots(games):
        key = engine.deal_key(bytes([slot.block]) * 32, [])
        match = engine.new_match(rules, settings, 4, key)
        engine.start_round(match)
        events: tuple[engine.Event, ...] = ()
        while seats := engine.to_act(match):
            action = engine.legal_actions(match, seats[0])[0]
            events = tuple(engine.apply(match, seats[0], action, uno=True))
        ended, over = events[-2:]
        assert isinstance(ended, engine.RoundEnded)
        assert isinstance(over, engine.MatchEnded)
        points = [ended.value if seat in ended.winners else 0 for seat in range(4)]
        who = [names[player] for player in slot.seats]
        result.append(a_game(slot.game, seats=who, places=over.places, points=points))
    return result


@BOTH
def test_r222_the_winning_pair_is_credited_in_full_to_each_of_the_two(form: Format) -> None:
    """Over a tournament played out each tally is the sum of what its pairs won."""
    names = "ABCDEFGH"[: PLAYERS[form]]
    games = played(form, plan(form), names)
    tallies = dict.fromkeys(names, 0)
    for game in games:
        north, east, south, west = game.points
        assert (north, east) == (south, west)
        assert min(north, east) == 0 < max(north, east)
        for name, points in zip(game.seats, game.points, strict=True):
            tallies[name] += points
    table = standings("c", names, [games])
    assert {row.name: row.total for row in table} == tallies
    assert sum(tallies.values()) == sum(sum(game.points) for game in games)
    assert [row.total for row in table] == sorted(tallies.values(), reverse=True)


@BOTH
def test_r222_a_tournament_has_no_target(form: Format) -> None:
    """A match is one deal, however little it is worth; more than one is refused."""
    rules, settings = terms(form, engine.preset(PRESETS[form]), engine.Settings())
    assert settings.rounds == 1
    table = at("r1 | g1 | r2 | b1", "r9", preset=PRESETS[form], settings=settings)
    table.act(0, "play r1")
    assert table.event("RoundEnded").value == 2 < rules.target_points
    assert table.event("MatchEnded").reason == "rounds_played"
    with pytest.raises(ValueError, match="a game is one deal"):
        terms(form, rules, engine.Settings(rounds=2))


def tallied(*tallies: int) -> list[tuple[int, str]]:
    """Return total and name of each standing after games that gave these points."""
    names = "ABCD"
    games = [
        a_game(number, seats=names, places=(1, 1, 1, 1), points=points)
        for number, points in enumerate(zip(*[(t // 2, t - t // 2) for t in tallies], strict=True))
    ]
    return [(row.total, row.name) for row in standings("c", names, [games])]


def test_r223_the_highest_personal_tally_wins() -> None:
    """Of 410, 395, 520 and 300 the third player's wins."""
    assert tallied(410, 395, 520, 300) == [(520, "C"), (410, "A"), (395, "B"), (300, "D")]


def test_r223_equal_tallies_are_equal_whatever_they_are_made_of() -> None:
    """Two that have as much have the same mean, so that they share their rank."""
    games = [
        a_game(0, seats="ABCD", places=(1, 3, 1, 3), points=(1, 0, 1, 0)),
        a_game(1, seats="ABCD", places=(1, 3, 3, 1), points=(2, 0, 0, 2)),
        a_game(2, seats="ABCD", places=(3, 1, 1, 3), points=(0, 1, 1, 0)),
    ]
    units = [games, [*games, *games], games]
    both = {row.name: row for row in standings("c", "ABCD", units)}
    assert both["C"].total == both["D"].total
    assert both["C"].points.mean == both["D"].points.mean


@BOTH
def test_r224_a_tournament_counts_as_a_whole(form: Format) -> None:
    """Partners are balanced over all rounds alone; played twice it is two units."""
    twice = plan(form, cycles=2)
    games = slots(twice)
    assert twice.unit * 2 == len(games)
    assert partners(games[: twice.unit]) == partners(games[twice.unit :])


@pytest.mark.parametrize("players", [3, 4, 5, 8])
@BOTH
def test_r221_r224_any_other_number_of_players_is_refused(form: Format, players: int) -> None:
    """Four play the one and eight the other, and the refusal says so."""
    if players != PLAYERS[form]:
        with pytest.raises(ValueError, match=f"{form} needs {PLAYERS[form]} entrants"):
            tables_of(form, players)


@BOTH
def test_r217_tournaments_are_for_rules_of_pairs(form: Format) -> None:
    """Where everybody plays for himself there are no partners to change."""
    with pytest.raises(ValueError, match="needs rules with teams=pairs"):
        terms(form, engine.preset("family_se"), engine.Settings())
