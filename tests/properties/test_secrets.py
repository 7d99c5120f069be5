"""Does anything a seat cannot know reach it, in views, events, errors or legal actions?"""

import re
from collections.abc import Iterator
from random import Random
from typing import Any, get_args

import pytest

import lastcard_engine as engine
from tests.builders import at, text
from tests.properties.candidates import candidates
from tests.properties.matches import Act, go_on, new_match, random_act
from tests.written import HIDDEN, written

FORESEEN = 10  # cards on top of the draw pile that one step may deal out
SEVENS = {"seven_zero": True, "jump_in": "identical"}
STACKING = {"stacking": "pairs", "stack_pairs": ["d2>wd4", "wd4>wd4"]}
MODES = [
    pytest.param("standard_no", "race", {}, id="standard_no-race"),
    pytest.param("standard_no", "polled", {}, id="standard_no-polled"),
    pytest.param("official_se", "race", {}, id="official_se-race"),
    pytest.param("official_se", "polled", {}, id="official_se-polled"),
    pytest.param("standard_no", "race", {"jump_in": "identical"}, id="jump_in-race"),
    pytest.param("official_se", "polled", {"jump_in": "identical"}, id="jump_in-polled"),
    pytest.param("official_se", "polled", written(*HIDDEN), id="custom-polled"),
    pytest.param("short_se", "race", written(*HIDDEN), id="custom-race"),
    pytest.param("guide_se", "polled", {"wd4_enforcement": "block"}, id="block-polled"),
    pytest.param("family_se", "race", {"draw_mode": "until_playable"}, id="until-race"),
    pytest.param("standard_no_swap", "race", {"seven_zero": True}, id="swaps-race"),
    pytest.param("standard_no", "polled", SEVENS, id="swaps-polled"),
    pytest.param("pairs_se", "polled", {"seven_zero": True}, id="pairs-polled"),
    pytest.param("family_se_literal", "polled", {}, id="call_to_finish-polled"),
    pytest.param("standard_no", "race", STACKING, id="stacking-race"),
    pytest.param("no_mercy", "race", {}, id="no_mercy-race"),
    pytest.param("no_mercy", "polled", {"mercy_limit": 20}, id="no_mercy-polled"),
]
Viewer = engine.Seat | None


def seen(state: engine.State, viewer: Viewer) -> bytes:
    """Return everything the viewer is told about a state, in bytes."""
    if viewer is None:
        told: tuple[Any, ...] = (engine.table_view(state), engine.to_act(state))
    else:
        legal = engine.legal_actions(state, viewer)
        told = (
            engine.view(state, viewer),
            engine.to_act(state),
            [(action, engine.is_bluff(state, viewer, action)) for action in legal],
            engine.reactions(state, viewer),
            engine.default_action(state, viewer) if legal else None,
        )
    return repr(told).encode()


def refusals(state: engine.State, viewer: engine.Seat) -> bytes:
    """Return what the viewer hears for every action that can be written, in bytes."""
    heard = []
    for action in candidates(state):
        try:
            engine.check(state, viewer, action)
            heard.append("accepted")
        except engine.RuleViolation as refusal:
            heard.append(f"{refusal.reason}: {refusal.message}")
    return "\n".join(heard).encode()


def told_events(events: list[engine.Event], viewer: Viewer) -> bytes:
    """Return the events as they reach the viewer, in bytes."""
    redacted = [engine.redact(event, viewer) for event in events]
    return repr([event for event in redacted if event is not None]).encode()


