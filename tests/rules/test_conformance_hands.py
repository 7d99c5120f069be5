"""What does the shuffle-hands wild do (R140-R147, S06, S13, S14, C29, C30, Q28)?"""

from collections import Counter

import pytest

from tests.builders import at, make_settings

ELEVEN = "WS r1 g2 | r0 b1 b2 b3 b4 | y1 y2 y3 y4"


@pytest.mark.parametrize(
    ("preset", "options"),
    [
        pytest.param("official_se", {}, id="R140-R142-R143"),
        pytest.param("guide_se", {}, id="R144"),
        pytest.param("official_dk", {}, id="R147-dk"),
        pytest.param("standard_no", {"deck_extras": {"shuffle_hands": 1}}, id="R147-no"),
    ],
)
def test_all_hands_are_pooled_shuffled_and_dealt_from_the_left(
    preset: str, options: dict[str, object]
) -> None:
    """Eleven cards laid together from P0 come back as three for P0 and four for the others."""
    table = at(ELEVEN, "r3", preset=preset, options=options)
    pool = Counter(" ".join(table.hand(seat) for seat in range(3)).split()) - Counter(WS=1)
    table.act(0, "play WS y")
    assert table.counts == [3, 4, 4]
    assert Counter(" ".join(table.hand(seat) for seat in range(3)).split()) == pool
    assert (table.turn, table.colour) == (1, "y")


def test_r140_r142_r143_c29_c30_sizes_differ_by_at_most_one() -> None:
    """From hands as uneven as 1, 9 and 2 every hand gets its even share."""
    table = at("WS r1 | r0 b1 b2 b3 b4 b6 b7 b8 b9 | y1 y2", "r3", preset="official_se")
    table.act(0, "play WS y")
    assert table.counts == [4, 4, 4]


def test_r141_the_players_own_cards_may_stay_out_of_the_pool() -> None:
    """With others_only nine cards are pooled; P0 keeps two and is dealt in."""
    table = at(ELEVEN, "r3", preset="official_se_literal")
    table.act(0, "play WS y")
    assert table.counts == [5, 3, 3]
    assert {"r1", "g2"} <= set(table.hand(0).split())


@pytest.mark.parametrize("direction", [1, -1])
def test_r145_s13_direction_stays_and_dealing_starts_at_the_left(direction: int) -> None:
    """Whatever the direction the seat to the left gets the first card; play goes on as before."""
    table = at(
        "WS r1 g2 | r0 b1 b2 | y1 y2 y3 | g7", "r3", preset="official_se", direction=direction
    )
    table.act(0, "play WS y")
    assert table.counts == [2, 3, 2, 2]
    assert (table.direction, table.turn) == (direction, direction % 4)


def test_r146_it_is_a_wild_whose_player_names_the_colour() -> None:
    """It may be laid on anything, needs a colour, and the colour holds."""
    table = at(ELEVEN, "r5", preset="official_se")
    assert "WS" in table.lawful_cards(0)
    table.refuse(0, "play WS", "colour_needed")
    table.act(0, "play WS g")
    assert table.colour == "g"


def test_r142_the_pool_is_shuffled() -> None:
    """Different deals hand the same pool out differently."""
    outcomes = set()
    for key in range(6):
        table = at(ELEVEN, "r3", preset="official_se", deal_key=bytes([key]) * 32)
        table.act(0, "play WS y")
        outcomes.add(table.hand(0))
    assert len(outcomes) > 1


def test_s06_q10_a_single_card_received_owes_no_call() -> None:
    """Whoever holds one card after the shuffle need not call, the player included."""
    table = at("WS r1 | b2 | y1", "r3", preset="official_se")
    table.act(0, "play WS y", hold=True)
    assert table.counts == [1, 1, 1]
    assert table.owes_call() is None


def test_s06_a_polled_table_asks_nobody_after_a_shuffle() -> None:
    """No group opens: nobody can owe a call."""
    settings = make_settings("polled")
    table = at("WS r1 | b2 | y1", "r3", preset="official_se", settings=settings)
    table.act(0, "play WS y")
    assert (table.state.group, table.turn) == (None, 1)


def test_s06_a_duty_lapses_when_the_hand_is_no_longer_one_card() -> None:
    """A seat that forgot its call and gets a larger hand by a shuffle is safe."""
    options = {"deck_extras": {"shuffle_hands": 1}, "uno_window": "open"}
    table = at("r1 b9 | WS r0 r2 g7 | y1 y2 y3", "r3", options=options)
    table.act(0, "play r1")
    assert table.owes_call() == 0
    table.act(1, "play WS y")
    assert table.count(0) > 1
    assert table.owes_call() is None


@pytest.mark.parametrize("card", ["WS", "WC"])
def test_s14_q28_as_last_card_it_is_a_plain_wild(card: str) -> None:
    """The round is over and no hand is collected; the colour may be left out."""
    for action in (f"play {card}", f"play {card} g"):
        table = at(f"{card} | r0 b1 | y1 y2", "r3", preset="official_se")
        table.act(0, action)
        assert table.event("RoundEnded").winners == (0,)
        assert [table.hand(1), table.hand(2)] == ["r0 b1", "y1 y2"]
        assert not table.all_events("HandsShuffled")


def test_r140_hands_are_announced_to_their_holders_alone() -> None:
    """Each new hand is an event of its own that names its cards to the holder only."""
    table = at(ELEVEN, "r3", preset="official_se")
    table.act(0, "play WS y")
    received = {event.seat: event for event in table.all_events("HandReceived")}
    assert set(received) == {0, 1, 2}
    for seat, event in received.items():
        assert sorted(event.cards) == sorted(table.view(seat).hand)


def test_s06_q10_a_player_who_keeps_his_card_and_is_dealt_none_owes_a_call() -> None:
    """With others_only the one card left may be his own: then his play has left it, and he owes."""
    hands, options = "WS r1 | b2 | y1", {"uno_window": "open"}
    table = at(hands, "r3", preset="official_se_literal", options=options)
    table.act(0, "play WS y")
    assert (table.hand(0), table.counts) == ("r1", [1, 1, 1])
    assert table.owes_call() == 0
    called = at(hands, "r3", preset="official_se_literal", options=options)
    called.act(0, "play WS y uno")
    assert called.event("UnoCalled").seat == 0
    assert called.owes_call() is None
