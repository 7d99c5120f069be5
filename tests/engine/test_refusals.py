"""Is everything that is out of place refused with its own reason, and nothing changed?"""

import pytest

import lastcard_engine as engine
from loadtest.build import build
from tests.builders import Table, at, deal, make_settings

HANDS = "r2 r3 W | g2 g3 b9 | b2 b3 y9"


def facing() -> Table:
    """Return a table at which P1 faces a wild draw four."""
    table = at("W4 g5 g6 | g2 g3 | b2 b3", "r9")
    table.act(0, "play W4 b")
    return table


def naming() -> Table:
    """Return a table at which P0 names the colour of the first card."""
    state, _ = engine.opening_position(
        engine.make_rules("official_se"),
        [(engine.Card(1),), (engine.Card(2),)],
        (engine.parse_card("W"),),
        settings=make_settings(),
    )
    return Table(state)


@pytest.mark.parametrize(
    ("seat", "action", "reason"),
    [
        (0, "play b2", "card_not_in_hand"),
        (0, "play W", "colour_needed"),
        (0, "play r2 r", "bad_colour"),
        (0, "play r2 >1", "bad_target"),
        (0, "play W r >1", "bad_target"),
        (0, "keep", "cannot_keep"),
        (0, "accept_draw", "nothing_to_accept"),
        (0, "challenge", "nothing_to_challenge"),
        (0, "choose_colour r", "no_colour_to_choose"),
        (0, "pass", "not_offered"),
        (0, "catch 1", "nothing_to_catch"),
        (0, "catch 0", "nothing_to_catch"),
        (0, "catch 9", "nothing_to_catch"),
        (0, "jump_in r9", "not_your_turn"),
        (1, "play g2", "not_your_turn"),
        (1, "draw", "not_your_turn"),
        (1, "challenge", "not_your_turn"),
        (1, "pass", "not_your_turn"),
        (1, "begin_turn", "not_your_turn"),
        (3, "draw", "no_such_seat"),
        (-1, "draw", "no_such_seat"),
    ],
)
def test_on_a_turn(seat: int, action: str, reason: str) -> None:
    """While P0 is asked to lay or draw."""
    at(HANDS, "r9").refuse(seat, action, reason)


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        ("draw", "already_drawn"),
        ("play r2", "only_drawn_card"),
        ("play g2", "card_not_in_hand"),
        ("play b9", "card_does_not_match"),
        ("begin_turn", "already_begun"),
    ],
)
def test_after_a_draw(action: str, reason: str) -> None:
    """While P0 is asked to lay the drawn card or keep it."""
    table = at(HANDS, "r8", draw="b9 b8")
    table.act(0, "draw")
    table.refuse(0, action, reason)


@pytest.mark.parametrize(
    ("seat", "action", "reason"),
    [
        (1, "draw", "must_answer"),
        (1, "play g2", "must_answer"),
        (1, "keep", "must_answer"),
        (1, "choose_colour r", "no_colour_to_choose"),
        (2, "challenge", "not_target"),
        (2, "accept_draw", "not_target"),
        (0, "draw", "not_your_turn"),
    ],
)
def test_while_a_wild_draw_four_is_faced(seat: int, action: str, reason: str) -> None:
    """While P1 is asked to accept or challenge."""
    facing().refuse(seat, action, reason)


@pytest.mark.parametrize("action", ["draw", "play r1", "keep", "challenge", "accept_draw"])
def test_while_a_colour_is_named(action: str) -> None:
    """F17: before all else the colour of the first card."""
    naming().refuse(0, action, "colour_needed")


@pytest.mark.skipif(build() == "compiled", reason="compiled constructors refuse other types")
def test_a_colour_is_a_colour() -> None:
    """R003: a number that looks like one is none."""
    table = naming()
    for colour in (2, 7, None):
        with pytest.raises(engine.RuleViolation) as caught:
            engine.apply(table.state, engine.Seat(0), engine.ChooseColour(colour))  # type: ignore[arg-type]
        assert caught.value.reason == "bad_colour"
    table = at("W r1 | g1", "r9")
    with pytest.raises(engine.RuleViolation) as caught:
        engine.apply(table.state, engine.Seat(0), engine.Play(engine.parse_card("W"), 7))  # type: ignore[arg-type]
    assert caught.value.reason == "bad_colour"


@pytest.mark.parametrize(
    ("seat", "action", "reason"),
    [
        (1, "play r1", "window_open"),
        (1, "draw", "window_open"),
        (1, "begin_turn", "window_open"),
        (2, "draw", "not_your_turn"),
        (0, "draw", "not_your_turn"),
    ],
)
def test_in_a_pause(seat: int, action: str, reason: str) -> None:
    """S03: nobody is asked until the pause is over."""
    table = at("r2 b3 | r1 g1 | b2 b3", "r9")
    table.act(0, "play r2", hold=True)
    table.refuse(seat, action, reason)