def twin(
    state: engine.State,
    viewer: Viewer,
    dice: Random,
    *,
    keep: Act | None = None,
    foreseen: int = 0,
    frozen: engine.Seat | None = None,
) -> engine.State:
    """
    Return a state that differs from this one only in what the viewer cannot know.

    Foreign hands, the draw pile beneath `foreseen` cards, foreign drawn cards and the verdict on a
    foreign wild draw four are exchanged; the card of the act to `keep` stays with its seat, and a
    `frozen` seat keeps its hand.
    """
    other = state.clone()
    known = {viewer, frozen, *open_to(state, viewer)}
    laid = None if keep is None or keep[0] in known else getattr(keep[1], "card", None)
    kept = {} if laid is None or keep is None else {keep[0]: laid}
    strangers = [seat for seat in range(state.seat_count) if seat not in known]
    secrets = [card for seat in strangers for card in state.hands[seat]]
    cut = max(0, len(state.draw_pile) - foreseen)
    pool = secrets + state.draw_pile[:cut]
    for card in kept.values():
        pool.remove(card)
    dice.shuffle(pool)
    for seat in strangers:
        size = len(state.hands[seat]) - (1 if seat in kept else 0)
        hand = [pool.pop() for _ in range(size)]
        hand += [kept[engine.Seat(seat)]] if seat in kept else []
        other.hands[seat] = sorted(hand)
    other.draw_pile = pool + state.draw_pile[cut:]
    if state.phase == "play_or_keep" and state.turn in strangers and state.turn not in kept:
        other.drawn = dice.choice([None, *other.hands[state.turn]])
        if other.custom is not None:
            other.custom.choices = ()
    disguise_offence(other, viewer, dice)
    return other


def open_to(state: engine.State, viewer: Viewer) -> tuple[engine.Seat, ...]:
    """Return the seats whose hands a custom rule has laid open to every seat, not to spectators."""
    return () if viewer is None or state.custom is None else state.custom.open_hands


def disguise_offence(state: engine.State, viewer: Viewer, dice: Random) -> None:
    """Turn the verdict and the hand of a foreign wild draw four around."""
    state.lawful = not state.lawful
    offence = state.offence
    if offence is None or offence.offender == viewer:
        return
    size = len(offence.hand)
    state.offence = type(offence)(
        offence.offender,
        tuple(sorted(dice.sample(engine.deck(state.rules), size))),
        lawful=not offence.lawful,
    )


def disguise_answers(state: engine.State, viewer: Viewer, dice: Random) -> None:
    """Exchange what the other seats have answered in an open group."""
    group = state.group
    if group is None:
        return
    for seat in range(state.seat_count):
        if seat != viewer and group.answers[seat] is not None:
            choices: list[engine.Action] = [engine.Pass(), engine.Catch(group.actor)]
            if state.phase == "vote":
                choices = [engine.CastVote(yes=True), engine.CastVote(yes=False)]
            group.answers[seat] = dice.choice(choices)


def moments(
    preset: str, reactions: str, options: dict[str, Any], seed: int, *, count: int
) -> Iterator[tuple[engine.State, Random]]:
    """Yield the same state at many moments of a random match, before each step of it."""
    dice = Random(seed)
    state = new_match(preset, seed, reactions=reactions, seats=dice.choice((2, 3, 4)), **options)
    for _ in range(count):
        if state.over:
            return
        yield state, dice
        due = go_on(state)
        if due is None:
            act = random_act(state, dice)
            engine.close_window(state) if act is None else engine.apply(state, *act)


def viewers(state: engine.State) -> list[Viewer]:
    """Return every seat, and the spectators as None."""
    return [*(engine.Seat(seat) for seat in range(state.seat_count)), None]


@pytest.mark.parametrize(("preset", "reactions", "options"), MODES)
def test_views_legal_actions_and_refusals(
    preset: str, reactions: str, options: dict[str, Any]
) -> None:
    """At any moment two states that differ in foreign secrets look the same to a seat."""
    for seed in range(3):
        for state, dice in moments(preset, reactions, options, seed, count=70):
            for viewer in viewers(state):
                other = twin(state, viewer, dice)
                disguise_answers(other, viewer, dice)
                assert seen(other, viewer) == seen(state, viewer)
                if viewer is not None and dice.random() < 0.2:
                    assert refusals(other, viewer) == refusals(state, viewer)


def reveals(state: engine.State, act: Act | None) -> bool:
    """Tell whether the rules themselves disclose a foreign hand by this act."""
    if act is None:
        return False
    draw_four = getattr(act[1], "card", None) == engine.parse_card("W4")
    punished = state.rules.wd4_enforcement == "auto_penalty"
    return isinstance(act[1], engine.Challenge) or (draw_four and punished)


def tells_hands(events: list[engine.Event]) -> bool:
    """Tell whether all hands become known, by the end of a round or by a custom rule (R162)."""
    return any(isinstance(event, engine.RoundEnded | engine.HandsOpened) for event in events)


