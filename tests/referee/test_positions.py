"""Is a position that cannot be refused, in one sentence that says what would be right?"""

import pytest

from lastcard_server.referee.ruling import ActionError, read_action
from lastcard_server.referee.seen import PositionError, read_seen
from tests.referee.asking import ask

REFUSED = [
    ("hands=rS,rS,rS/3 discards=r7", "show 3 of rS, but the deck of these rules has 2"),
    ("hands=r7/3 discards=r7,r7", "show 3 of r7, but the deck of these rules has 2"),
    ("hands=rSE,r1/3 discards=r7", "show 1 of rSE, but the deck of these rules has 0"),
    ("hands=r1/200 discards=r7", "have 202 cards, but the deck of these rules has 108"),
    ("hands=r1/3 discards=9,r7 draw=95", "have 109 cards, but the deck of these rules has 108"),
    ("hands=r1/3 discards=9,r7 draw=90", "have 104 cards, but the deck of these rules has 108"),
    ("hands=r1/0 discards=r7", "seat 1 must hold a card if it is active in the round, else none"),
    ("hands=r1/2 discards=r7 active=1,0", "seat 1 must hold a card if it is active"),
    ("hands=r1/2/0 discards=r7 active=1,1,0 turn=2", "turn must be a seat that is active"),
    ("hands=r1/2", "discards must hold the top card"),
    ("hands=r1/2 discards=W", "colour must be the one that was named for the wild on top"),
    ("hands=r1/2 discards=r7 colour=g", "colour must be that of the top card"),
    ("hands=r1/2 discards=r7 turn=2", "turn must be a seat of the table, 0 to 1"),
    ("hands=r1/2 discards=r7 called=1", "called must have 2 values, one for each seat"),
    ("hands=r1/2 discards=r7 called=0,1", "only a seat that holds one card has called UNO"),
    ("hands=r1/2 discards=r7 duty=0,1 serial=2", "only a seat that holds one card has a call"),
    ("hands=r1/1 discards=r7 duty=0,1", "earlier than serial"),
    ("hands=r1/2 discards=r7 drawn=r2", "drawn must be a card of the asker's hand"),
    ("hands=r1/2 discards=r7 drawn=r1 turn=1", "drawn is known to the seat on turn alone"),
    ("hands=r1/2 discards=r7 phase=play_or_keep", "needs drawn, the card that was drawn"),
    ("hands=r1/2 discards=r7 pending=2", "pending needs a draw card on top"),
    ("hands=r1/2 discards=rD2 pending=1", "at least what that card demands"),
    ("hands=r1/2 discards=rD2 pending=2 phase=play", "pending must be the cards demanded"),
    ("hands=r1/2 discards=rD2 pending=2 offence=1", "need a wild draw four on top"),
    ("hands=r1/2 discards=W4 colour=g pending=4 offence=0", "offence must be another seat"),
    ("hands=r1/2 discards=r7 laid_by=1", "laid_by goes with the option jump_in=identical"),
    ("hands=r1/2 discards=r7 phase=dare", "what a custom rule asks for"),
    ("hands=r1/2/3/4/5/6/7/8/9/9/9 discards=r7", "of 1 to 9 others how many they hold"),
    ("hands=r1 discards=r7", "of 1 to 9 others how many they hold"),
    ("hands=r1/r2 discards=r7", "of 1 to 9 others how many they hold"),
    ("hands=1/2 discards=r7", "of 1 to 9 others how many they hold"),
    ("hands=x1/2 discards=r7", "the asker's cards with commas"),
    ("hands=r1/2 discards=x", "the known cards bottom up"),
    ("hands=r1/2 discards=99999999999,r7", "a number first for those beneath"),
    ("hands=r1/2 discards=r7 phase=later", "phase must be one of not_started, play,"),
    ("hands=r1/2 discards=r7 dir=2", "dir must be 1 or -1"),
    ("hands=r1/2 discards=r7 draw=r1", "draw must be how many cards the draw pile has"),
    ("hands=r1/2 discards=r7 draw=\u0663", "draw must be how many cards the draw pile has"),
    ("hands=r1/\u0663 discards=r7", "hands must be for each seat"),
    ("hands=r1/2 discards=r7 begun=yes", "begun must be 0 or 1"),
    ("hands=r1/2 discards=r7 totals=-1,0", "totals must be a number for each seat"),
    ("hands=r1/2 discards=r7 rules={}", "has the words hands, discards, round,"),
    ("hands=r1/2  discards=r7", "name=value with one blank between"),
    ("hands=r1/2 hands=r1/2", "each name once"),
    ("", "name=value with one blank between"),
]


@pytest.mark.parametrize(("position", "sentence"), REFUSED)
def test_a_position_that_cannot_be_is_refused(position: str, sentence: str) -> None:
    """One sentence; nothing is guessed."""
    with pytest.raises(PositionError) as refused:
        ask("standard_no", position, "draw")
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)


