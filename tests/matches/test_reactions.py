"""Do simultaneous turns stay silent while they are open, and do windows close when they should?"""

from random import Random

from lastcard_engine.actions import CALL_UNO, DRAW, PASS, Catch, JumpIn
from lastcard_engine.cards import Seat
from lastcard_engine.events import RoundEnded, SeatKnockedOut
from lastcard_engine.record import EntryKind
from lastcard_engine.settings import Absence, Reactions
from lastcard_engine.transition import legal_actions, reactions
from lastcard_server.errors import Reason
from lastcard_server.matches.match import Match
from lastcard_server.matches.setup import MatchSetup
from lastcard_server.matches.turns import OpenTurn, TurnClose, TurnKind
from tests.matches.table import Table, accepted, refused, setup_of
from tests.matches.wild import picture


def in_group(asked: int = 3, seed: int = 1, **options: object) -> Table:
    """Return a table in which a group has just been opened to that many seats."""
    setup = setup_of(4, overrides={"jump_in": "identical"}, **options)  # type: ignore[arg-type]
    table = Table(setup)
    table.play(lambda m: m.group_version == m.version > 0 and len(m.turns) == asked, seed)
    return table


def test_in_a_group_every_version_shown_is_the_opening_one() -> None:
    """Answers raise the true version only; acceptances name the opening one."""
    table = in_group()
    match = table.match
    opening = match.version
    assert {turn.turn for turn in match.turns.values()} == {opening}
    assert {turn.kind for turn in match.turns.values()} == {TurnKind.REACTION}
    for count, seat in enumerate(sorted(match.turns)[:-1], 1):
        assert accepted(table.answer(seat, PASS)).version == opening
        assert (match.version, match.shown_version) == (opening + count, opening)
    match.events.clear()
    last = max(match.turns)
    assert accepted(table.answer(last, PASS)).version == opening
    assert match.shown_version == match.version > opening


def test_answers_in_a_group_are_no_event_and_change_no_other_turn() -> None:
    """Who answers what, and when, is seen nowhere before the group closes."""
    table = in_group()
    match = table.match
    match.events, match.opened, match.closed = [], [], []
    first, second, third = sorted(match.turns)
    others = {seat: match.turns[seat] for seat in (second, third)}
    action = next(iter(match.turns[first].actions))
    accepted(table.answer(first, action))
    assert match.events == []
    assert match.opened == []
    assert [seat for seat, _, _ in match.closed] == [first]
    assert all(match.turns[seat] is turn for seat, turn in others.items())


def test_the_group_closes_in_the_append_of_the_last_answer() -> None:
    """`group_closed` follows the last answer at once."""
    table = in_group()
    for seat in sorted(table.match.turns):
        table.saved()
        accepted(table.answer(seat, PASS))
    kinds = [entry.kind for entry in table.match.unsaved]
    assert kinds[:2] == [EntryKind.REACTION, EntryKind.GROUP_CLOSED]


def test_a_restart_inside_a_group_loses_no_answer() -> None:
    """The replayed match waits for the same seats and resolves to the same state."""
    table = in_group(seed=4)
    first, second, third = sorted(table.match.turns)
    accepted(table.answer(second, PASS))
    live, again = table.match, table.replayed()
    assert picture(again) == picture(live)
    assert sorted(again.turns) == [first, third]
    table.match = again
    repeat = accepted(table.answer(second, PASS, turn=live.group_version))
    assert repeat.version == live.group_version
    for seat in (first, third):
        accepted(table.answer(seat, PASS))
    assert not again.group_version or again.group_version == again.version


def test_a_group_with_a_hold_closes_when_the_hold_is_over() -> None:
    """All answered early: nobody is asked and nothing closes before opening + hold."""
    table = in_group(reaction_hold_ms=300)
    opened_us = table.match.group_us
    for seat in sorted(table.match.turns):
        accepted(table.answer(seat, PASS))
    match = table.match
    assert match.turns == {}
    assert match.group_version
    assert match.due_us() == opened_us + 300_000
    table.clock.us = opened_us
    table.expire()
    assert table.clock.us == opened_us + 300_000
    assert match.version == table.saved()[-1].version
    assert match.shown_version == match.version


