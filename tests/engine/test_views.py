"""What does each seat see of an event, and what of the table?"""

import pytest

import lastcard_engine as engine
from tests.builders import at, cards, deal, make_settings

SEAT = engine.Seat


@pytest.mark.parametrize(
    "event",
    [
        engine.CardsDealt(SEAT(1), cards("r1 r2"), 2),
        engine.CardsDrawn(SEAT(1), cards("r1 r2"), 2, engine.DrawCause.TURN),
        engine.HandReceived(SEAT(1), cards("r1 r2"), 2),
    ],
)
def test_own_cards_are_for_their_owner(event: engine.CardsDrawn) -> None:
    """The others and spectators see the number alone."""
    assert engine.redact(event, SEAT(1)) is event
    for viewer in (SEAT(0), SEAT(2), None):
        seen = engine.redact(event, viewer)
        assert seen == event._replace(cards=())
        assert type(seen) is type(event)


def test_a_shown_hand_is_for_two() -> None:
    """R127, R128: for its owner and the challenger."""
    event = engine.HandShown(SEAT(0), SEAT(2), cards("r1"), 1)
    seen = [engine.redact(event, viewer) for viewer in (SEAT(0), SEAT(1), SEAT(2), None)]
    assert [shown.cards for shown in seen] == [cards("r1"), (), cards("r1"), ()]  # type: ignore[union-attr]


def test_everything_else_is_public() -> None:
    """Whoever looks sees the same."""
    event = engine.CardPlayed(SEAT(0), cards("r1")[0], engine.Colour.RED, None, False)  # noqa: FBT003
    assert all(engine.redact(event, viewer) is event for viewer in (SEAT(0), SEAT(1), None))


def test_a_view_before_the_first_round() -> None:
    """Nothing is on the table, and nothing is invented."""
    state = engine.new_match(engine.make_rules("official_se"), engine.Settings(), 2, bytes(32))
    seen = engine.view(state, SEAT(0))
    assert (seen.phase, seen.round_number, seen.turn, seen.dealer) == ("not_started", 0, None, None)
    assert (seen.top, seen.colour, seen.hand, seen.drawn) == (None, None, (), None)
    assert seen.counts == (0, 0)


def test_a_drawn_card_is_its_owners_secret() -> None:
    """S05: the others do not see which, and not whether it fits."""
    table = at("r1 r2 | g1 g2", "r9", draw="r5 b1")
    table.act(0, "draw")
    assert table.view(0).drawn == cards("r5")[0]
    assert table.view(1).drawn is None
    assert not hasattr(engine.table_view(table.state), "drawn")


def test_a_call_shows_and_goes_with_the_hand() -> None:
    """F32: a call counts for the one card it was made on."""
    table = at("r1 r2 | g1 g2", "r9", draw="r5 b1")
    table.act(0, "play r1 uno")
    assert engine.table_view(table.state).called == (True, False)
    table.act(1, "draw")
    table.act(1, "keep")
    table.act(0, "draw")
    assert engine.table_view(table.state).called == (False, False)


def test_a_group_shows_who_and_whether_one_may_jump_in() -> None:
    """Nothing of who has answered what; each sees whether it is asked itself."""
    options = {"jump_in": "identical"}
    table = at("r1 r2 r3 | g1 g2 | r1 b2", "r9", options=options, settings=make_settings("polled"))
    table.act(0, "play r1")
    assert engine.table_view(table.state).group == (0, True)
    assert [table.view(seat).asked for seat in range(3)] == [False, True, True]
    table.act(2, "jump_in r1")
    assert engine.table_view(table.state).group == (0, True)
    assert [table.view(seat).asked for seat in range(3)] == [False, True, False]


def test_nobody_is_asked_in_a_pause() -> None:
    """The pause itself is public."""
    table = at("r1 r2 | g1 g2", "r9")
    table.act(0, "play r1", hold=True)
    assert engine.table_view(table.state).window
    assert not any(table.view(seat).asked for seat in range(2))


def test_a_hand_is_in_canonical_order_with_every_copy() -> None:
    """R036: red, yellow, green, blue, wilds; equal cards side by side."""
    for seat in range(4):
        hand = deal(4, key=seat).view(seat).hand
        assert list(hand) == sorted(hand)
        assert len(hand) == 7
