"""How do partners play together (R217-R220, Q12, Q58, Q59, Q63)?"""

import pytest

import lastcard_engine as engine
from tests.builders import at, deal, make_rules, make_settings

SIDES = [(0, 2), (1, 3)]


@pytest.mark.parametrize("preset", ["pairs_se", "tournament_4_se", "tournament_8_se"])
def test_r217_pairs_are_four_seats_with_partners_opposite(preset: str) -> None:
    """Any other number of seats is refused, and the refusal says what can play."""
    table = deal(4, preset=preset)
    assert table.counts == [7, 7, 7, 7]
    for seats in (2, 3):
        with pytest.raises(engine.RulesError, match="needs exactly 4 seats") as refusal:
            engine.validate(make_rules(preset), seats)
        assert (refusal.value.reason, refusal.value.option) == ("contradiction", "teams")


def test_q63_pairs_need_room_for_four() -> None:
    """Rules that seat fewer than four contradict pairs."""
    with pytest.raises(engine.RulesError, match="max_players of 4 or more"):
        make_rules("duel_no", teams="pairs")


@pytest.mark.parametrize("scoring", ["low_total", "elimination"])
def test_s08_q63_pairs_exclude_scorings_by_single_seats(scoring: str) -> None:
    """Totals of what each seat is left with know no side."""
    with pytest.raises(engine.RulesError, match="teams exclude") as refusal:
        make_rules("pairs_se", scoring=scoring)
    assert refusal.value.reason == "contradiction"


def test_q63_where_a_wild_draw_four_is_free_its_enforcement_means_nothing() -> None:
    """Whatever the option says nobody is asked and nobody is punished."""
    for enforcement in ("challenge", "auto_penalty", "block"):
        options = {"wd4_legality": "free", "wd4_enforcement": enforcement}
        table = at("W4 r2 r3 | g1 | y1 y2", "r9", options=options)
        table.act(0, "play W4 g")
        assert (table.turn, table.counts) == (2, [2, 5, 2])


@pytest.mark.parametrize("winner", range(4))
def test_r218_the_round_ends_when_one_of_a_pair_is_out(winner: int) -> None:
    """Whoever goes out wins with his partner."""
    hands = ["r2 r3"] * 4
    hands[winner] = "r1"
    table = at(" | ".join(hands), "r9", preset="pairs_se", turn=winner)
    table.act(winner, "play r1")
    ended = table.event("RoundEnded")
    assert (ended.reason, ended.winners) == ("went_out", SIDES[winner % 2])


def test_r219_both_score_the_hands_of_their_opponents() -> None:
    """P1 30, P3 45, P0 60 left: the pair of P2 scores 75, the partner's own hand does not count."""
    table = at("W r9 r1 | rS r9 g1 | r1 | gS bS g5", "r9", preset="pairs_se", turn=2)
    table.act(2, "play r1")
    ended = table.event("RoundEnded")
    assert ended.values == (60, 30, 0, 45)
    assert (ended.value, ended.points) == (75, (75, 0, 75, 0))
    assert table.state.totals == [75, 0, 75, 0]


def test_r220_the_limit_is_that_of_the_basic_game() -> None:
    """A pair that reaches 500 wins the match and shares the first place."""
    hands = "r1 | g1 g2 | b1 b2 | y1 W"
    for before, over in ((425, False), (446, True)):
        totals = [before, 0, before, 0]
        table = at(hands, "r9", preset="pairs_se", totals=totals)
        table.act(0, "play r1")
        assert table.state.totals[0] == before + 54
        assert table.state.over is over
    assert table.event("MatchEnded").places == (1, 3, 1, 3)


def test_r220_a_single_round_is_won_by_the_pair() -> None:
    """Without points the two share the first place."""
    table = at("r1 | g1 g2 | b1 b2 | y1", "r9", options={"teams": "pairs"})
    table.act(0, "play r1")
    assert table.event("MatchEnded").places == (1, 3, 1, 3)


