"""How are dealer, hands, piles and the first card set up (R024-R051, Q19-Q25, Q66, Q67)?"""

from collections import Counter
from itertools import pairwise

import pytest

import lastcard_engine as engine
from tests.builders import Table, deal, deals, make_rules, make_settings, open_with, text

DEALER_KEYS = 60


def dealer_of(table: Table) -> int:
    """Return the dealer of the round that has just been started."""
    return int(table.event("DealerChosen").seat)


@pytest.mark.parametrize("seats", [2, 3, 10])
def test_r024_two_to_ten_seats_may_play(seats: int) -> None:
    """Two to ten seats are accepted."""
    engine.validate(make_rules(), seats)
    assert len(deal(seats).counts) == seats


@pytest.mark.parametrize("seats", [-1, 0, 1, 11])
def test_r024_no_other_number_of_seats(seats: int) -> None:
    """One seat, none or eleven are refused."""
    with pytest.raises(engine.RulesError):
        engine.validate(make_rules(), seats)
    with pytest.raises(engine.RulesError):
        engine.new_match(make_rules(), make_settings(), seats, bytes(32))


def test_r024_max_players_narrows_the_table() -> None:
    """A rule set for two refuses a third seat."""
    rules = make_rules(max_players=2)
    engine.validate(rules, 2)
    with pytest.raises(engine.RulesError):
        engine.validate(rules, 3)


def drawn_values(table: Table) -> list[dict[int, int]]:
    """Return what each dealer draw of the round was worth, draw by draw, by seat."""
    return [
        {
            int(seat): int(name[1:]) if name[1:].isdigit() and name[0] != "W" else 0
            for seat, name in zip(event.seats, text(event.cards).split(), strict=True)
        }
        for event in table.all_events("DealerDrawn")
    ]


@pytest.mark.parametrize("preset", ["standard_no", "official_se"])
def test_r026_r028_r027_c36_q66_the_highest_drawn_number_deals(preset: str) -> None:
    """Everyone draws; the highest value deals and every symbol is worth zero."""
    for key in range(DEALER_KEYS):
        table = deal(3, preset=preset, key=key)
        values = drawn_values(table)
        assert set(values[0]) == {0, 1, 2}
        best = max(values[-1].values())
        assert [s for s, value in values[-1].items() if value == best] == [dealer_of(table)]


def test_r027_a_symbol_never_beats_a_number() -> None:
    """Where a symbol and a number above zero were drawn, the symbol's seat does not deal."""
    seen = 0
    for key in range(DEALER_KEYS):
        table = deal(2, preset="official_se", key=key)
        (first, *_) = table.all_events("DealerDrawn")
        names = text(first.cards).split()
        symbols = [s for s, n in zip(first.seats, names, strict=True) if not n[1:].isdigit()]
        if len(symbols) == 1 and not any(name[1:] == "0" or name == "W4" for name in names):
            seen += 1
            assert dealer_of(table) != symbols[0]
    assert seen > 5


def test_q19_only_the_tied_draw_again() -> None:
    """After a tie for the highest card exactly the tied seats draw again, until one leads."""
    ties = 0
    for key in range(150):
        table = deal(6, key=key)
        values = drawn_values(table)
        for earlier, later in pairwise(values):
            ties += 1
            best = max(earlier.values())
            assert set(later) == {seat for seat, value in earlier.items() if value == best}
            assert len(later) > 1
    assert ties > 10


def test_r029_the_deal_follows_from_the_key() -> None:
    """The same key deals the same cards, another key others, and no card is lost or added."""
    one, same, other = deal(key=1), deal(key=1), deal(key=2)
    assert engine.state_hash(one.state) == engine.state_hash(same.state)
    assert one.events == same.events
    assert [one.hand(s) for s in range(4)] != [other.hand(s) for s in range(4)]
    assert one.all_cards() == other.all_cards()
    assert Counter(one.all_cards()) == Counter(
        engine.format_card(card) for card in engine.deck(make_rules())
    )


@pytest.mark.parametrize("preset", ["standard_no", "official_se"])
def test_r029_every_card_turns_up_in_every_seat(preset: str) -> None:
    """Over many deals each kind of card reaches each seat: the order is shuffled, not cut."""
    seen: set[tuple[int, str]] = set()
    for key in range(200):
        table = deal(3, preset=preset, key=key)
        seen |= {(seat, name) for seat in range(3) for name in table.hand(seat).split()}
    kinds = {engine.format_card(card) for card in engine.deck(make_rules(preset))}
    assert len(seen) > 0.97 * 3 * len(kinds)


def test_r030_everyone_gets_seven_cards() -> None:
    """Each hand has seven cards; `hand_size` changes the number."""
    assert deal(5).counts == [7] * 5
    assert deal(5, hand_size=3).counts == [3] * 5


def test_r031_r032_r033_hands_and_piles_are_hidden() -> None:
    """A seat sees its own cards and counts of the rest; 79 cards stay in the draw pile."""
    table = next(t for t in deals(4) if not t.all_events("StartCardRejected"))
    view = table.view(0)
    assert len(view.hand) == 7
    assert list(view.counts) == [7] * 4
    assert (view.draw_count, view.discard_count) == (79, 1)


def test_r032_r033_the_rest_lies_face_down_and_its_top_card_is_turned() -> None:
    """Four seats leave 80 cards, of which the top one is turned."""
    table = next(t for t in deals(4) if not t.all_events("StartCardRejected"))
    turned = table.event("StartCardTurned").card
    assert table.top == engine.format_card(turned)
    assert table.draw_count + 1 == 108 - 4 * 7


def test_r034_r035_the_left_of_the_dealer_starts_clockwise() -> None:
    """With a number turned the seat to the dealer's left has the first turn, clockwise."""
    for key in range(20):
        table = deal(4, key=key)
        assert (table.turn, table.direction) == ((dealer_of(table) + 1) % 4, 1)


