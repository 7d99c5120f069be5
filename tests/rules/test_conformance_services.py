"""Do the services say and keep what the documents say beyond the play of cards?"""

from random import Random
from typing import Any

import pytest

import lastcard_engine as engine
from lastcard.v1 import match_service_pb2, play_service_pb2, rules_pb2
from lastcard_server.arena.report import as_json
from lastcard_server.contests.standings import standings
from lastcard_server.convert.contests import standing_message
from lastcard_server.matches.match import Stage
from lastcard_server.matches.seating import join, leave
from lastcard_server.sheets.choice import choose
from lastcard_server.sheets.pick import Book, Evening, pick
from lastcard_server.sheets.sheet import Sentence, make_sheet
from lastcard_server.sheets.words import LANGUAGES
from tests.builders import at
from tests.contests.games import a_game
from tests.matches.table import Table, accepted, setup_of
from tests.properties.matches import new_match, step

IDEA = {"id": "idea", "ops": ["draw(next,3)"]}
HOUSE = {"deck_extras": {"custom_wild": 1}, "custom_rules": [IDEA], "uno_penalty_cards": 4}


def said(preset: str, slot: str, language: str = "en", **overrides: object) -> str:
    """Return what the rules sheet says on a line, or of a kind of card."""
    for section in make_sheet(choose(preset, overrides), language).sections:
        for line in section.lines:
            if line.slot == slot:
                return line.text if isinstance(line, Sentence) else line.row.effect
    return ""


@pytest.mark.parametrize("preset", engine.PRESETS)
def test_r036_a_hand_is_shown_sorted_by_colour(preset: str) -> None:
    """Each colour of a hand stands together, wilds last, and its numbers in order."""
    assert at("r3 b1 g2 b9 | y1", "r5").hand(0) == "r3 g2 b1 b9"
    state = new_match(preset, seed=36)
    for seat in range(state.seat_count):
        hand = engine.view(state, engine.Seat(seat)).hand
        colours = [engine.colour_of(card) for card in hand]
        assert colours == sorted(colours, key=lambda c: len(engine.Colour) if c is None else c)
        assert list(hand) == sorted(hand)


@pytest.mark.parametrize("scoring", ["single_round", "winner_takes", "low_total", "elimination"])
def test_r037_points_are_written_down_where_they_count(scoring: str) -> None:
    """With points each round adds its line to the totals; a single round has none."""
    state = new_match("standard_no", 37, seats=3, scoring=scoring, target_points=100)
    dice, totals = Random(37), [0, 0, 0]
    while not state.over:
        for event in step(state, dice):
            if isinstance(event, engine.RoundEnded):
                totals = [a + b for a, b in zip(totals, event.points, strict=True)]
    counted = scoring != "single_round"
    assert state.totals == totals
    assert any(totals) is counted
    sentence = said("standard_no", "scoring", scoring=scoring, target_points=100)
    assert ("points are not written down" in sentence) is not counted
    assert ("100 points" in sentence) is counted


BOOKLETS = [
    ("official_se", "at once", "Swedish official rules"),
    ("official_dk", "keep turning until a number", "Danish official rules"),
    ("official_dk_old", "at once", "Danish official rules, older booklet"),
    ("short_se", "as laid by the dealer", "Swedish official rules"),
    ("family_se", "has no effect", "Swedish official rules"),
    ("house_no", "keep turning until a number", "Norwegian standard rules"),
]


@pytest.mark.parametrize(("preset", "rule", "edition"), BOOKLETS)
def test_r059_the_sheet_tells_the_start_rule_and_the_edition(
    preset: str, rule: str, edition: str
) -> None:
    """Which booklet holds decides what the first card does; the sheet names both."""
    assert rule in said(preset, "first_card")
    assert edition in make_sheet(choose(preset, {}), "en").legend


@pytest.mark.parametrize("language", LANGUAGES)
def test_r117_the_sheet_for_two_says_what_a_reverse_does(language: str) -> None:
    """Both values have their words, without anybody asking for them."""
    skip = said("duel_no", "reverse", language)
    turn_only = said("duel_no", "reverse", language, reverse_two_players="turn_only")
    assert skip != turn_only
    assert said("standard_no", "reverse", language, max_players=2) == turn_only