def test_q02_a_blocked_single_round_goes_to_the_lowest_hand_and_its_partner() -> None:
    """P3 holds least when nobody can play or draw; P1 wins with it."""
    table = at("g5 | g9 | g7 | g1", "r4", draw="", options={"teams": "pairs"})
    for seat in range(4):
        table.act(seat, "draw")
    ended = table.event("RoundEnded")
    assert (ended.reason, ended.winners) == ("blocked", (1, 3))


@pytest.mark.parametrize("reactions", ["race", "polled"])
def test_q12_q58_partners_do_not_catch_each_other(reactions: str) -> None:
    """Of the three others the two opponents may catch; the partner is not asked."""
    settings = make_settings(reactions)
    table = at("r2 b3 | g1 g2 | y1 y2 | b1 b2", "r9", preset="pairs_se", settings=settings)
    table.act(0, "play r2")
    if reactions == "polled":
        assert engine.to_act(table.state) == (1, 3)
    else:
        table.refuse(2, "catch 0", "nothing_to_catch")
    assert table.clone().accepts(1, "catch 0")
    assert table.clone().accepts(3, "catch 0")


def test_q12_a_table_of_partners_alone_asks_nobody() -> None:
    """With both opponents out nobody can catch: no group opens, and the window still ends."""
    table = at("r2 b3 | g1 | r4 r5 | b1", "r9", preset="pairs_se", settings=make_settings("polled"))
    engine.knock_out(table.state, engine.Seat(1))
    engine.knock_out(table.state, engine.Seat(3))
    table.act(0, "play r2")
    assert (table.state.group, table.turn, table.state.duties) == (None, 2, 1)
    table.act(2, "play r4 uno")
    assert (table.turn, table.state.duties) == (0, 0)


def test_q58_a_partner_sees_what_everybody_sees() -> None:
    """What a seat is shown does not depend on its partner's cards."""
    views = set()
    for hand in ("y1 y2", "b8 W"):
        table = at(f"r2 b3 | g1 g2 | {hand} | b1 b2", "r9", preset="pairs_se")
        views.add(engine.view(table.state, engine.Seat(0)))
    assert len(views) == 1


def test_q58_hands_may_be_swapped_with_the_partner() -> None:
    """A seven may be aimed at any other seat, and at the partner."""
    table = at("r7 r1 | g1 | y1 y2 | b1", "r9", preset="pairs_se", options={"seven_zero": True})
    assert table.legal(0)[1:] == ["play r7 >1", "play r7 >2", "play r7 >3"]
    table.act(0, "play r7 >2")
    assert (table.hand(0), table.hand(2)) == ("y1 y2", "r1")


@pytest.mark.parametrize("direction", [1, -1])
def test_q59_a_draw_card_laid_last_hits_the_next_seat_an_opponent(direction: int) -> None:
    """The next player in the direction of play draws, and the cards count."""
    options = {"finish_draw_counts": True}
    table = at("rD2 | g1 | y1 | b1", "r9", preset="pairs_se", direction=direction, options=options)
    table.act(0, "play rD2")
    drawn = table.event("CardsDrawn")
    assert (drawn.seat, drawn.count) == (direction % 4, 2)
    assert table.event("RoundEnded").winners == (0, 2)


def test_q20_the_winner_who_deals_is_the_pairs_first_seat() -> None:
    """With next_dealer=winner the pair's member with the lower number deals."""
    options = {"next_dealer": "winner"}
    table = at("r2 r3 | g1 g2 | r1 | b1 b2", "r9", preset="pairs_se", turn=2, options=options)
    table.act(2, "play r1")
    events = engine.start_round(table.state)
    assert [e.seat for e in events if isinstance(e, engine.DealerChosen)] == [0]


def test_c38_whether_partners_talk_changes_no_act() -> None:
    """The option is told with the rules; the same deal offers the same with and without it."""
    silent, talking = (deal(4, preset="pairs_se", partner_talk=talk) for talk in (False, True))
    assert silent.legal() == talking.legal()
    assert silent.view(0) == talking.view(0)
    assert talking.state.rules.partner_talk