def deals_anew(events: list[engine.Event]) -> bool:
    """Tell whether a step has dealt hidden cards anew, to each seat its own."""
    kinds = (engine.HandReceived, engine.CardsDealt, engine.DeckReshuffled)
    return any(isinstance(event, kinds) for event in events)


def stands_by(events: list[engine.Event], viewer: Viewer) -> bool:
    """Tell whether hands have moved between others than the viewer, and no card besides."""
    got = {event.seat for event in events if isinstance(event, engine.HandReceived)}
    reshuffled = any(isinstance(event, engine.DeckReshuffled) for event in events)
    return bool(got) and viewer not in got and not reshuffled


def without_own_cards(events: list[engine.Event]) -> list[engine.Event]:
    """Return events with the cards blanked that came to somebody's hand."""
    kinds = (engine.HandReceived, engine.CardsDealt, engine.CardsDrawn)
    return [e._replace(cards=()) if isinstance(e, kinds) else e for e in events]


def take(state: engine.State, act: Act | None) -> list[engine.Event]:
    """Take the step that is due, or the act, or close the pause."""
    due = go_on(state)
    if due is not None:
        return due
    return list(engine.close_window(state) if act is None else engine.apply(state, *act))


def possible(state: engine.State, act: Act | None) -> bool:
    """Tell whether the act would be accepted."""
    if act is None:
        return True
    try:
        engine.check(state, *act)
    except engine.RuleViolation:
        return False
    return True


def draws_by_hand(state: engine.State, seat: engine.Seat) -> bool:
    """Tell whether how many cards a seat draws follows from what it holds."""
    raised = state.custom is not None and state.custom.next_draw[seat] > 0
    return raised or state.rules.draw_mode == "until_playable"


def twin_for(state: engine.State, viewer: Viewer, dice: Random, act: Act | None) -> engine.State:
    """
    Return a twin in which the act may have the same public outcome.

    Where one draws until a card fits, or more if none does (CR04), discards a colour or spins for
    one, the rules themselves disclose something of the pile and of the actor's hand: both are left
    alone.
    """
    if act is not None and discloses(state, act):
        pile = len(state.draw_pile)
        return twin(state, viewer, dice, foreseen=pile, frozen=act[0])
    foreseen = max(FORESEEN, state.pending + 2)
    return twin(state, viewer, dice, keep=act, foreseen=foreseen)


def discloses(state: engine.State, act: Act) -> bool:
    """Tell whether an act shows more of hand or pile than the card it names."""
    seat, action, _ = act
    if isinstance(action, engine.Draw):
        return draws_by_hand(state, seat)
    if isinstance(action, engine.Play | engine.JumpIn):
        return engine.face_of(action.card) in (engine.Face.DISCARD_ALL, engine.Face.COLOUR_ROULETTE)
    roulette = isinstance(action, engine.ChooseColour)
    return roulette or (isinstance(action, engine.ChooseCard) and state.phase == "keep_card")


@pytest.mark.parametrize(("preset", "reactions", "options"), MODES)
def test_events_and_the_views_after_them(
    preset: str, reactions: str, options: dict[str, Any]
) -> None:
    """The same act in both states tells a seat the same events and leads to the same views."""
    compared = 0
    for seed in range(10, 16):
        for state, dice in moments(preset, reactions, options, seed, count=70):
            if go_on(state.clone()) is not None:
                continue
            act = random_act(state, dice)
            for viewer in viewers(state):
                other = twin_for(state, viewer, dice, act)
                one = state.clone()
                if reveals(state, act) or not possible(other, act):
                    continue
                events, others = take(one, act), take(other, act)
                if tells_hands(events) or tells_hands(others):
                    continue
                compared += 1
                if deals_anew(events) and not stands_by(events, viewer):
                    blank = without_own_cards(others), without_own_cards(events)
                    assert told_events(blank[0], viewer) == told_events(blank[1], viewer)
                    assert seen(other, None) == seen(one, None)
                    continue
                assert told_events(others, viewer) == told_events(events, viewer)
                assert seen(other, viewer) == seen(one, viewer)
    assert compared > 300


