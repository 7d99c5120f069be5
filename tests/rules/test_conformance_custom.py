"""What do the ten ideas for custom wilds do (R150-R165, CR01-CR10)?"""

from dataclasses import FrozenInstanceError
from typing import Any

import pytest

import lastcard_engine as engine
from tests.builders import Table, at, make_rules, make_settings

HANDS = "WC1 b1 b2 | g1 g2 | g3 g4"
CROW = "dare(next,crow like a rooster,draw(self,4))"
JOKE = "vote(laughed?,discard_to(self,1),draw(self,4))"


def written(*ops: str, hands: str = HANDS, lose_turn: bool = False, **more: Any) -> Table:
    """Return a table whose first custom wild carries a rule of these operations."""
    rule = {"id": "rule", "ops": ops, "lose_turn": lose_turn}
    options = {"deck_extras": {"custom_wild": 3}, "custom_rules": [rule], **more.pop("options", {})}
    return at(hands, "r5", options=options, **more)


def polled(*ops: str, **more: Any) -> Table:
    """Return a polled table with a rule."""
    return written(*ops, settings=make_settings("polled"), **more)


def test_r150_a_rule_holds_when_its_card_is_played() -> None:
    """The next player draws three; a custom wild without a rule does nothing."""
    table = written("draw(next,3)", hands="WC1 WC b2 | g1 g2 | g3 g4")
    table.act(0, "play WC1 b")
    assert (table.counts, table.turn, table.colour) == ([2, 5, 2], 1, "b")
    table.act(1, "draw")
    table.act(1, "keep")
    table = written("draw(next,3)", hands="WC1 WC b2 | g1 g2 | g3 g4")
    table.act(0, "play WC g")
    assert (table.counts, table.turn) == ([2, 2, 2], 1)


def test_r151_the_rule_is_written_before_play() -> None:
    """The rules of a match cannot be changed, and its hash and record hold them."""
    table = written("draw(next,3)")
    with pytest.raises(FrozenInstanceError):
        table.state.rules.custom_rules[0].ops = ("draw(next,1)",)  # type: ignore[misc]
    other = written("draw(next,4)")
    assert engine.state_hash(table.state) != engine.state_hash(other.state)


def test_r153_another_match_may_have_other_rules() -> None:
    """Rules are erased and written anew from match to match."""
    first = make_rules("official_se", custom_rules=[{"id": "a", "ops": ["draw(next,3)"]}])
    second = make_rules("official_se", custom_rules=[{"id": "a", "ops": ["extra_turn(self)"]}])
    assert first.custom_rules != second.custom_rules
    assert make_rules("official_se").custom_rules == ()


@pytest.mark.parametrize(
    ("op", "kind"),
    [
        ("draw(next,3)", "mechanical"),
        (CROW, "social"),
        (JOKE, "social"),
        ("restriction(next,hush,uno_call)", "social"),
        ("reveal_hands(all,own_next_turn)", "information"),
    ],
)
def test_r154_rules_of_every_kind_are_accepted(op: str, kind: str) -> None:
    """The kind follows from the operations; another one is refused."""
    for given in ({}, {"kind": kind}):
        rules = make_rules("official_se", custom_rules=[{"id": "a", "ops": [op], **given}])
        assert rules.custom_rules[0].kind == kind
    wrong = "mechanical" if kind != "mechanical" else "social"
    with pytest.raises(engine.RulesError, match=f"kind is {kind}"):
        make_rules("official_se", custom_rules=[{"id": "a", "ops": [op], "kind": wrong}])


def test_r155_cr01_who_backs_out_of_a_dare_draws_four() -> None:
    """The next player is asked, refuses, draws four and is still on turn (Q36)."""
    table = written(CROW)
    table.act(0, "play WC1 g")
    assert table.event("Dared") == (1, "crow like a rooster")
    assert table.legal(1) == ["dare_done", "dare_refuse"]
    table.act(1, "dare_refuse")
    assert (table.counts, table.turn, table.phase) == ([2, 6, 2], 1, "play")


