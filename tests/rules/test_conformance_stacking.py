"""Which draw card answers which, and who pays the sum (S10, C34, C35, R229-R239, Q43-Q47, Q68)?"""

from typing import Any

import pytest

import lastcard_engine as engine
from tests.builders import Table, at, make_settings

PAIRS = {"stacking": "pairs"}
CROSS = {**PAIRS, "stack_pairs": ["d2>d2", "d2>wd4", "wd4>wd4"]}
EVERY = {**PAIRS, "stack_pairs": ["d2>d2", "d2>wd4", "wd4>d2", "wd4>wd4"]}
HIGHER = {"stacking": "equal_or_higher"}


def chain(options: dict[str, Any], **more: Any) -> Table:
    """Return a table at which P0 has laid a draw two and P1 faces it."""
    hands = "rD2 r1 r2 | bD2 W4 g1 g2 | gD2 W4 g3 g4 | r4 r6"
    table = at(hands, "r3", options={"wd4_legality": "free", **options}, **more)
    table.act(0, "play rD2")
    return table


def test_r229_r239_q45_the_sum_falls_on_the_first_without_an_answer() -> None:
    """Two, four, six: the fourth seat takes all of it and loses the turn."""
    table = chain(PAIRS)
    assert (table.turn, table.phase, table.view(3).pending) == (1, "answer_draw", 2)
    table.act(1, "play bD2")
    table.act(2, "play gD2")
    assert (table.turn, table.view(0).pending) == (3, 6)
    table.act(3, "accept_draw")
    assert (table.count(3), table.turn, table.view(0).pending) == (8, 0, 0)


def test_r230_r231_a_four_on_a_two_makes_six_and_is_followed_by_fours_alone() -> None:
    """The agreed list decides: a two on a four is refused where it is not listed."""
    table = chain(CROSS)
    table.act(1, "play W4 g")
    assert (table.turn, table.view(2).pending, table.colour) == (2, 6, "g")
    assert table.legal(2) == [*(f"play W4 {c}" for c in "rygb"), "accept_draw"]
    table.refuse(2, "play gD2", "stack_too_low")
    assert "play gD2" in at_four(EVERY).legal(2)


def at_four(options: dict[str, Any], **more: Any) -> Table:
    """Return a table at which P2 faces a wild draw four on a draw two."""
    table = chain(options, **more)
    table.act(1, "play W4 g")
    return table


@pytest.mark.parametrize(
    ("options", "answers"),
    [
        ({"stacking": "none"}, None),
        (PAIRS, ["play bD2"]),
        ({**PAIRS, "stack_pairs": ["d2>wd4"]}, [f"play W4 {c}" for c in "rygb"]),
        (CROSS, ["play bD2", *(f"play W4 {c}" for c in "rygb")]),
        ({**PAIRS, "stack_pairs": ["wd4>wd4"]}, None),
        ({**PAIRS, "stack_pairs": []}, None),
        (HIGHER, ["play bD2", *(f"play W4 {c}" for c in "rygb")]),
    ],
    ids=["none", "d2", "wd4", "cross", "fours", "no_pair", "higher"],
)
def test_c34_c35_what_answers_a_draw_two(
    options: dict[str, Any], answers: list[str] | None
) -> None:
    """Where nothing may answer, the next seat draws at once and is not asked."""
    table = chain(options)
    if answers is None:
        assert (table.count(1), table.turn, table.view(1).pending) == (6, 2, 0)
    else:
        assert table.legal(1) == [*answers, "accept_draw"]


def test_q43_an_answer_needs_no_colour_and_brings_its_own() -> None:
    """Blue on red fits while the debt is open; afterwards blue is in force."""
    table = chain(PAIRS)
    table.act(1, "play bD2")
    assert table.colour == "b"
    table.act(2, "accept_draw")
    assert table.turn == 3
    assert table.legal(3) == ["draw"]


