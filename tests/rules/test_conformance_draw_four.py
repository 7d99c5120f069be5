"""When is a wild draw four lawful, and what does a challenge do (R110-R139, Q13-Q18)?"""

from typing import Any

import pytest

import lastcard_engine as engine
from tests.builders import Table, at, text

ACCEPTED = "| b1 g1 | y1 y2"


def facing(hand: str, *, top: str = "r6", preset: str = "standard_no", **more: Any) -> Table:
    """Return a table at which P0 has just laid a wild draw four naming blue and P1 is asked."""
    table = at(f"W4 {hand} {ACCEPTED}", top, preset=preset, **more)
    table.act(0, "play W4 b")
    return table


def test_r110_r137_accepting_draws_four_and_loses_the_turn() -> None:
    """The next seat draws four, is passed over, and the named colour holds."""
    table = facing("g6 y9")
    table.act(1, "accept_draw")
    assert (table.count(1), table.turn, table.colour) == (6, 2, "b")


def test_r111_r126_q13_s09_only_the_seat_that_would_draw_is_asked() -> None:
    """P1 chooses between accepting and challenging; P2 is refused, P1 may do nothing else."""
    table = facing("g6 y9")
    assert (table.turn, table.phase) == (1, "challenge")
    assert table.legal(1) == ["accept_draw", "challenge"]
    for action in ("challenge", "accept_draw"):
        table.refuse(2, action, "not_target")
    for action in ("play b1", "draw", "keep"):
        assert not table.accepts(1, action)
    table.refuse(0, "play g6", "not_your_turn")


def test_r112_the_drawing_seat_may_lay_nothing() -> None:
    """After drawing four the seat is refused a play."""
    table = facing("g6 y9", preset="family_se")
    assert table.count(1) == 6
    table.refuse(1, "play b1", "not_your_turn")


@pytest.mark.parametrize(
    ("hand", "top", "lawful"),
    [
        pytest.param("r2 b3", "r6", False, id="R119-colour"),
        pytest.param("b2 g3", "r6", True, id="R119-none"),
        pytest.param("g6 b3", "r6", True, id="R120"),
        pytest.param("W b1", "r6", True, id="R121"),
        pytest.param("gS b1", "r6", True, id="R122-other"),
        pytest.param("rS b1", "r6", False, id="R122-colour"),
        pytest.param("g6 b1", "r6", True, id="R130"),
        pytest.param("bS r1", "b3", False, id="C08"),
        pytest.param("W4 g1", "r6", True, id="Q17"),
    ],
)
@pytest.mark.parametrize("preset", ["standard_no", "official_se"])
def test_lawfulness_is_about_the_colour_in_force(
    preset: str, hand: str, top: str, *, lawful: bool
) -> None:
    """Only a card of the colour in force makes the play unlawful; wilds have no colour."""
    table = at(f"W4 {hand} {ACCEPTED}", top, preset=preset)
    assert ("W4" in table.lawful_cards(0)) is lawful
    assert ("W4" in table.bluff_cards(0)) is not lawful
    table.act(0, "play W4 g")
    table.act(1, "challenge")
    assert table.event("ChallengeResolved").guilty is not lawful


def test_r131_a_matching_card_means_one_of_the_colour() -> None:
    """A matching number is no offence, a matching colour is."""
    for hand, guilty in (("g6 y9", False), ("r9 y9", True)):
        table = facing(hand, preset="official_se")
        table.act(1, "challenge")
        assert table.event("ChallengeResolved").guilty is guilty


@pytest.mark.parametrize(
    ("hand", "lawful"), [("g6", False), ("W", False), ("g5", True), ("r1", False)]
)
def test_r123_c50_c07_no_other_card_may_be_playable(hand: str, *, lawful: bool) -> None:
    """Under no_playable any playable card in hand forbids it."""
    table = at(f"W4 {hand} b9 {ACCEPTED}", "r6", preset="guide_se")
    assert ("W4" in table.lawful_cards(0)) is lawful


def test_s17_other_wild_draw_fours_do_not_count_under_no_playable() -> None:
    """Holding a second wild draw four does not make the first unlawful."""
    table = at(f"W4 W4 g5 {ACCEPTED}", "r6", preset="guide_se")
    assert "W4" in table.lawful_cards(0)


@pytest.mark.parametrize(
    ("preset", "options"),
    [
        pytest.param("short_se", {}, id="R124"),
        pytest.param("official_dk", {"wd4_legality": "free"}, id="R125"),
    ],
)
def test_free_wild_draw_fours(preset: str, options: dict[str, object]) -> None:
    """Where it is free it is lawful with red in hand, and there is no challenge."""
    table = at(f"W4 r2 b3 {ACCEPTED}", "r6", preset=preset, options=options)
    assert "W4" in table.lawful_cards(0)
    table.act(0, "play W4 b")
    assert (table.count(1), table.turn, table.phase) == (6, 2, "play")


def test_r127_r128_q16_the_hand_is_shown_to_the_challenger_alone() -> None:
    """The challenger sees the hand right after the play; nobody else sees a card of it."""
    table = facing("g6 y9")
    table.act(1, "challenge")
    shown = table.event("HandShown")
    seen = [engine.redact(shown, engine.Seat(1)), engine.redact(shown, engine.Seat(2))]
    assert text(seen[0].cards).split() == ["y9", "g6"]  # type: ignore[union-attr]
    assert seen[1] is None or seen[1].cards == ()  # type: ignore[union-attr]
    table_event = engine.redact(shown, None)
    assert table_event is None or table_event.cards == ()  # type: ignore[union-attr]


