"""Events are told as the contract has them, to each viewer what it may know and no more."""

from typing import Any, get_args

import pytest
from google.protobuf import text_format

import lastcard_engine as engine
from lastcard.v1 import event_pb2
from lastcard_engine import events
from lastcard_server.convert.events import event_bodies
from lastcard_server.matches.match import Match
from tests.matches.table import Table, setup_of
from tests.matches.wild import SETUPS, wild
from tests.server.wire import repeated_singulars

R5, G9, W4 = map(engine.parse_card, ("r5", "g9", "W4"))
S0, S1, S2 = map(engine.Seat, range(3))


def match_of(seats: int = 3) -> Match:
    """Return a match whose first round has begun."""
    table = Table(setup_of(seats))
    table.ready()
    return table.match


def told(match: Match, happened: list[engine.Event], viewer: int | None) -> list[Any]:
    """Return what a viewer is told, decoded from bytes that every parser takes alike."""
    bodies = event_bodies(match, happened, viewer)
    assert not [x for b in bodies for x in repeated_singulars(event_pb2.Event, b)]
    return [event_pb2.Event.FromString(body) for body in bodies]


def text(viewer: int | None, *happened: engine.Event) -> list[str]:
    """Return what a viewer is told, each event on a line."""
    return [
        text_format.MessageToString(event, as_one_line=True)
        for event in told(match_of(), list(happened), viewer)
    ]