@pytest.mark.parametrize(
    ("votes", "drawn"),
    [(("yes", "yes"), 0), (("yes", "no"), 4), (("no", "no"), 4)],
)
def test_r155_cr01_q40_the_others_judge_a_dare_by_majority(
    votes: tuple[str, str], drawn: int
) -> None:
    """Who says it is done is voted about; a tie is not enough. Nobody hears who said what."""
    table = written(CROW)
    table.act(0, "play WC1 g")
    table.act(1, "dare_done")
    assert engine.to_act(table.state) == (2, 0)
    assert table.legal(0) == ["vote yes", "vote no"]
    events = table.settle(P0=f"vote {votes[0]}", P2=f"vote {votes[1]}")
    yes = votes.count("yes")
    assert events[0] == engine.VoteCounted(engine.Seat(1), yes, 2 - yes, carried=yes == 2)
    assert (table.counts[1], table.turn) == (2 + drawn, 1)


def test_r156_cr02_the_next_player_draws_until_a_colour_comes() -> None:
    """Three cards are drawn until green; a wild is of no colour."""
    table = written("draw_until(next,g)", draw="r1 W g3 g4")
    table.act(0, "play WC1 b")
    assert sorted(table.hand(1).split()) == ["W", "g1", "g2", "g3", "r1"]
    assert table.turn == 1


def test_q37_the_colour_is_fixed_or_the_one_that_was_named() -> None:
    """With `named` the player of the card decides by the colour it names."""
    table = written("draw_until(next,named)", draw="r1 g3 b4")
    table.act(0, "play WC1 g")
    assert sorted(table.hand(1).split()) == ["g1", "g2", "g3", "r1"]


def test_r157_cr03_everybody_lays_out_all_wilds() -> None:
    """They go beneath the top card and do nothing."""
    table = written("discard_matching(all,wild)", hands="WC1 b1 W | W W4 r1 | g3 g4")
    table.act(0, "play WC1 b")
    assert [table.hand(seat) for seat in range(3)] == ["b1", "r1", "g3 g4"]
    assert (table.top, table.turn) == ("WC1", 1)


def test_q35_an_emptied_hand_has_gone_out_the_first_from_the_actor() -> None:
    """Seats 2 and 1 are emptied at once: in turn order from seat 0 seat 1 comes first."""
    table = written("discard_matching(all,wild)", hands="WC1 b1 b2 | W W | W4")
    table.act(0, "play WC1 b")
    assert table.event("RoundEnded").winners == (1,)
    table = written("discard_matching(all,wild)", hands="WC1 b1 | W W | W4", direction=-1)
    table.act(0, "play WC1 b")
    assert table.event("RoundEnded").winners == (2,)
    table = written("discard_matching(all,wild)", hands="WC1 W | W W | W4")
    table.act(0, "play WC1 b")
    assert table.event("RoundEnded").winners == (0,)


def test_r158_cr04_q38_who_cannot_play_takes_three_and_may_lay_one_of_them() -> None:
    """The draw is three cards, each of which that fits may be laid; the turn after is as ever."""
    table = written("next_draw_count(next,3)", draw="b3 r1 b4 r2")
    table.act(0, "play WC1 b")
    table.act(1, "draw")
    assert table.counts[1] == 5
    assert table.legal(1) == ["play b3", "play b4", "keep"]
    table.refuse(1, "play g1", "only_drawn_card")
    table.act(1, "play b3")
    table.act(2, "draw")
    assert table.counts[2] == 3


def test_r158_cr04_who_can_play_draws_one() -> None:
    """With a card that fits the seat plays, or draws as usual."""
    table = written("next_draw_count(next,3)", hands="WC1 b1 b2 | b9 g2 | g3 g4")
    table.act(0, "play WC1 b")
    table.act(1, "draw")
    assert table.counts[1] == 3