def test_silent_seats_of_a_group_time_out_together_then_the_policy_applies() -> None:
    """Faults and timeouts first, the closing entry next, and only then who was knocked out."""
    table = in_group(absence=Absence.KNOCK_OUT_ROUND, reaction_limit_ms=200)
    match = table.match
    first, *silent = sorted(match.turns)
    accepted(table.answer(first, PASS))
    table.saved()
    match.events = []
    table.expire()
    kinds = [(entry.kind, entry.seat) for entry in match.unsaved]
    expected = [(kind, seat) for seat in silent for kind in (EntryKind.FAULT, EntryKind.TIMEOUT)]
    assert kinds[: len(expected)] == expected
    assert kinds[len(expected)] == (EntryKind.GROUP_CLOSED, None)
    removed = [seat for kind, seat in kinds if kind == EntryKind.KNOCKED_OUT]
    ended = any(isinstance(event, RoundEnded) for event in match.events)
    assert removed == silent[: len(removed)]
    assert removed == silent or ended
    assert sum(isinstance(event, SeatKnockedOut) for event in match.events) == len(removed)
    assert match.late == []
    assert picture(table.replayed()) == picture(match)


def test_acts_out_of_turn_are_refused_where_all_are_polled() -> None:
    """At a polled table no window is ever open."""
    table = in_group()
    refusal = refused(table.act(0, CALL_UNO, "r1"))
    assert refusal.reason is Reason.WINDOW_CLOSED
    assert refused(table.act(0, CALL_UNO, "r2", window=table.match.version)).reason is (
        Reason.WINDOW_CLOSED
    )


# Race


def race(**options: object) -> MatchSetup:
    """Return the setup of a race table."""
    return setup_of(4, reactions=Reactions.RACE, **options)  # type: ignore[arg-type]


def catchable(match: Match) -> bool:
    """Tell whether somebody can be caught in a pause."""
    return bool(match.state and match.state.window and match.state.duties)


def test_in_the_pause_of_a_race_nobody_is_asked() -> None:
    """After a play that leaves one card the next turn waits for `window_closed`."""
    table = Table(race(reaction_ms=1500))
    match = table.play(catchable)
    assert match.turns == {}
    assert match.window == match.version
    opened_us = match.last_us
    assert match.due_us() == opened_us + 1_500_000
    table.expire()
    assert table.saved()[-1].kind == EntryKind.WINDOW_CLOSED
    assert len(match.turns) == 1
    assert match.window, "the catch is open until the next act"
    assert table.clock.us == opened_us + 1_500_000


def test_without_a_pause_the_window_closes_in_the_same_append() -> None:
    """With reaction_ms = 0 the next turn is asked at once, the catch still open."""
    table = Table(race(reaction_ms=0))
    match = table.play(lambda m: bool(m.window))
    assert table.saved()[-1].kind == EntryKind.WINDOW_CLOSED
    assert match.window == match.version - 1
    assert len(match.turns) == 1


def test_a_catch_is_accepted_once_and_only_in_its_window() -> None:
    """A repeat gets the first outcome, another act under its request id or window is refused."""
    table = Table(race())
    match = table.play(catchable)
    assert match.state is not None
    target = match.state.duty.index(max(match.state.duty))
    seat = (target + 1) % 4
    window = match.window
    stale = refused(table.act(seat, Catch(Seat(target)), "r0", window=window - 1))
    assert stale.reason is Reason.WINDOW_CLOSED
    first = accepted(table.act(seat, Catch(Seat(target)), "r1"))
    assert (first.turn, first.request_id) == (0, "r1")
    table.match = match = table.replayed()
    again = accepted(table.act(seat, Catch(Seat(target)), "r1", window=window))
    assert again.version == first.version
    other = refused(table.act(seat, CALL_UNO, "r1"))
    assert other.reason is Reason.REQUEST_ID_REUSED
    late = refused(table.act(seat, Catch(Seat(target)), "r2", window=window))
    assert late.reason in (Reason.NOTHING_TO_CATCH, Reason.WINDOW_CLOSED)