CASES: dict[str, tuple[int | None, list[engine.Event], list[str]]] = {
    "start card": (
        None,
        [events.StartCardTurned(R5)],
        [("start_card_turned { card { colour: COLOUR_RED face: FACE_FIVE } }")],
    ),
    "rejected start card": (
        0,
        [events.StartCardRejected(W4)],
        [
            (
                "start_card_turned { card { colour: COLOUR_WILD face: FACE_WILD_DRAW_FOUR } "
                "rejected: true }"
            )
        ],
    ),
    "play": (
        0,
        [events.CardPlayed(S1, R5, engine.Colour.RED, None, jump_in=False)],
        [
            (
                "card_played { seat: 1 card { colour: COLOUR_RED face: FACE_FIVE } colour: "
                "COLOUR_RED }"
            )
        ],
    ),
    "play at a target": (
        0,
        [events.CardPlayed(S1, W4, engine.Colour.BLUE, S0, jump_in=False)],
        [
            (
                "card_played { seat: 1 card { colour: COLOUR_WILD face: FACE_WILD_DRAW_FOUR } "
                "colour: COLOUR_BLUE target_seat: 0 }"
            )
        ],
    ),
    "play with a call": (
        None,
        [
            events.CardPlayed(S1, R5, engine.Colour.RED, None, jump_in=True),
            events.SeatSkipped(S2, events.SkipCause.SKIP_CARD),
            events.UnoCalled(S1),
        ],
        [
            (
                "card_played { seat: 1 card { colour: COLOUR_RED face: FACE_FIVE } colour: "
                "COLOUR_RED called_uno: true jumped_in: true }"
            ),
            "seat_skipped { seat: 2 }",
        ],
    ),
    "late call": (0, [events.UnoCalled(S2)], ["uno_called { seat: 2 }"]),
    "call of another": (
        0,
        [events.CardPlayed(S1, R5, engine.Colour.RED, None, jump_in=False), events.UnoCalled(S2)],
        [
            (
                "card_played { seat: 1 card { colour: COLOUR_RED face: FACE_FIVE } colour: "
                "COLOUR_RED }"
            ),
            "uno_called { seat: 2 }",
        ],
    ),
    "own draw": (
        1,
        [events.CardsDrawn(S1, (G9, R5), 2, events.DrawCause.DRAW_CARD)],
        [
            (
                "cards_drawn { seat: 1 card_count: 2 cards { colour: COLOUR_GREEN face: FACE_NINE "
                "} cards { colour: COLOUR_RED face: FACE_FIVE } cause: DRAW_CAUSE_DRAW_CARD }"
            )
        ],
    ),
    "draw of another": (
        0,
        [events.CardsDrawn(S1, (G9, R5), 2, events.DrawCause.DRAW_CARD)],
        [("cards_drawn { seat: 1 card_count: 2 cause: DRAW_CAUSE_DRAW_CARD }")],
    ),
    "nothing left to draw": (
        1,
        [events.CardsDrawn(S1, (), 0, events.DrawCause.TURN)],
        ["cards_drawn { seat: 1 cause: DRAW_CAUSE_TURN }"],
    ),
    "kept": (0, [events.CardKept(S2)], ["turn_passed { seat: 2 }"]),
    "colour": (
        0,
        [events.ColourChosen(S2, engine.Colour.GREEN)],
        ["colour_chosen { seat: 2 colour: COLOUR_GREEN }"],
    ),
    "reversed": (
        0,
        [events.DirectionReversed(-1), events.DirectionReversed(1)],
        [
            ("direction_reversed { direction: DIRECTION_COUNTER_CLOCKWISE }"),
            "direction_reversed { direction: DIRECTION_CLOCKWISE }",
        ],
    ),
    "challenge opened": (
        0,
        [events.ChallengeOpened(S2, S1, 4)],
        ["pending_draw_changed { pending_draw_count: 4 }"],
    ),
    "draw demanded": (
        0,
        [events.DrawDemanded(S2, 6)],
        ["pending_draw_changed { pending_draw_count: 6 }"],
    ),
    "cards discarded": (
        0,
        [events.CardsDiscarded(S1, (R5,))],
        ["cards_discarded { seat: 1 cards { colour: COLOUR_RED face: FACE_FIVE } }"],
    ),
    "roulette": (
        0,
        [events.CardsDrawn(S1, (R5,), 1, events.DrawCause.ROULETTE)],
        ["cards_drawn { seat: 1 card_count: 1 cause: DRAW_CAUSE_ROULETTE }"],
    ),
    "challenge": (
        0,
        [events.ChallengeResolved(S2, S1, guilty=True)],
        [("challenge_resolved { challenger_seat: 2 offender_seat: 1 guilty: true }")],
    ),
    "hand shown to me": (
        2,
        [events.HandShown(S1, S2, (R5,), 1)],
        [("hand_shown { seat: 1 shown_to_seat: 2 hand { colour: COLOUR_RED face: FACE_FIVE } }")],
    ),
    "own hand shown": (
        1,
        [events.HandShown(S1, S2, (R5,), 1)],
        [("hand_shown { seat: 1 shown_to_seat: 2 hand { colour: COLOUR_RED face: FACE_FIVE } }")],
    ),
    "hand shown to another": (
        0,
        [events.HandShown(S1, S2, (R5,), 1)],
        ["hand_shown { seat: 1 shown_to_seat: 2 }"],
    ),
    "hands shuffled": (
        1,
        [
            events.HandsShuffled(S0, (2, 1, 1)),
            events.HandReceived(S1, (G9,), 1),
            events.HandReceived(S2, (R5,), 1),
            events.HandReceived(S0, (R5, W4), 2),
        ],
        [
            (
                "hands_moved { cause: HANDS_CAUSE_SHUFFLE hand_counts: 2 hand_counts: 1 "
                "hand_counts: 1 hand { colour: COLOUR_GREEN face: FACE_NINE } }"
            )
        ],
    ),
    "hands swapped": (
        1,
        [
            events.HandsSwapped(S0, S2, (2, 1, 1)),
            events.HandReceived(S0, (R5, W4), 2),
            events.HandReceived(S2, (R5,), 1),
        ],
        [
            (
                "hands_moved { cause: HANDS_CAUSE_SWAP hand_counts: 2 hand_counts: 1 "
                "hand_counts: 1 swapped_seats: 0 swapped_seats: 2 }"
            )
        ],
    ),
    "hands passed on": (
        1,
        [events.HandsRotated(S0, (2, 1, 1)), events.HandReceived(S1, (G9,), 1)],
        [
            (
                "hands_moved { cause: HANDS_CAUSE_ROTATION hand_counts: 2 hand_counts: 1 "
                "hand_counts: 1 hand { colour: COLOUR_GREEN face: FACE_NINE } }"
            )
        ],
    ),
    "caught": (None, [events.UnoCaught(S2, S1)], ["uno_caught { catcher_seat: 2 target_seat: 1 }"]),
    "turn begun": (0, [events.TurnBegun(S1)], ["turn_begun { seat: 1 }"]),
    "reshuffled": (0, [events.DeckReshuffled(60)], ["deck_reshuffled { draw_pile_count: 60 }"]),
    "default": (0, [events.DefaultTaken(S1)], ["default_taken { seat: 1 }"]),
    "knocked out": (0, [events.SeatKnockedOut(S1, 26)], ["seat_knocked_out { seat: 1 }"]),
    "forfeited": (0, [events.SeatForfeited(S1)], ["seat_forfeited { seat: 1 }"]),
    "round": (
        1,
        [
            events.RoundStarted(2),
            events.DealerDrawn((S0, S1), (R5, G9)),
            events.DealerChosen(S1),
            events.CardsDealt(S2, (W4,), 1),
            events.CardsDealt(S0, (R5,), 1),
            events.CardsDealt(S1, (G9,), 1),
        ],
        [
            (
                "round_started { round_number: 2 dealer_seat: 1 dealer_draws { card { colour: "
                "COLOUR_RED face: FACE_FIVE } } dealer_draws { seat: 1 card { colour: "
                "COLOUR_GREEN face: FACE_NINE } } hand { colour: COLOUR_GREEN face: FACE_NINE } "
                "hand_size: 1 }"
            )
        ],
    ),
    "first round": (
        None,
        [events.RoundStarted(1), events.DealerChosen(S2)],
        ["match_started { seat_count: 3 }", "round_started { round_number: 1 dealer_seat: 2 }"],
    ),
    "round over": (
        0,
        [
            events.RoundEnded(
                events.RoundEnd.WENT_OUT, (S1,), (5, 0, 9), (0, 14, 0), 14, ((R5,), (), (G9,))
            )
        ],
        [
            (
                "round_ended { round_number: 1 reason: ROUND_END_REASON_WENT_OUT winner_seats: 1 "
                "hand_values: 5 hand_values: 0 hand_values: 9 points: 0 points: 14 points: 0 "
                "value: 14 hands { cards { colour: COLOUR_RED face: FACE_FIVE } } hands { } hands "
                "{ cards { colour: COLOUR_GREEN face: FACE_NINE } } }"
            )
        ],
    ),
    "hands opened": (
        None,
        [engine.HandsOpened(S1, (S0, S2))],
        ["hands_opened { closing_seat: 1 seats: 0 seats: 2 }"],
    ),
    "draw raised": (0, [engine.DrawRaised(S1, 3)], ["draw_raised { seat: 1 card_count: 3 }"]),
    "dare": (
        0,
        [engine.Dared(S1, "crow"), engine.DareAnswered(S1, done=True)],
        ['dare_opened { seat: 1 text: "crow" }', "dare_answered { seat: 1 done: true }"],
    ),
    "vote": (
        2,
        [engine.VoteOpened(S1, "laughed?"), engine.VoteCounted(S1, 2, 1, carried=True)],
        [
            'vote_opened { seat: 1 text: "laughed?" }',
            "vote_counted { seat: 1 yes_count: 2 no_count: 1 carried: true }",
        ],
    ),
    "restriction": (
        0,
        [engine.Restricted(S2, "elbows"), engine.RestrictionsLifted()],
        ['restriction_set { seat: 2 text: "elbows" }', "restrictions_lifted { }"],
    ),
    "match over": (
        0,
        [events.MatchEnded(events.MatchEnd.TARGET_REACHED, (2, 1, 3))],
        [
            (
                "match_ended { reason: MATCH_END_REASON_PLAYED places: 2 places: 1 places: 3 "
                "total_points: 0 total_points: 0 total_points: 0 }"
            )
        ],
    ),
    "last standing": (
        0,
        [events.MatchEnded(events.MatchEnd.LAST_STANDING, (1, 2, 3))],
        [
            (
                "match_ended { reason: MATCH_END_REASON_LAST_STANDING places: 1 places: 2 places: "
                "3 total_points: 0 total_points: 0 total_points: 0 }"
            )
        ],
    ),
}
"""By name: who is told, what happened, what is said."""