@pytest.mark.parametrize("mode", ["one", "until_playable"])
def test_nm12_cr04_a_raised_draw_ends_with_the_card_that_knocks_out(mode: str) -> None:
    """Mercy is checked on each card: of three raised ones the second is the last."""
    options = {"hand_size": 2, "mercy_limit": 4, "draw_mode": mode}
    table = written("next_draw_count(next,3)", draw="y3 r1 y4 r2", options=options)
    table.act(0, "play WC1 b")
    table.act(1, "draw")
    assert (table.counts, table.turn, table.draw_count) == ([2, 0, 2], 2, 2)


def test_r159_cr05_the_player_has_another_turn() -> None:
    """A full turn: it may draw as well."""
    table = written("extra_turn(self)")
    table.act(0, "play WC1 b")
    assert table.turn == 0
    assert "draw" in table.legal(0)
    table.act(0, "play b1")
    assert table.turn == 1


def test_r160_cr06_the_next_player_draws_or_lays_out_to_seven() -> None:
    """From three to seven by drawing, from nine by laying out two of its own choice (Q39)."""
    table = written("adjust_hand(next,7)", hands="WC1 b1 b2 | g1 g2 g3 | g4 g5")
    table.act(0, "play WC1 b")
    assert (table.counts[1], table.turn) == (7, 1)
    table = written("adjust_hand(next,7)", hands="WC1 b1 b2 | y1 y2 y3 y4 y5 y6 y7 y8 r9 | g4 g5")
    table.act(0, "play WC1 b")
    assert (table.phase, table.turn) == ("choose_card", 1)
    table.refuse(1, "play r9", "not_offered")
    table.refuse(1, "choose_card b1", "card_not_in_hand")
    table.act(1, "choose_card r9")
    table.act(1, "choose_card y1")
    assert (table.counts[1], table.phase, table.turn) == (7, "play", 1)


def test_q39_laid_out_cards_match_nothing_and_do_nothing() -> None:
    """A skip and a draw two go beneath the custom wild; the next seat is on turn all the same."""
    table = written("adjust_hand(next,1)", hands="WC1 b1 b2 | rS gD2 y1 | g4 g5")
    table.act(0, "play WC1 b")
    table.act(1, "choose_card gD2")
    table.act(1, "choose_card rS")
    assert (table.counts, table.turn, table.top) == ([2, 1, 2], 1, "WC1")
    assert [engine.format_card(card) for card in table.state.discards] == ["r5", "gD2", "rS", "WC1"]


def test_r161_cr07_everybody_adjusts_to_three() -> None:
    """In turn order, the actor included: first the draws, then what is laid out."""
    table = written("adjust_hand(all,3)", hands="WC1 b1 | y1 y2 y3 y4 y5 | g1 g2 g3")
    table.act(0, "play WC1 b")
    table.act(1, "choose_card y2")
    table.act(1, "choose_card y5")
    assert (table.counts, table.turn) == ([3, 3, 3], 1)


def test_r162_cr08_hands_lie_open_until_the_players_next_turn() -> None:
    """All see all hands, newly drawn cards too; they close when the turn reaches the player."""
    table = written("reveal_hands(all,own_next_turn)")
    table.act(0, "play WC1 b")
    opened = engine.view(table.state, engine.Seat(1)).open_hands
    assert [seat for seat, _ in opened] == [0, 2]
    table.act(1, "draw")
    table.act(1, "keep")
    seen = dict(engine.view(table.state, engine.Seat(0)).open_hands)
    assert " ".join(map(engine.format_card, seen[engine.Seat(1)])) == table.hand(1)
    table.draw_and_keep(2)
    assert (table.turn, engine.view(table.state, engine.Seat(1)).open_hands) == (0, ())


def test_s12_cr08_the_hand_of_a_seat_that_mercy_took_is_not_opened() -> None:
    """The chosen seat falls out by the rule's own draw: there is no hand to show (NM12)."""
    table = written(
        "draw(chosen,3)",
        "reveal_hands(chosen,own_next_turn)",
        hands="WC1 b1 b2 | g1 g2 g3 g4 g5 g6 g7 | g3 g4",
        options={"mercy_limit": 8},
    )
    table.act(0, "play WC1 b >1")
    assert (table.counts, table.turn) == ([2, 0, 2], 2)
    assert table.all_events("HandsOpened") == []