def test_nm02_more_seats_than_the_rules_allow_are_refused() -> None:
    """So are four partners who are five."""
    with pytest.raises(PositionError, match="hands: 7 seats cannot play"):
        ask("no_mercy", "hands=r1/2/3/4/5/6/7 discards=r7", "draw")
    with pytest.raises(PositionError, match="hands: teams=pairs needs exactly 4 seats"):
        ask("pairs_se", "hands=r1/2/3 discards=r7", "draw", max_players=5)


def test_nm12_a_hand_that_would_be_out_is_refused() -> None:
    """Mercy has come before it can be asked about."""
    with pytest.raises(PositionError, match="seat 1 cannot hold so many cards: 25 knock it out"):
        ask("no_mercy", "hands=r1/25 discards=r7", "draw")


def test_s12_a_hand_that_was_dealt_beyond_the_limit_is_not_out() -> None:
    """Who keeps his cards out of the pool of a shuffle may hold more; only drawing knocks out."""
    held = {"shuffle_pool": "others_only", "deck_extras": {"shuffle_hands": 1}}
    assert ask("no_mercy", "hands=r1/25 discards=r7", "play r1", **held).verdict == "yes"
    with pytest.raises(PositionError, match="25 knock it out"):
        ask("no_mercy", "hands=r1/25 discards=r7", "play r1", shuffle_pool="others_only")


def test_r125_an_offence_without_a_challenge_is_refused() -> None:
    """Under rules without a challenge nobody is exposed to one."""
    with pytest.raises(PositionError, match="rules with a challenge"):
        ask("house_dk", "hands=r1/2 discards=W4 colour=g pending=4 offence=1", "challenge")


@pytest.mark.parametrize("seat", [1, 9])
def test_the_asker_is_the_seat_whose_cards_are_shown(seat: int) -> None:
    """Another one named beside it contradicts it."""
    assert read_seen("hands=r1/2 discards=r7", 0).seat == 0
    with pytest.raises(PositionError, match=f"shows the cards of seat 0, .* seat {seat}"):
        read_seen("hands=r1/2 discards=r7", seat)


@pytest.mark.parametrize(
    "text", ["", "play", "play r17", "play purple", "catch", "catch x", "play r5  uno", "PLAY r5"]
)
def test_an_action_that_is_none_is_refused(text: str) -> None:
    """The sentence gives examples and does not repeat the text."""
    with pytest.raises(ActionError, match="action must be one in notation, for instance") as error:
        read_action(text)
    assert text == "" or f"'{text}'" not in str(error.value)


@pytest.mark.parametrize(
    ("phase", "action", "reason"),
    [
        ("phase=round_over", "play r5", "round_over"),
        ("phase=match_over", "draw", "match_over"),
        ("phase=not_started", "draw", "not_started"),
        ("", "keep", "cannot_keep"),
        ("", "accept_draw", "nothing_to_accept"),
        ("", "choose_colour g", "no_colour_to_choose"),
        ("", "choose_target 1", "no_target_to_choose"),
        ("", "choose_card r5", "not_offered"),
        ("", "dare_done", "not_offered"),
        ("", "vote yes", "not_offered"),
        ("", "pass", "not_offered"),
        ("group=1", "pass", "not_your_turn"),
        ("group=1", "call_uno", "not_your_turn"),
        ("window=1", "draw", "window_open"),
        ("drawn=r5", "play r6", "only_drawn_card"),
        ("drawn=r5", "draw", "already_drawn"),
        ("begun=1", "begin_turn", "already_begun"),
    ],
)
def test_an_act_out_of_its_phase_is_ruled_on(phase: str, action: str, reason: str) -> None:
    """It is no bad input but a refusal, with a clause of its own."""
    position = f"hands=r5,r6,b1/2/3 discards=r7 {phase}".strip()
    ruling = ask("standard_no", position, action)
    assert ruling.reason == reason
    assert ruling.cited.clauses


@pytest.mark.parametrize(
    ("action", "reason"),
    [("pass", ""), ("catch 1", ""), ("catch 2", "nothing_to_catch"), ("play r5", "group_open")],
)
def test_q48_a_seat_that_is_asked_may_react(action: str, reason: str) -> None:
    """At a polled table those are asked who could catch somebody, and nothing else is heard."""
    position = "hands=r5,r6,b1/1/3 discards=r7 group=1 duty=0,1,0 serial=2 turn=2"
    assert ask("standard_no", position, action).reason == reason


def test_s12_a_seat_that_is_out_may_do_nothing() -> None:
    """Neither on a turn nor where others are asked."""
    for more in ("turn=1", "turn=2 group=1"):
        ruling = ask("no_mercy", f"hands=-/2/3 discards=r7 active=0,1,1 {more}", "pass")
        assert ruling.reason == "seat_out" or more.endswith("group=1")
        assert ruling.verdict == "no"


@pytest.mark.parametrize("action", ["draw", "accept_draw", "choose_colour g", "challenge", "keep"])
def test_before_the_deal_everything_is_refused(action: str) -> None:
    """There is no discard pile yet, and none is asked for."""
    assert ask("standard_no", "hands=-/0 phase=not_started", action).reason == "not_started"