def test_r152_r237_rules_are_in_force_for_those_who_sat_down_to_them() -> None:
    """Nothing is dealt while one player has not joined, or has left again; others may then."""
    table = Table(setup_of(2, open_seats=2, overrides=HOUSE))
    match = table.match
    stages = [match.stage]

    def sit(who: str) -> None:
        join(match, who, "Ada", "r", None, table.clock.us)
        stages.append(match.stage)

    sit("key:a")  # while the other declines nothing is asked
    assert match.turns == {}
    sit("key:b")
    leave(match, "key:b", 0, 1, table.clock.us)
    assert match.turns == {}
    sit("key:c")
    for seat in range(2):
        accepted(table.answer(seat))
    stages.append(match.stage)
    assert stages == [Stage.OPEN, Stage.OPEN, Stage.READYING, Stage.READYING, Stage.RUNNING]
    assert match.setup.rules.custom_rules[0].id == "idea"


def test_r152_r237_the_rules_are_told_complete_before_anybody_joins() -> None:
    """A match shows every option to those who look at it, whatever the preset's name promises."""
    rules = match_service_pb2.Match.DESCRIPTOR.fields_by_name["rules"]
    assert rules.message_type is rules_pb2.Rules.DESCRIPTOR
    assert len(rules.message_type.fields) == 38


@pytest.mark.parametrize("talk", [False, True])
def test_r225_the_sheet_says_whether_partners_may_talk(*, talk: bool) -> None:
    """What partners say to each other is theirs: no request of players carries words to others."""
    assert ("may talk" in said("pairs_se", "partner_talk", partner_talk=talk)) is talk
    silent, talking = (new_match("pairs_se", 225, partner_talk=value) for value in (False, True))
    assert engine.table_view(silent) == engine.table_view(talking)
    words = {field.full_name for field in strings(play_service_pb2.PlayRequest.DESCRIPTOR, set())}
    assert {name.rpartition(".")[2] for name in words} == {
        "instance",
        "match_id",
        "match_ids",  # are told to nobody
        "request_id",
    }


def strings(message: Any, seen: set[str]) -> list[Any]:
    """Return the fields with text of a message and of all messages in it."""
    if message.full_name in seen:
        return []
    seen.add(message.full_name)
    found = [field for field in message.fields if field.type == field.TYPE_STRING]
    for field in message.fields:
        if field.message_type is not None:
            found += strings(field.message_type, seen)
    return found


def test_r236_nothing_changes_the_rules_of_a_match() -> None:
    """Of all that can be asked of matches and in play, creating one alone names rules."""
    naming = {
        method.full_name.rpartition(".")[2]
        for file in (match_service_pb2, play_service_pb2)
        for service in file.DESCRIPTOR.services_by_name.values()
        for method in service.methods
        if "rules" in method.input_type.fields_by_name
    }
    assert naming == {"CreateMatch"}


@pytest.mark.parametrize("option", ["stacking", "draw_mode", "jump_in"])
@pytest.mark.parametrize("preset", engine.PRESETS)
def test_r236_every_sheet_settles_what_is_argued_about(preset: str, option: str) -> None:
    """Stacking, drawing until a card fits, laying out of turn: allowed or not, each is said."""
    assert said(preset, option)


@pytest.mark.parametrize("language", LANGUAGES)
def test_c39_the_time_of_a_round_is_told_with_its_books(language: str) -> None:
    """One book says 10 to 30 minutes and another 15 to 45; who has little time is told both."""
    reasons = pick(Evening(minutes=30, book=Book.DK), language).reasons
    told = " ".join(reason.text for reason in reasons)
    assert all(number in told for number in ("10", "30", "15", "45"))


def test_q60_equal_tallies_share_the_first_place() -> None:
    """Two that have the highest personal tally are both first, and the next is third."""
    game = a_game(0, seats="ABCD", places=(1, 3, 1, 3), points=(75, 20, 75, 10))
    rows = [standing_message(row) for row in standings("c", "ABCD", [[game]])]
    ranks = {row["bot"]: row["rank"] for row in as_json(rows, tournament=True)}
    assert ranks == {"A": 1, "C": 1, "B": 3, "D": 4}


def test_q61_a_blocked_deal_scores_nothing_and_counts_as_played() -> None:
    """All share its first place and get no point; the tournament has a deal less to play."""
    settings = engine.Settings(action_cap=1, rounds=1)
    rules = engine.preset("tournament_4_se")
    match = engine.new_match(rules, settings, 4, bytes(32))
    engine.start_round(match)
    seat = engine.to_act(match)[0]
    events = engine.apply(match, seat, engine.default_action(match, seat))
    (ended,) = (event for event in events if isinstance(event, engine.RoundEnded))
    (over,) = (event for event in events if isinstance(event, engine.MatchEnded))
    assert (ended.winners, ended.points) == ((), (0, 0, 0, 0))
    game = a_game(0, seats="ABCD", places=over.places, points=ended.points)
    table = standings("c", "ABCD", [[game]])
    assert [(row.games, row.total) for row in table] == [(1, 0)] * 4