def test_s20_open_hands_close_when_the_turn_passes_over_the_player() -> None:
    """Seat 0 is skipped: its turn has come all the same."""
    table = written("reveal_hands(all,own_next_turn)", hands="WC1 b1 b2 | g1 g2 | bS g4 g5")
    table.act(0, "play WC1 b")
    table.draw_and_keep(1)
    table.act(2, "play bS")
    assert (table.turn, engine.view(table.state, engine.Seat(2)).open_hands) == (1, ())


@pytest.mark.parametrize(("card", "limit"), [("bD2", 0), ("bD2", 4), ("WCR b", 0)])
def test_s20_nm14_nm21_open_hands_close_where_a_card_takes_the_turn(card: str, limit: int) -> None:
    """Seat 0 is not asked, and may be knocked out, but its turn has come."""
    options = {"hand_size": 2, "mercy_limit": limit, "roulette_chooser": "player"}
    hands = f"WC1 b1 b2 | g1 g2 | {card.removesuffix(' b')} g4 g5"
    table = written("reveal_hands(all,own_next_turn)", hands=hands, options=options)
    table.act(0, "play WC1 b")
    table.draw_and_keep(1)
    table.act(2, f"play {card}")
    assert table.state.active[0] is not bool(limit)
    assert (table.turn, engine.view(table.state, engine.Seat(2)).open_hands) == (1, ())


@pytest.mark.parametrize(("votes", "held"), [(("no", "no"), 6), (("no", "yes"), 2)])
def test_r163_cr09_one_laugh_is_enough(votes: tuple[str, str], held: int) -> None:
    """Without any yes the player draws four; with one it may lay out cards."""
    table = polled(JOKE)
    table.act(0, "play WC1 b uno")
    table.settle(P1=f"vote {votes[0]}", P2=f"vote {votes[1]}")
    assert table.counts[0] == held
    assert table.phase == ("play" if held == 6 else "choose_card")


def test_s20_cr09_laying_out_is_a_right() -> None:
    """The player may stop before one card is left."""
    table = polled(JOKE, hands="WC1 b1 b2 b3 | g1 g2 | g3 g4")
    table.act(0, "play WC1 b")
    table.settle(P1="vote yes", P2="vote yes")
    assert table.legal(0) == ["choose_card b1", "choose_card b2", "choose_card b3", "pass"]
    table.act(0, "choose_card b1")
    table.act(0, "pass")
    assert (table.counts, table.turn) == ([2, 2, 2], 1)


@pytest.mark.parametrize("called", [False, True])
def test_r164_s07_uno_is_still_to_be_called(called: bool) -> None:  # noqa: FBT001
    """The call goes with the play; without it the seat that laid out all but one is caught."""
    table = polled(JOKE)
    table.act(0, f"play WC1 b{' uno' if called else ''}")
    table.settle(P1="vote yes", P2="vote no")
    table.act(0, "choose_card b1")
    assert table.counts[0] == 1
    if called:
        assert table.state.group is None
        assert engine.table_view(table.state).called[0]
    else:
        table.settle(P1="catch 0")
        assert table.counts[0] == 3


def test_r165_cr10_a_restriction_holds_until_uno_is_called() -> None:
    """Everybody sees it; the first call that counts ends it. Nothing is enforced (Q40)."""
    table = written(
        "restriction(next,keep elbows straight,uno_call)", hands="WC1 b1 b2|b3 b4|g3 g4"
    )
    table.act(0, "play WC1 b")
    facts = engine.table_view(table.state).custom
    assert facts is not None
    assert facts.restrictions == ((1, "keep elbows straight"),)
    table.act(2, "call_uno")
    assert table.all_events("RestrictionsLifted") == []
    table.act(1, "play b3 uno")
    assert len(table.all_events("RestrictionsLifted")) == 1
    facts = engine.table_view(table.state).custom
    assert facts is not None
    assert facts.restrictions == ()


