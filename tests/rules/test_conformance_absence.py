"""What becomes of seats that time out, leave the round or leave the match (Q64, Q65)?"""

import pytest

import lastcard_engine as engine
from tests.builders import Table, at, make_settings, open_with

FIVE = "r1 r2 r3 | b1 b2 b3 | y1 y2 y3 | g1 g2 g3 | r4 y4 g4"
Seat = engine.Seat


@pytest.mark.parametrize("preset", ["standard_no", "official_se"])
def test_q65_on_a_turn_the_default_is_to_draw_and_then_to_keep(preset: str) -> None:
    """A timed-out turn draws one card and keeps it, fitting or not."""
    table = at(FIVE, "r5", preset=preset, draw="r9 r8 r7")
    assert engine.default_action(table.state, Seat(0)) == engine.Draw()
    table.events = list(engine.time_out(table.state, Seat(0)))
    assert table.event("DefaultTaken").seat == 0
    assert (table.turn, table.phase) == (0, "play_or_keep")
    table.events = list(engine.time_out(table.state, Seat(0)))
    assert (table.turn, table.count(0)) == (1, 4)


def test_q65_where_drawing_is_closed_the_first_legal_action_is_taken() -> None:
    """A seat that must play lays its first lawful card in canonical order."""
    table = at("y5 r4 r2 | b1 b2 | y1 y2", "r5", preset="family_se")
    action = engine.default_action(table.state, Seat(0))
    assert engine.format_action(action) == "play r2"


def test_q65_the_default_colour_is_the_one_in_force_else_red() -> None:
    """For a turned first wild it is red, for a wild that must be laid the colour in force."""
    table = open_with("W")
    action = engine.default_action(table.state, Seat(table.turn))
    assert engine.format_action(action) == "choose_colour r"
    table = at("W b4 b2 | b1 b2 | y1 y2", "g5", preset="family_se")
    assert engine.format_action(engine.default_action(table.state, Seat(0))) == "play W g"


def test_q65_nobody_times_out_who_is_not_asked() -> None:
    """A seat that is not asked cannot time out, so one turn never costs two seats."""
    table = at(FIVE, "r5")
    before = engine.state_hash(table.state)
    with pytest.raises(engine.RuleViolation):
        engine.time_out(table.state, Seat(3))
    assert engine.state_hash(table.state) == before


def leave(table: Table, seat: int, how: str) -> None:
    """Let a seat leave the round or the match."""
    function = engine.knock_out if how == "knock_out" else engine.forfeit
    table.events = list(function(table.state, Seat(seat)))
    table.close_window()


@pytest.mark.parametrize("how", ["knock_out", "forfeit"])
def test_q64_the_hand_goes_beneath_the_discards_unseen(how: str) -> None:
    """All cards stay in the game, the top card stays, and no event names one of the hand."""
    table = at(FIVE, "r5")
    before = table.all_cards()
    leave(table, 3, how)
    assert (table.all_cards(), table.top, table.count(3)) == (before, "r5", 0)
    assert engine.table_view(table.state).discard_count == 4
    assert table.event("SeatKnockedOut").count == 3
    for event in table.events:
        for viewer in (None, *map(Seat, range(5))):
            assert "g1" not in repr(engine.redact(event, viewer))


@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize("turn", range(5))
@pytest.mark.parametrize("leaver", range(5))
def test_q64_the_turn_stays_or_passes_to_the_next_live_seat(
    turn: int, leaver: int, direction: int
) -> None:
    """Whoever is on turn stays on turn; the leaver's own turn goes to its neighbour."""
    table = at(FIVE, "r5", turn=turn, direction=direction)
    leave(table, leaver, "knock_out")
    expected = (turn + direction) % 5 if turn == leaver else turn
    assert table.turn == expected


@pytest.mark.parametrize("how", ["knock_out", "forfeit"])
def test_q64_a_seat_that_is_out_is_passed_over(how: str) -> None:
    """It is never asked, hit or skipped; the seat after it is next."""
    table = at("r1 r2 rS | b1 b2 b3 | y1 y2 y3 | g1 g2 g3", "r5")
    leave(table, 1, how)
    table.act(0, "play rS")
    assert (table.turn, table.event("SeatSkipped").seat) == (3, 2)
    table.refuse(1, "draw", "seat_out")


@pytest.mark.parametrize("card", ["rD2", "W4"])
def test_q64_effects_hit_the_next_live_seat(card: str) -> None:
    """Draw cards reach the seat after the one that is out."""
    table = at(f"r1 r2 {card} | b1 b2 b3 | y1 y2 y3 | g1 g2 g3", "y5" if card == "W4" else "r5")
    leave(table, 1, "knock_out")
    table.act(0, f"play {card}" + (" b" if card == "W4" else ""))
    if card == "W4":
        table.act(2, "accept_draw")
    assert table.counts == [2, 0, 3 + (4 if card == "W4" else 2), 3]
    assert table.turn == 3


