"""What does a first card do that counts as the dealer's, or by its face (R052-R058)?"""

import pytest

import lastcard_engine as engine
from tests.builders import Table, cards, deal, deals, open_with
from tests.rules.test_conformance_setup import dealer_of


def hands(table: Table) -> list[str]:
    """Return every hand."""
    return [table.hand(seat) for seat in range(table.state.seat_count)]


def test_r052_a_number_has_no_effect() -> None:
    """A number turned first starts the pile and the left of the dealer plays."""
    table = open_with("r5", preset="short_se")
    assert (table.turn, table.direction) == ((dealer_of(table) + 1) % 4, 1)
    assert table.counts == [7] * 4


def test_r053_draw_two_hits_the_left_of_the_dealer() -> None:
    """The left of the dealer draws two and loses the turn."""
    table = open_with("rD2", preset="short_se")
    victim = (dealer_of(table) + 1) % 4
    assert table.count(victim) == 9
    assert table.turn == (victim + 1) % 4


def test_r054_c05_a_skip_passes_over_the_left_of_the_dealer() -> None:
    """The effect comes first, then the seat it leads to starts."""
    table = open_with("rS", preset="short_se")
    assert table.turn == (dealer_of(table) + 2) % 4


def test_r055_c06_a_reverse_leads_to_the_dealers_right() -> None:
    """Play runs the other way from the dealer, so the right neighbour starts."""
    table = open_with("rR", preset="short_se")
    assert (table.turn, table.direction) == ((dealer_of(table) - 1) % 4, -1)


def test_r056_the_dealer_names_the_colour_of_a_wild() -> None:
    """The dealer is asked for the colour, then the left of the dealer plays."""
    table = open_with("W", preset="short_se")
    dealer = dealer_of(table)
    assert (table.turn, table.phase) == (dealer, "choose_colour")
    table.act(dealer, "choose_colour y")
    assert (table.turn, table.phase, table.colour) == ((dealer + 1) % 4, "play", "y")


def test_r057_a_wild_draw_four_hits_without_a_challenge() -> None:
    """The dealer names the colour; the left of the dealer draws four and loses the turn."""
    table = open_with("W4", preset="short_se")
    dealer = dealer_of(table)
    victim = (dealer + 1) % 4
    table.act(dealer, "choose_colour b")
    assert table.count(victim) == 11
    assert (table.turn, table.phase, table.colour) == ((dealer + 2) % 4, "play", "b")


def test_r057_no_challenge_even_where_challenges_are_on() -> None:
    """A dealer-played wild draw four can never be challenged: nobody chose to lay it."""
    table = open_with("W4", preset="short_se", wd4_legality="no_colour")
    table.act(dealer_of(table), "choose_colour b")
    assert table.phase == "play"


@pytest.mark.parametrize(
    ("first", "starter"), [("rS", 0), ("rD2", 0), ("rR", 1)], ids=["S19-S", "S19-D2", "S19-R"]
)
def test_s19_with_two_seats_the_effect_reaches_the_dealer(first: str, starter: int) -> None:
    """With two, skip and draw two let the dealer begin; a reverse follows its two-player rule."""
    table = open_with(first, seats=2, preset="short_se")
    assert table.turn == (dealer_of(table) + starter) % 2
    if first == "rR":
        table = open_with(first, seats=2, preset="short_se", reverse_two_players="skip")
        assert table.turn == dealer_of(table)


@pytest.mark.parametrize("first", ["rS", "rD2", "rR"])
def test_r058_only_the_colour_of_the_first_card_counts(first: str) -> None:
    """No effect takes place; the colour holds and the same symbol matches."""
    table = open_with(first, preset="family_se")
    assert (table.turn, table.direction) == ((dealer_of(table) + 1) % 4, 1)
    assert (table.counts, table.colour) == ([7] * 4, "r")


@pytest.mark.parametrize("wild", ["W", "W4"])
def test_q27_the_left_of_the_dealer_names_the_colour_and_nobody_draws(wild: str) -> None:
    """A wild turned first under face_only asks the starter for a colour only."""
    table = open_with(wild, preset="family_se")
    starter = (dealer_of(table) + 1) % 4
    table.act(starter, "choose_colour g")
    assert (table.turn, table.colour, table.counts) == (starter, "g", [7] * 4)


def test_c02_each_preset_keeps_its_own_first_card() -> None:
    """A draw two turned first is replaced, applied or only a colour, as the preset says."""
    assert open_with("rD2", preset="official_se").counts.count(9) == 1
    assert open_with("rD2", preset="short_se").counts.count(9) == 1
    assert open_with("rD2", preset="family_se").counts == [7] * 4
    assert all(deal(4, key=key).top[1:].isdigit() for key in range(30))


@pytest.mark.parametrize("where", ["bottom", "under_discard", "shuffle_back"])
def test_q67_rejected_cards_go_where_the_option_says(where: str) -> None:
    """Rejected first cards lie at the bottom, beneath the discard, or somewhere in the pile."""
    for table in deals(4, first_card_rejects=where):
        rejected = [event.card for event in table.all_events("StartCardRejected")]
        if len(rejected) < 2:
            continue
        assert len(table.all_cards()) == 108
        if where == "under_discard":
            assert engine.table_view(table.state).discard_count == 1 + len(rejected)
            assert table.draw_count == 108 - 28 - 1 - len(rejected)
        else:
            assert engine.table_view(table.state).discard_count == 1
            assert table.draw_count == 108 - 28 - 1
        break


@pytest.mark.parametrize("preset", ["official_se", "short_se", "family_se"])
def test_r039_every_kind_of_first_card_leads_to_a_playable_table(preset: str) -> None:
    """Whatever is turned first, somebody is asked and has a legal action."""
    tops = set()
    for key in range(300):
        table = deal(3, preset=preset, key=key)
        tops.add(table.top)
        assert table.legal()
        assert set(table.all_cards()) >= set(map(engine.format_card, cards("W W4 r0")))
    kinds = {top[1:] if top[0] in "rygb" else top for top in tops}
    assert kinds >= {"S", "R", "D2", "W"}