def test_q36_the_turn_is_lost_only_where_the_rule_says_so() -> None:
    """A draw by a rule leaves the turn; with lose_turn the next seat is passed over."""
    table = written("draw(next,2)")
    table.act(0, "play WC1 b")
    assert table.turn == 1
    table = written("draw(next,2)", lose_turn=True)
    table.act(0, "play WC1 b")
    assert (table.event("SeatSkipped").cause, table.turn) == ("custom_rule", 2)


def test_q33_s14_a_last_card_only_makes_the_next_player_draw() -> None:
    """Of the rule on a last card nothing is left but draws of the next player."""
    table = written("draw(next,2)", "adjust_hand(all,5)", "draw(all,1)", hands="WC1 | g1 | g2")
    table.act(0, "play WC1")
    assert (table.event("RoundEnded").winners, table.counts) == ((0,), [0, 3, 1])
    table = written("draw(next,2)", hands="WC1 | g1 | g2", options={"finish_draw_counts": False})
    table.act(0, "play WC1")
    assert table.counts == [0, 1, 1]


def test_s15_a_rule_leaves_a_card_where_the_last_must_be_a_number() -> None:
    """The owner of nothing but wilds chooses the one that stays."""
    table = written(
        "discard_matching(next,wild)",
        hands="WC1 b1 b2 | W W4 | g2 g3",
        options={"finish_card": "number_only"},
    )
    table.act(0, "play WC1 b")
    assert table.legal(1) == ["choose_card W", "choose_card W4"]
    table.act(1, "choose_card W4")
    assert (table.hand(1), table.turn) == ("W", 1)


def test_r047_r052_a_rule_runs_for_the_dealer_and_not_for_the_left() -> None:
    """Turned first, the rule runs as if the dealer had laid it, or not at all."""
    rule = [{"id": "a", "ops": ["draw(next,2)"]}] * 3
    options = {"deck_extras": {"custom_wild": 3}, "custom_rules": rule}
    for first_card, drawn in (("apply", 0), ("dealer_played", 2), ("face_only", 0)):
        table = Table(
            engine.opening_position(
                make_rules("standard_no", first_card=first_card, **options),
                [[engine.parse_card("r1")] * 3] * 3,
                [engine.parse_card(card) for card in ("WC1", "g1", "g2", "g3")],
                settings=make_settings(),
            )[0]
        )
        table.act(table.turn, "choose_colour g")
        assert (table.counts, table.turn) == ([3 + drawn, 3, 3], 0)


def test_q34_rules_and_blank_wilds_share_the_deck() -> None:
    """Two rules on three wilds leave one blank."""
    rules = [{"id": f"r{n}", "ops": [f"draw(next,{n})"]} for n in (1, 2)]
    deck = engine.deck(make_rules("official_se", custom_rules=rules))
    names = [engine.format_card(card) for card in deck]
    assert [name for name in names if name.startswith("WC")] == ["WC", "WC1", "WC2"]


def test_r052_the_dealer_names_whom_a_turned_rule_is_aimed_at() -> None:
    """After the colour the dealer chooses a seat, and then the rule runs."""
    rules = make_rules(
        "standard_no",
        first_card="dealer_played",
        deck_extras={"custom_wild": 3},
        custom_rules=[{"id": "a", "ops": ["draw(chosen,2)"]}],
    )
    turned = [engine.parse_card(card) for card in ("WC1", "g1", "g2", "g3")]
    hands = [[engine.parse_card("r1")] * 3] * 3
    table = Table(engine.opening_position(rules, hands, turned, settings=make_settings())[0])
    table.act(2, "choose_colour g")
    assert table.legal(2) == ["choose_target 0", "choose_target 1"]
    table.act(2, "choose_target 1")
    assert (table.counts, table.turn, table.phase) == ([3, 5, 3], 0, "play")