@pytest.mark.parametrize(("viewer", "happened", "said"), CASES.values(), ids=CASES)
def test_every_event_is_told_as_the_contract_has_it(
    viewer: int | None, happened: list[engine.Event], said: list[str]
) -> None:
    """Each event, and each that is told together with others, is the message it should be."""
    assert text(viewer, *happened) == said


def test_every_kind_of_event_is_among_the_cases() -> None:
    """No event of the engine goes untested."""
    met = {type(event) for _, happened, _ in CASES.values() for event in happened}
    assert met == set(get_args(engine.Event))


@pytest.mark.parametrize("cause", events.DrawCause)
@pytest.mark.parametrize("reason", events.RoundEnd)
def test_every_cause_and_reason_has_a_number(
    cause: events.DrawCause, reason: events.RoundEnd
) -> None:
    """No cause of a draw and no end of a round is told as UNSPECIFIED."""
    drawn = events.CardsDrawn(S0, (), 1, cause)
    ended = events.RoundEnded(reason, (), (0, 0, 0), (0, 0, 0), 0, ((), (), ()))
    first, second = told(match_of(), [drawn, ended], 1)
    assert first.cards_drawn.cause
    assert second.round_ended.reason


def test_a_round_that_ends_as_the_next_begins_keeps_its_number() -> None:
    """The end of round 1 is told as such though the match already stands in round 2."""
    ended = events.RoundEnded(
        events.RoundEnd.WENT_OUT, (S1,), (0, 0, 0), (0, 0, 0), 0, ((), (), ())
    )
    happened: list[engine.Event] = [ended, events.RoundStarted(2), ended]
    first, _, last = told(match_of(), happened, None)
    assert (first.round_ended.round_number, last.round_ended.round_number) == (1, 2)