@pytest.mark.parametrize("how", ["knock_out", "forfeit"])
def test_q64_the_last_seat_left_wins_the_round(how: str) -> None:
    """With one seat left the round is over and that seat has won it."""
    table = at("r1 r2 | b1 b2 | y1 y2", "r5", options={"scoring": "winner_takes"})
    leave(table, 0, how)
    leave(table, 2, how)
    ended = table.event("RoundEnded")
    assert (ended.reason, ended.winners) == ("last_standing", (1,))


def test_q64_knocked_out_seats_are_back_in_the_next_round() -> None:
    """Knocked out is out for the round only; forfeited is out for good."""
    for how, counts in (("knock_out", [7, 7, 7]), ("forfeit", [7, 0, 7])):
        table = at("r1 | b1 b2 | y1 y2", "r5", options={"scoring": "winner_takes"})
        leave(table, 1, how)
        table.act(0, "play r1")
        table.events = list(engine.start_round(table.state))
        assert table.counts == counts


def test_q64_a_forfeited_seat_is_ranked_last() -> None:
    """Whatever its total, a seat that forfeited is placed behind all others."""
    table = at(
        "r1 | b1 b2 | y1 y2",
        "r5",
        options={"scoring": "winner_takes"},
        totals=[100, 490, 20],
        settings=make_settings(rounds=1),
    )
    leave(table, 1, "forfeit")
    table.act(0, "play r1")
    assert table.event("MatchEnded").places == (1, 3, 2)


def test_q64_a_match_with_one_seat_left_is_over() -> None:
    """When all but one have forfeited the match ends, won by the one that stayed."""
    table = at("r1 r2 | b1 b2 | y1 y2", "r5", options={"scoring": "winner_takes"})
    leave(table, 0, "forfeit")
    leave(table, 1, "forfeit")
    assert table.state.over
    assert table.event("MatchEnded").places[2] == 1


def test_q64_a_seat_that_leaves_is_no_longer_asked_in_a_group() -> None:
    """The group waits for the seats that are still there."""
    table = at("r1 b9 | b1 b2 | y1 y2 | g1 g2", "r5", settings=make_settings("polled"))
    table.act(0, "play r1")
    leave(table, 2, "knock_out")
    assert sorted(engine.to_act(table.state)) == [1, 3]
    table.settle()
    assert table.turn == 1


def test_q64_an_offender_that_leaves_cannot_be_caught() -> None:
    """A seat without a hand owes no call."""
    table = at("r1 b9 | b1 b2 | y1 y2 | g1 g2", "r5")
    table.act(0, "play r1")
    leave(table, 0, "knock_out")
    table.refuse(2, "catch 0", "nothing_to_catch")
    assert table.turn == 1


def test_s02_timed_out_defaults_count_towards_the_cap() -> None:
    """A table at which everybody times out ends its round at the cap."""
    table = at(FIVE, "r5", settings=make_settings(action_cap=6))
    for _ in range(6):
        assert not table.state.over
        table.events = list(engine.time_out(table.state, Seat(table.turn)))
    assert table.event("RoundEnded").reason == "action_cap"


def test_s02_reactions_do_not_count_towards_the_cap() -> None:
    """Catches and calls leave the number of turn actions alone."""
    table = at("r2 b3 | r1 g1 | y1 y2", "r6", settings=make_settings(action_cap=3))
    table.act(0, "play r2")
    table.act(2, "catch 0")
    table.act(1, "draw")
    assert not table.state.over
    table.act(1, "keep")
    assert table.event("RoundEnded").reason == "action_cap"


@pytest.mark.parametrize(
    ("scoring", "points"), [("low_total", [0, 28, 9]), ("winner_takes", [9, 0, 0])]
)
def test_q64_a_hand_lost_by_knock_out_counts_where_totals_are_own(
    scoring: str, points: list[int]
) -> None:
    """Its value at that moment is added to the own total; a winner who takes all gets nothing."""
    table = at("r1 | g8 rS | y9", "r5", options={"scoring": scoring})
    leave(table, 1, "knock_out")
    table.act(0, "play r1")
    assert list(table.event("RoundEnded").points) == points


def test_q64_the_hand_lies_at_the_bottom_of_the_discards() -> None:
    """Cards taken from beneath the top card are older discards, not the hand that was given up."""
    table = at("r2 b3 | r1 g1 y9 | y1 y2 b8", "r6", preset="short_se_literal", discards="y7 b1 g2")
    leave(table, 2, "knock_out")
    table.act(0, "play r2")
    table.act(1, "catch 0")
    assert sorted(table.hand(0).split()) == ["b3", "g2", "r6"]


def test_s12_q64_nobody_votes_about_a_seat_that_mercy_took() -> None:
    """Neither outcome follows; the rest of the rule does, and the turn passes."""
    ops = ["draw(self,9)", "vote(laughed?,draw(next,4),draw(next,5))", "draw(next,1)"]
    rules = {"deck_extras": {"custom_wild": 1}, "custom_rules": [{"id": "rule", "ops": ops}]}
    options = {**rules, "hand_size": 2, "mercy_limit": 8}
    table = at("WC1 b1 b2 | g1 g2 | g3 g4", "r5", options=options)
    table.act(0, "play WC1 b")
    assert (table.counts, table.phase, table.turn) == ([0, 3, 2], "play", 1)