@pytest.mark.parametrize("card", ["gS", "gR", "g5", "W"])
def test_q44_other_cards_are_no_answer(card: str) -> None:
    """Neither skip nor reverse nor a card of the colour dodges the sum, and nobody draws first."""
    table = at(f"gD2 g1 g2 | {card} g3 g4 | y1 y2", "g6", options=PAIRS)
    table.act(0, "play gD2")
    assert table.legal(1) == ["accept_draw"]
    table.refuse(1, f"play {card}{' r' if card == 'W' else ''}", "must_answer")
    table.refuse(1, "draw", "must_answer")
    table.refuse(1, "challenge", "nothing_to_challenge")
    table.refuse(2, "accept_draw", "not_target")


def test_q68_the_sum_may_be_taken_with_an_answer_in_hand() -> None:
    """Holding a draw two forces nobody to lay it; it is also what is done when time runs out."""
    table = chain(PAIRS)
    late = table.clone()
    table.act(1, "accept_draw")
    assert (table.count(1), table.turn) == (6, 2)
    engine.time_out(late.state, engine.Seat(1))
    assert late.hand(1) == table.hand(1)


def challenged(options: dict[str, Any], **more: Any) -> Table:
    """Return a table at which P1 has answered a draw two with a wild draw four under challenge."""
    table = at("rD2 r1 r2 | bD2 W4 g1 | W4 g3 g4 | r4", "r3", options=options, **more)
    table.act(0, "play rD2")
    table.act(1, "play W4 y")
    return table


def test_s10_q46_guilty_is_who_could_have_answered_otherwise() -> None:
    """P1 held a draw two that could answer: it takes all six, P2 plays on by the named colour."""
    table = challenged(CROSS)
    assert (table.phase, table.view(2).pending) == ("challenge", 6)
    assert table.legal(2) == [*(f"play W4 {c}" for c in "rygb"), "accept_draw", "challenge"]
    table.act(2, "challenge")
    assert table.event("ChallengeResolved").guilty
    assert (table.count(1), table.turn, table.phase, table.colour) == (8, 2, "play", "y")
    assert table.view(2).pending == 0
    assert table.legal(2) == [*(f"play W4 {c}" for c in "rygb"), "draw"]


def test_s10_q46_without_another_answer_the_challenger_pays_two_more() -> None:
    """Where only fours answer, the four beside a two of the same hand is lawful: eight for P2."""
    table = challenged({**PAIRS, "stack_pairs": ["d2>wd4", "wd4>wd4"]})
    table.act(2, "challenge")
    assert not table.event("ChallengeResolved").guilty
    assert (table.count(2), table.turn) == (11, 3)


def test_s10_stacking_waives_the_challenge_and_only_the_latest_is_judged() -> None:
    """P2 stacks on an unlawful four; P3 challenges P2, who held nothing else, and pays ten + 2."""
    table = challenged(CROSS)
    table.act(2, "play W4 b")
    assert table.view(3).pending == 10
    table.act(3, "challenge")
    resolved = table.event("ChallengeResolved")
    assert (resolved.offender, resolved.guilty) == (2, False)
    assert (table.count(3), table.count(1)) == (13, 2)


def test_s10_an_unlawful_four_that_costs_at_once_still_passes_the_sum_on() -> None:
    """Under auto_penalty P1 draws its own four first, and P2 faces all six."""
    table = challenged({**CROSS, "wd4_enforcement": "auto_penalty"})
    assert (table.count(1), table.view(2).pending, table.phase) == (6, 6, "answer_draw")
    assert "challenge" not in table.legal(2)


def test_s10_where_it_is_blocked_an_unlawful_four_is_no_answer() -> None:
    """With a draw two in hand the wild draw four is not offered, without one it is."""
    options = {**CROSS, "wd4_enforcement": "block"}
    table = at("rD2 r1 r2 | bD2 W4 g1 | W4 g3 g4 | r4", "r3", options=options)
    table.act(0, "play rD2")
    assert table.legal(1) == ["play bD2", "accept_draw"]
    table.refuse(1, "play W4 g", "draw_four_unlawful")
    table.act(1, "play bD2")
    assert "play W4 g" in table.legal(2)