@pytest.mark.parametrize(("hand", "guilty"), [("b3 y9", False), ("r2 y9", True)])
def test_r129_the_check_concerns_the_colour_before_the_play(hand: str, *, guilty: bool) -> None:
    """With red in force and blue named, holding blue is innocent and holding red is guilty."""
    table = facing(hand)
    table.act(1, "challenge")
    assert table.event("ChallengeResolved").guilty is guilty


@pytest.mark.parametrize("preset", ["standard_no", "official_se", "official_dk"])
def test_r132_r133_r136_c09_c10_guilty(preset: str) -> None:
    """The offender draws four, the challenger draws nothing and plays on the named colour."""
    table = facing("r2 b3", preset=preset)
    table.act(1, "challenge")
    assert table.counts == [6, 2, 2]
    assert (table.turn, table.phase, table.colour) == (1, "play", "b")
    assert table.lawful_cards(1) == {"b1"}
    assert table.event("CardsDrawn").cause == "challenge_won"


@pytest.mark.parametrize("preset", ["standard_no", "official_se", "official_dk"])
def test_r134_r135_r136_innocent(preset: str) -> None:
    """The challenger draws six in all and loses the turn; the named colour holds."""
    table = facing("g6 y9", preset=preset)
    table.act(1, "challenge")
    assert table.counts == [2, 8, 2]
    assert (table.turn, table.phase, table.colour) == (2, "play", "b")
    assert sum(event.count for event in table.all_events("CardsDrawn")) == 6


def test_r138_auto_penalty_makes_the_offender_draw_too() -> None:
    """Without challenges the offender and the victim draw four each; the turn goes on."""
    table = at("W4 r2 b3 | b1 g1 | y1 y2", "r6", preset="family_se")
    table.act(0, "play W4 b")
    assert (table.counts, table.turn, table.colour) == ([6, 6, 2], 2, "b")
    lawful = at("W4 g2 b3 | b1 g1 | y1 y2", "r6", preset="family_se")
    lawful.act(0, "play W4 b")
    assert lawful.counts == [2, 6, 2]


def test_r139_auto_penalty_for_any_other_playable_card() -> None:
    """With no_playable the same number in another colour costs four cards."""
    options = {"wd4_legality": "no_playable"}
    table = at("W4 g6 b3 | b1 g1 | y1 y2", "r6", preset="family_se", options=options)
    table.act(0, "play W4 b")
    assert table.counts == [6, 6, 2]


def test_q18_block_takes_the_unlawful_play_away() -> None:
    """With block an unlawful wild draw four is not offered and is refused."""
    table = at(f"W4 r2 b3 {ACCEPTED}", "r6", options={"wd4_enforcement": "block"})
    assert table.legal(0) == ["play r2", "draw"]
    assert not table.accepts(0, "play W4 b")
    lawful = at(f"W4 g2 b3 {ACCEPTED}", "r6", options={"wd4_enforcement": "block"})
    lawful.act(0, "play W4 b")
    assert (lawful.turn, lawful.count(1)) == (2, 6)


def test_q14_s17_lawfulness_is_judged_at_the_play() -> None:
    """Cards that come into the hand before the challenge do not change the verdict."""
    table = at("W4 g6 | b1 g1 | y1 y2", "r6", draw="r9 r8 b7 b6 b5 b4 b3 b2")
    table.act(0, "play W4 b")
    table.act(2, "catch 0")
    assert table.hand(0).split() == ["r8", "r9", "g6"]
    table.act(1, "challenge")
    assert table.event("ChallengeResolved").guilty is False
    assert text(table.event("HandShown").cards) == "g6"


def test_q14_a_card_drawn_away_from_the_offender_stays_an_offence() -> None:
    """The stored verdict is guilty although the colour in force has changed by the play."""
    table = facing("r2 b3")
    assert table.colour == "b"
    table.act(1, "challenge")
    assert table.event("ChallengeResolved").guilty is True


def test_q15_a_last_wild_draw_four_is_never_challenged() -> None:
    """Going out on one is lawful; the next seat draws four without a choice."""
    table = at("W4 | b1 g1 | y1 y2", "r6", draw="b9 b8 b7 b6 b5")
    assert table.lawful_cards(0) == {"W4"}
    table.act(0, "play W4 r")
    assert table.event("RoundEnded").winners == (0,)
    assert sum(event.count for event in table.all_events("CardsDrawn")) == 4


def test_q17_a_drawn_wild_draw_four_counts_the_whole_hand() -> None:
    """The drawn card is a bluff while another card of the colour in force is held."""
    for hand, lawful in (("r2 g1", False), ("y2 g1", True)):
        table = at(f"{hand} | b1 g2 | y1 y2", "r6", draw="W4 b9 b8 b7 b6 b5 b4 b3")
        table.act(0, "draw")
        assert ("W4" in table.lawful_cards(0)) is lawful
        table.act(0, "play W4 b")
        table.act(1, "challenge")
        assert table.event("ChallengeResolved").guilty is not lawful


def test_q13_whose_time_runs_out_accepts() -> None:
    """A challenge phase that times out is an accepted draw."""
    table = facing("r2 b3")
    assert engine.format_action(engine.default_action(table.state, engine.Seat(1))) == "accept_draw"
    table.events = list(engine.time_out(table.state, engine.Seat(1)))
    assert (table.count(1), table.turn) == (6, 2)


def test_r119_a_bluff_is_refused_to_nobody_else() -> None:
    """A bluff is a legal action marked unlawful for its holder alone; others cannot ask."""
    table = at(f"W4 r2 b3 {ACCEPTED}", "r6")
    play = engine.Play(engine.parse_card("W4"), engine.parse_colour("b"))
    assert engine.is_bluff(table.state, engine.Seat(0), play)
    assert play in engine.legal_actions(table.state, engine.Seat(0))