def test_r040_r050_r039_draw_two_first_hits_the_left_of_the_dealer() -> None:
    """A draw two turned first makes that seat draw two and lose the turn; its colour holds."""
    table = open_with("rD2")
    victim = (dealer_of(table) + 1) % 4
    assert table.count(victim) == 9
    assert sum(table.counts) == 4 * 7 + 2
    assert (table.turn, table.colour) == ((victim + 1) % 4, "r")


def test_r041_c06_a_reverse_first_lets_the_dealer_begin() -> None:
    """A reverse turned first gives the dealer the first turn, and play runs to the right."""
    table = open_with("gR")
    dealer = dealer_of(table)
    assert (table.turn, table.direction) == (dealer, -1)
    table.act(dealer, "draw")
    table.act(dealer, "keep")
    assert table.turn == (dealer - 1) % 4


def test_r042_a_skip_first_passes_over_the_left_of_the_dealer() -> None:
    """A skip turned first passes that seat over."""
    table = open_with("bS")
    assert table.turn == (dealer_of(table) + 2) % 4
    assert table.counts == [7] * 4


@pytest.mark.parametrize(
    ("wild", "colour"),
    [
        pytest.param("W", "g", id="R043"),
        pytest.param("WS", "b", id="R046"),
        pytest.param("WC", "r", id="R047"),
    ],
)
def test_q24_c37_a_wild_first_lets_the_starter_name_the_colour_and_play(
    wild: str, colour: str
) -> None:
    """The left of the dealer names the colour, nothing else happens, and he has the turn."""
    table = open_with(wild)
    hands = [table.hand(seat) for seat in range(4)]
    starter = (dealer_of(table) + 1) % 4
    assert (table.turn, table.phase, table.colour) == (starter, "choose_colour", None)
    assert table.legal() == [f"choose_colour {letter}" for letter in "rygb"]
    table.refuse((starter + 1) % 4, f"choose_colour {colour}", "not_your_turn")
    table.act(starter, f"choose_colour {colour}")
    assert (table.turn, table.phase, table.colour) == (starter, "play", colour)
    assert [table.hand(seat) for seat in range(4)] == hands
    assert {type(event).__name__ for event in table.events} == {"ColourChosen"}


def test_r044_r045_c03_c04_q67_a_wild_draw_four_first_goes_back_and_another_is_turned() -> None:
    """The rejected card is back in the draw pile at a shuffled place and no card is lost."""
    places = set()
    for table in deals(4, preset="official_se"):
        rejected = table.all_events("StartCardRejected")
        if not rejected:
            continue
        assert {engine.format_card(event.card) for event in rejected} == {"W4"}
        assert table.top != "W4"
        state = table.state
        in_pile = [i for i, card in enumerate(state.draw_pile) if engine.format_card(card) == "W4"]
        held = sum(hand.count(engine.parse_card("W4")) for hand in state.hands)
        assert len(in_pile) + held == 4
        assert len(table.all_cards()) == 112
        places |= set(in_pile)
        if len(places) > 20:
            break
    assert len(places) > 20


def test_r048_r049_r051_q23_turning_goes_on_until_a_number() -> None:
    """Specials turned first are put back without any effect until a number lies there."""
    rejected = set()
    for table in deals(4):
        rejected |= {
            engine.format_card(event.card)[-1] for event in table.all_events("StartCardRejected")
        }
        assert table.top[1:].isdigit()
        assert table.counts == [7] * 4
        assert (table.turn, table.direction) == ((dealer_of(table) + 1) % 4, 1)
        assert table.colour == table.top[0]
        if rejected >= {"S", "R", "2", "W", "4"}:
            break
    assert rejected >= {"S", "R", "2", "W", "4"}


def test_r048_a_preset_that_applies_can_be_told_to_turn_again() -> None:
    """first_card=number_only overrides the preset."""
    for key in range(40):
        table = deal(4, preset="official_se", key=key, first_card="number_only")
        assert table.top[1:].isdigit()


@pytest.mark.parametrize("first", ["bS", "rD2", "gR"])
def test_q25_with_two_seats_the_dealer_begins_after_a_special(first: str) -> None:
    """Skip, draw two and reverse turned first give a table of two the dealer's turn."""
    table = open_with(first, seats=2)
    dealer = dealer_of(table)
    assert table.turn == dealer
    assert table.count(1 - dealer) == (9 if first == "rD2" else 7)


def test_q22_ten_seats_with_seven_cards_leave_a_pile() -> None:
    """Ten seats of seven leave 37 cards of 108; a table that leaves too few is refused."""
    table = deal(10)
    assert table.draw_count == 37
    engine.validate(make_rules(), 10)
    with pytest.raises(engine.RulesError):
        engine.validate(make_rules(hand_size=10), 10)
    engine.validate(make_rules(hand_size=9), 10)


def test_q21_cards_are_dealt_from_the_dealers_left() -> None:
    """The hands are announced from the dealer's left, each to its owner."""
    table = deal(4)
    dealer = dealer_of(table)
    seats = [int(event.seat) for event in table.all_events("CardsDealt")]
    assert seats == [(dealer + 1 + i) % 4 for i in range(4)]


def test_r029_r034_each_round_is_dealt_anew() -> None:
    """The second round of a match deals other cards from the same key."""
    table = deal(2, scoring="winner_takes", settings=make_settings(rounds=2, action_cap=1))
    first = [table.hand(seat) for seat in range(2)]
    while not engine.needs_round(table.state):
        table.events = list(engine.time_out(table.state, engine.Seat(table.turn)))
    engine.start_round(table.state)
    assert [table.hand(seat) for seat in range(2)] != first