def test_hands_stay_closed_where_other_matches_share_the_deal() -> None:
    """In a deal group of several legs only the values of the hands are told."""
    match = match_of()
    match.deal = match.deal._replace(pool=match.deal.pool._replace(group="contest/1"))
    ended = events.RoundEnded(
        events.RoundEnd.WENT_OUT, (S1,), (5, 0, 9), (0, 14, 0), 14, ((R5,), (), (G9,))
    )
    for viewer in (None, 0, 1):
        (event,) = told(match, [ended], viewer)
        assert list(event.round_ended.hand_values) == [5, 0, 9]
        assert not event.round_ended.hands


@pytest.mark.parametrize("setup", SETUPS.values(), ids=SETUPS)
def test_nobody_is_told_a_card_of_anothers_hand(setup: Any) -> None:
    """In wild matches every card an event names is public, the viewer's own, or shown to it."""
    for table in wild(setup, 5):
        match, happened = table.match, list(table.match.events)
        table.match.events.clear()
        for viewer in (None, *range(len(match.seats))):
            for event in told(match, happened, viewer):
                _require_own(event, viewer)


def _require_own(event: event_pb2.Event, viewer: int | None) -> None:
    """Fail where private cards are told to somebody else."""
    if event.HasField("cards_drawn") and event.cards_drawn.seat != viewer:
        assert not event.cards_drawn.cards
    if event.HasField("hand_shown") and viewer not in (
        event.hand_shown.seat,
        event.hand_shown.shown_to_seat,
    ):
        assert not event.hand_shown.hand
    if viewer is None:
        assert not event.round_started.hand
        assert not event.hands_moved.hand


def test_updates_of_a_whole_match_tell_the_same_story_to_all() -> None:
    """Every seat and the table are told the same kinds of events in the same order."""
    table = Table(setup_of(3))
    table.play(lambda match: match.over)
    stories = []
    for viewer in (None, 0, 1, 2):
        kinds = [e.WhichOneof("payload") for e in told(table.match, table.match.events, viewer)]
        stories.append(kinds)
    assert len(stories[0]) > 20
    assert all(story == stories[0] for story in stories)