@pytest.mark.parametrize("first_card", ["apply", "dealer_played"])
def test_s10_a_draw_two_turned_first_may_be_answered(first_card: str) -> None:
    """The seat left of the dealer faces it and passes it on."""
    state, _ = engine.opening_position(
        engine.make_rules("standard_no", {**PAIRS, "first_card": first_card}),
        hands=[[engine.parse_card(card) for card in hand] for hand in (["bD2", "r1"], ["r2"])],
        draw=[engine.parse_card(card) for card in ("rD2", "b1", "b2", "b3", "b4", "b5")],
        settings=make_settings(),
    )
    table = Table(state)
    assert (table.turn, table.legal(0)) == (0, ["play bD2", "accept_draw"])
    table.act(0, "play bD2 uno")
    table.act(1, "accept_draw")
    assert (table.count(1), table.turn) == (5, 0)


def test_q47_a_last_draw_card_brings_the_whole_sum_and_no_answer() -> None:
    """P1 goes out with a draw two on a draw two: P2 draws four although it holds one."""
    table = at("rD2 r1 r2 | bD2 | gD2 g1", "r3", options=PAIRS)
    table.act(0, "play rD2")
    table.act(1, "play bD2")
    assert table.event("RoundEnded").winners == (1,)
    assert len(table.event("RoundEnded").hands[2]) == 6


def test_s10_a_last_draw_two_is_no_answer_where_the_last_card_is_a_number() -> None:
    """S15 beside S10: the seat takes the sum."""
    table = at("rD2 r1 r2 | bD2 | g1 g2", "r3", options={**PAIRS, "finish_card": "number_only"})
    table.act(0, "play rD2")
    table.refuse(1, "play bD2", "finish_number_only")
    assert table.legal(1) == ["accept_draw"]


def test_s10_nobody_jumps_in_on_a_card_that_is_faced() -> None:
    """S11: while the sum waits an identical draw two is no jump-in; nobody is asked for one."""
    table = at("rD2 r1 r2 | g1 g2 | rD2 y2", "r3", options={**PAIRS, "jump_in": "identical"})
    table.act(0, "play rD2")
    table.refuse(2, "jump_in rD2", "jump_in_closed")
    polled = at(
        "rD2 r1 r2 | g1 g2 | rD2 y2",
        "r3",
        options={**PAIRS, "jump_in": "identical"},
        settings=make_settings("polled"),
    )
    polled.act(0, "play rD2")
    assert (polled.turn, polled.state.group) == (1, None)


def test_s10_two_players_pass_the_sum_to_and_fro() -> None:
    """Between two the answer comes back to who began."""
    table = at("rD2 gD2 r1 | bD2 y1 y2", "r3", options=PAIRS)
    table.act(0, "play rD2")
    table.act(1, "play bD2")
    table.act(0, "play gD2 uno")
    table.act(1, "accept_draw")
    assert (table.count(1), table.turn) == (8, 0)


def test_s10_a_sum_that_the_piles_cannot_pay_is_cut_short() -> None:
    """Q01: both piles hold one card besides the top one; nothing is owed later."""
    table = at("rD2 r1 r2 | y1 y2 | g1", "r3", options=PAIRS, draw="b1")
    table.state.discards.clear()
    table.act(0, "play rD2")
    table.act(1, "accept_draw")
    assert (table.count(1), table.turn, table.view(0).pending) == (3, 2, 0)


@pytest.mark.parametrize("reactions", ["race", "polled"])
def test_s10_an_answer_closes_the_window_of_a_forgotten_call(reactions: str) -> None:
    """S09: the victim had a choice, so that its answer begins the next turn."""
    table = at("rD2 r1 | bD2 y1 y2 | g1", "r3", options=PAIRS, settings=make_settings(reactions))
    table.act(0, "play rD2")
    if reactions == "polled":
        table.settle()
    table.act(1, "play bD2")
    if reactions == "race":
        table.refuse(2, "catch 0", "nothing_to_catch")
    assert table.state.duties == 0


def test_s10_a_victim_that_leaves_takes_the_sum_with_it() -> None:
    """S12: its debt vanishes; the next seat has an ordinary turn."""
    table = chain(PAIRS)
    engine.knock_out(table.state, engine.Seat(1))
    assert (table.turn, table.phase, table.view(2).pending) == (2, "play", 0)
    assert "draw" in table.legal(2)