@pytest.mark.parametrize(
    ("seat", "action", "reason"),
    [
        (1, "play r1", "group_open"),
        (1, "draw", "group_open"),
        (2, "call_uno", "group_open"),
        (1, "catch 2", "nothing_to_catch"),
        (1, "jump_in r2", "not_your_turn"),
        (0, "pass", "not_your_turn"),
        (0, "draw", "not_your_turn"),
    ],
)
def test_in_a_group(seat: int, action: str, reason: str) -> None:
    """While all others are asked for a reaction."""
    table = at("r2 b3 | r1 g1 | b2 b3", "r9", settings=make_settings("polled"))
    table.act(0, "play r2")
    table.refuse(seat, action, reason)


@pytest.mark.parametrize("action", ["call_uno", "begin_turn", "catch 1", "jump_in r9", "pass"])
def test_a_polled_table_knows_no_acts_out_of_turn(action: str) -> None:
    """It asks; the seat on turn is not offered them, the others are not on turn."""
    table = at(HANDS, "r9", settings=make_settings("polled"))
    table.refuse(0, action, "not_offered")
    table.refuse(1, action, "not_your_turn")


@pytest.mark.parametrize("reactions", ["race", "polled"])
@pytest.mark.parametrize("action", ["draw", "play r2", "call_uno", "pass", "catch 1"])
def test_outside_a_round(action: str, reactions: str) -> None:
    """Before the deal, between rounds and after the match everything is refused as such."""
    settings = make_settings(reactions)
    rules = engine.make_rules("official_se")
    table = Table(engine.new_match(rules, settings, 2, bytes(32)))
    table.refuse(0, action, "not_started")
    table = at("r1 | g1 g2", "r9", preset="official_se", settings=settings)
    table.act(0, "play r1")
    table.refuse(0, action, "round_over")
    table = at("r1 | g1 g2", "r9", settings=settings)
    table.act(0, "play r1")
    table.refuse(0, action, "match_over")


def test_rounds_start_only_between_rounds() -> None:
    """Not in the middle of one, and not after the match."""
    table = deal(2)
    with pytest.raises(engine.RuleViolation) as caught:
        engine.start_round(table.state)
    assert caught.value.reason == "round_running"
    table = at("r1 | g1 g2", "r9")
    table.act(0, "play r1")
    with pytest.raises(engine.RuleViolation) as caught:
        engine.start_round(table.state)
    assert caught.value.reason == "match_over"


def test_there_is_no_default_for_a_seat_that_is_not_asked() -> None:
    """Its time cannot run out."""
    table = at(HANDS, "r9")
    for verb in (engine.default_action, engine.time_out):
        with pytest.raises(engine.RuleViolation) as caught:
            verb(table.state, engine.Seat(1))
        assert caught.value.reason == "not_your_turn"


def test_a_seat_out_of_the_round_is_told_so() -> None:
    """Whatever it sends."""
    table = at(HANDS, "r9")
    engine.knock_out(table.state, engine.Seat(2))
    for action in ("draw", "catch 0", "call_uno", "pass"):
        table.refuse(2, action, "seat_out")
    assert engine.reactions(table.state, engine.Seat(2)) == []
    assert engine.reactions(table.state, engine.Seat(9)) == []


def test_the_last_card_must_be_a_number_where_the_option_says_so() -> None:
    """R189, Q52: by a play and by a jump-in alike."""
    options = {"finish_card": "number_only", "jump_in": "identical"}
    table = at("rS | g1 g2", "r9", options=options)
    table.refuse(0, "play rS", "finish_number_only")
    assert table.legal() == ["draw"]
    table = at("rS r1 r2 | rS | g1 g2", "r9", options=options)
    table.act(0, "play rS", hold=True)
    table.refuse(1, "jump_in rS", "finish_number_only")


def test_an_unlawful_wild_draw_four_is_refused_where_it_is_blocked() -> None:
    """Q18: it is not offered, and the sentence says why."""
    table = at("W4 r1 | g1 g2", "r9", options={"wd4_enforcement": "block"})
    table.refuse(0, "play W4 g", "draw_four_unlawful")
    assert table.legal() == ["play r1", "draw"]


def test_what_is_no_action_is_refused_with_some_that_are() -> None:
    """Each example is one, a play aimed at a seat among them."""
    with pytest.raises(ValueError, match="'fly' is no action") as refused:
        engine.parse_action("fly")
    examples = str(refused.value).partition(";")[2].split("'")[1::2]
    assert "play r7 >2" in examples
    for example in examples:
        engine.parse_action(example)