def test_the_next_act_ends_the_catch() -> None:
    """Once the next player has acted the window of the play before is over (R169)."""
    table = Table(race(reaction_ms=0))
    match = table.play(lambda m: bool(m.state and m.state.duties and m.turns), seed=3)
    assert match.state is not None
    target = match.state.duty.index(max(match.state.duty))
    window, seat = match.window, (target + 2) % 4
    asked = min(match.turns)
    accepted(table.answer(asked, match.turns[asked].default_choice))
    refusal = refused(table.act(seat, Catch(Seat(target)), "r1", window=window))
    assert refusal.reason is Reason.WINDOW_CLOSED


def test_a_jump_in_opens_a_window_of_its_own() -> None:
    """After a jump-in the window has a new number; the old one is closed."""
    table = Table(race(overrides={"jump_in": "identical"}))

    def jumper(match: Match) -> int | None:
        if match.state is None or not match.window or match.turns:
            return None
        seats = range(len(match.seats))
        jumps = (s for s in seats if any(isinstance(a, JumpIn) for a in reactions(match.state, s)))  # type: ignore[arg-type]
        return next(jumps, None)

    match = table.play(lambda m: jumper(m) is not None)
    seat, window = jumper(match), match.window
    assert seat is not None
    assert match.state is not None
    action = next(a for a in reactions(match.state, seat) if isinstance(a, JumpIn))  # type: ignore[arg-type]
    outcome = accepted(table.act(seat, action, "jump", uno=True))
    if match.stage == "running" and match.state.running:
        assert match.window == outcome.version > window
    assert picture(table.replayed()) == picture(match)


def caught_on_turn(seed: int) -> tuple[Table, OpenTurn] | None:
    """Have a seat caught while it is on turn; return its table and the turn it had."""
    table, dice = Table(race(reaction_ms=0, overrides={"uno_window": "open"})), Random(seed)
    match = table.match
    while not match.over:
        state = match.state
        if state is not None and match.turns and state.duty[min(match.turns)]:
            target = min(match.turns)
            old = match.turns[target]
            table.clock.advance(700)
            accepted(table.act((target + 1) % 4, Catch(Seat(target)), "r1"))
            return table, old
        table.step(dice)
    return None


def test_a_turn_whose_actions_change_is_asked_anew_with_the_same_deadline() -> None:
    """A catch hands the seat on turn cards that fit: its turn is withdrawn and numbered anew."""
    changed = 0
    for seed in range(100):
        found = caught_on_turn(seed)
        if found is None:
            continue
        table, old = found
        new = table.match.turns[old.seat]
        if new is old:
            assert list(new.actions) == legal_actions(table.match.state, Seat(old.seat))  # type: ignore[arg-type]
            continue
        changed += 1
        assert new.turn == table.match.version > old.turn
        assert (new.deadline_us, new.opened_us) == (old.deadline_us, old.opened_us)
        assert (old.seat, old.turn, TurnClose.WITHDRAWN) in table.match.closed
        refusal = refused(table.answer(old.seat, DRAW, turn=old.turn))
        assert (refusal.reason, refusal.open_turn) == (Reason.STALE_TURN, new.turn)
        accepted(table.answer(old.seat, new.default_choice))
    assert changed


def test_an_act_out_of_turn_without_a_request_id_is_refused() -> None:
    """Without one a repeat could not be told from a second act."""
    table = Table(race())
    match = table.play(catchable)
    version = match.version
    assert refused(table.act(0, CALL_UNO, "")).reason is Reason.BAD_FIELD
    assert match.version == version