PUBLIC_CARDS = {
    "DealerDrawn": {"cards"},
    "StartCardRejected": {"card"},
    "StartCardTurned": {"card"},
    "CardPlayed": {"card"},
    "CardsDiscarded": {"cards"},
    "RoundEnded": {"hands"},
}
PRIVATE_CARDS = {
    "CardsDealt": {"cards"},
    "CardsDrawn": {"cards"},
    "HandReceived": {"cards"},
    "HandShown": {"cards"},
}


def test_every_field_with_cards_is_known_as_public_or_private() -> None:
    """No event holds cards in a field that has not been decided upon."""
    found = {
        kind.__name__: {
            name for name, of in kind.__annotations__.items() if re.search(r"\bCard\b", str(of))
        }
        for kind in get_args(engine.Event)
    }
    assert {kind: names for kind, names in found.items() if names} == PUBLIC_CARDS | PRIVATE_CARDS


@pytest.mark.parametrize(("preset", "reactions", "options"), MODES)
def test_private_cards_reach_their_owners_alone(
    preset: str, reactions: str, options: dict[str, Any]
) -> None:
    """Of every event the owner sees the cards, everybody else the same event without them."""
    extras = {"deck_extras": {"shuffle_hands": 4, "custom_wild": 6}}
    extras = extras if preset == "official_se" else {}
    told = set()
    for seed in range(20, 26):
        for state, dice in moments(preset, reactions, options | extras, seed, count=70):
            if go_on(state.clone()) is not None:
                continue
            for event in take(state.clone(), random_act(state, dice)):
                if type(event).__name__ not in PRIVATE_CARDS:
                    assert all(engine.redact(event, viewer) == event for viewer in viewers(state))
                    continue
                told.add(type(event).__name__)
                owners = {event.seat, getattr(event, "viewer", event.seat)}  # type: ignore[union-attr]
                hidden = event._replace(cards=())  # type: ignore[call-arg]
                for viewer in viewers(state):
                    wanted = event if viewer in owners else hidden
                    assert engine.redact(event, viewer) == wanted
    assert "CardsDrawn" in told
    assert "HandReceived" in told or preset != "official_se"


def test_a_challenge_tells_bystanders_the_verdict_alone() -> None:
    """Seats beside a challenge see who was right and counts, whatever the hands hold."""
    for lawful in (False, True):
        streams = set()
        for hand in ("r2 b3", "r9 b8") if not lawful else ("g2 b3", "y9 b8"):
            table = at(f"W4 {hand} | b1 g1 | y1 y2 | y3 y4", "r6")
            table.act(0, "play W4 b")
            table.act(1, "challenge")
            streams.add(told_events(table.events, engine.Seat(2)) + seen(table.state, None))
        assert len(streams) == 1


def test_the_answers_in_a_group_are_told_to_nobody() -> None:
    """Storing an answer is no event and leaves all views of the others alone."""
    for seed in range(30):
        for state, _ in moments("standard_no", "polled", {"jump_in": "identical"}, seed, count=40):
            asked = engine.to_act(state)
            if state.group is None or len(asked) < 2:
                continue
            first, rest = asked[0], [seat for seat in viewers(state) if seat != asked[0]]
            outcomes = set()
            for action in engine.legal_actions(state, first):
                branch = state.clone()
                assert list(engine.apply(branch, first, action)) == []
                outcomes.add(b"".join(seen(branch, viewer) for viewer in rest))
            assert len(outcomes) == 1


@pytest.mark.parametrize("preset", ["standard_no", "official_se"])
def test_no_key_and_no_pile_in_any_view(preset: str) -> None:
    """A view has no field that could hold the deal key, a pile or another hand."""
    state = new_match(preset, 1)
    for viewer in viewers(state):
        told = seen(state, viewer).decode()
        assert state.deal_key.hex() not in told
        assert repr(state.deal_key) not in told
        assert repr(tuple(state.draw_pile)) not in told
        assert repr(state.draw_pile) not in told


def test_remaining_hands_are_public_when_a_round_is_scored() -> None:
    """The event that ends a round shows every hand to everybody, and no earlier one does."""
    table = at("r1 | g2 g3 | y4", "r5")
    table.act(0, "play r1")
    for viewer in (None, engine.Seat(0), engine.Seat(2)):
        ended = engine.redact(table.event("RoundEnded"), viewer)
        assert [text(hand) for hand in ended.hands] == ["", "g2 g3", "y4"]  # type: ignore[union-attr]
