"""
Turn after turn: takes an act, does it, and opens what comes next (group, pause, turn).

`step` is the door for every act of a seat; a refused act changes nothing.
"""

from contextlib import suppress

from tests.oracle import calls, custom, effects, score, stock
from tests.oracle.fits import fits, is_lawful, lawful_cards
from tests.oracle.legal import CUSTOM_PHASES, asked, free_acts, jump_ins, jump_open, legal
from tests.oracle.refusals import reason
from tests.oracle.table import Group, Refused, RoundOver, State


def step(state: State, seat: int, text: str, uno: bool = False) -> None:  # noqa: FBT001, FBT002
    """
    Do one act of a seat: an answer to its question, or a free act of a race.

    Raises:
        Refused: the act is not lawful now; the state is unchanged.

    """
    if text in legal(state, seat):
        with suppress(RoundOver):
            if state.group is not None:
                state.group.answers[seat] = (text, uno)
            else:
                _answer(state, seat, text, uno=uno)
                if not text.startswith("vote"):  # S02: turn actions; a vote is no turn of its own
                    count_action(state)
    elif text in free_acts(state, seat) or _is_call(state, seat, text):
        with suppress(RoundOver):
            _free_act(state, seat, text, uno=uno)
    else:
        raise Refused(reason(state, seat, text))


def count_action(state: State) -> None:
    """Count a turn action; the cap ends the round like a blocked one (S02)."""
    state.actions += 1
    if state.actions >= state.action_cap:
        score.end_round(state, "action_cap", [])


def _is_call(state: State, seat: int, text: str) -> bool:
    racing = state.running and not state.polled
    return racing and text == "call_uno" and seat in state.active


def _free_act(state: State, seat: int, text: str, *, uno: bool) -> None:
    verb, *words = text.split()
    if verb == "call_uno":
        calls.call(state, seat)
    elif verb == "begin_turn":  # R169
        calls.begin_turn(state, seat)
    elif verb == "catch":
        target = int(words[0])
        calls.catch(state, target)
        if target in state.out:
            seat_left(state, target)
    else:
        jump_in(state, seat, words, uno=uno)


def jump_in(state: State, seat: int, words: list[str], *, uno: bool) -> None:
    """Let a seat lay an identical card out of turn; play goes on from it (R232)."""
    state.pause = False
    state.group = None
    calls.jump_closes(state, seat)
    _lay(state, seat, words, uno=uno)


def _answer(state: State, seat: int, text: str, *, uno: bool) -> None:
    verb, *words = text.split()
    if verb == "play":
        calls.begin_turn(state, seat)
        calls.end_turn(state)
        _lay(state, seat, words, uno=uno)
    elif verb == "draw":
        _draw(state, seat)
    elif verb == "keep":
        _pass_on(state, seat)
    elif verb == "accept_draw":
        _pay(state, seat, 0)
    elif verb == "challenge":
        _challenge(state, seat)
    elif verb == "call_uno":
        calls.call(state, seat)
    elif verb == "keep_card":
        _keep_one(state, seat, words[0])
    elif state.phase in CUSTOM_PHASES:
        _custom(state, seat, verb, words)
    else:
        _choose(state, seat, verb, words[0])


def _lay(state: State, seat: int, words: list[str], *, uno: bool) -> None:
    colour = next((w for w in words[1:] if not w.startswith(">")), None)
    target = next((int(w[1:]) for w in words[1:] if w.startswith(">")), None)
    effects.lay(state, seat, words[0], colour, target, uno=uno)
    if state.phase not in ("keep_one", *CUSTOM_PHASES):
        after_turn(state, seat, played=True)


def _custom(state: State, seat: int, verb: str, words: list[str]) -> None:
    """Take an answer to a custom rule; its end is the end of the play (Q10)."""
    if custom.answer(state, seat, verb, words):
        _custom_done(state)


def _custom_done(state: State) -> None:
    actor = state.custom.actor
    if state.last_player is None:  # a turned card is nobody's own play (S06, S11)
        open_turn(state)
        return
    if actor in state.active and actor not in state.called:  # R177: called while the rule ran
        calls.left_with_one(state, actor, said_uno=state.said_uno)
    after_turn(state, actor, played=True)


def _keep_one(state: State, seat: int, card: str) -> None:
    thrown = list(state.hands[seat])
    thrown.remove(card)
    effects.throw_beneath(state, seat, thrown)
    called = state.said_uno or seat in state.called  # R177: called while it chose
    effects.take_effect(state, seat, state.top, None, None, said_uno=called)
    after_turn(state, seat, played=True)


def _draw(state: State, seat: int) -> None:
    calls.begin_turn(state, seat)
    state.early_call = False  # F32: a call before drawing is void
    count = 1 if lawful_cards(state, seat) else state.next_draw.get(seat, 1)  # CR04
    taken = stock.take(state, seat, count)
    one_draw = state.option("draw_mode") == "one"
    state.drawn_choice = list(taken) if one_draw and len(taken) > 1 else []  # Q38
    while taken and state.option("draw_mode") == "until_playable" and seat in state.active:
        if fits(state, taken[-1]) and is_lawful(state, seat, taken[-1]):  # NM09, S16
            break
        more = stock.take(state, seat, 1)
        if not more:
            break
        taken += more
    state.moved = bool(taken)
    if taken and seat in state.active:
        state.drawn = taken[-1]
        state.phase = "drawn"
    else:
        _pass_on(state, seat)


def _pass_on(state: State, seat: int) -> None:
    """End a turn without a play."""
    state.drawn, state.drawn_choice = None, []
    calls.end_turn(state)
    effects.ask(state, "play", state.after(seat))
    after_turn(state, seat, played=False)


def _pay(state: State, seat: int, extra: int) -> None:
    """Take the whole debt and lose the turn (R137, R134, Q45)."""
    calls.begin_turn(state, seat)
    assert state.debt is not None
    total = state.debt.total + extra
    state.debt = None
    state.moved = bool(stock.take(state, seat, total))
    _pass_on(state, seat)


def _challenge(state: State, seat: int) -> None:
    debt = state.debt
    assert debt is not None
    if debt.lawful:
        _pay(state, seat, 2)
        return
    calls.begin_turn(state, seat)
    state.debt = None
    state.phase = "play"  # R133
    if debt.offender is not None:
        stock.take(state, debt.offender, debt.total)
    if seat in state.owes_turn:  # Q11: the turn has reached him
        state.owes_turn.discard(seat)
        state.moved = True
        _pass_on(state, seat)


def _choose(state: State, seat: int, verb: str, word: str) -> None:
    """Take a colour or a target that a turned card or the roulette asks for."""
    if state.phase == "roulette":
        state.colour = word
        effects.roulette(state, seat)
        open_turn(state)
    elif state.phase == "first_colour" and state.option("first_card") == "dealer_played":
        state.colour = word
        _dealers_wild(state, seat)
    elif verb == "choose_colour":  # Q24: he who names the colour of a turned wild also plays
        state.colour = word
        state.phase = "play"
        state.begun = True
    elif custom.is_aimed(state, state.top):
        _dealers_rule(state, int(word))
    else:
        effects.act(state, seat, state.top, int(word), lawful=True)
        open_turn(state)


def _dealers_rule(state: State, target: int | None) -> None:
    """Run the rule of a turned card as if the dealer had laid it; it may have to wait."""
    effects.act(state, state.dealer, state.top, target, lawful=True)
    if state.phase not in CUSTOM_PHASES:
        open_turn(state)


def _dealers_wild(state: State, namer: int) -> None:
    """
    Let a turned wild act as if the dealer had laid it (R056, R057).

    `namer` is the dealer, or its successor if the dealer has left.
    """
    dealer = state.dealer
    if state.top == "WX" or custom.is_aimed(state, state.top):
        effects.ask(state, "first_target", namer)
    elif state.top.startswith("WC") and state.top != "WCR":
        _dealers_rule(state, None)
    elif state.top == "W4":
        effects.attack(state, None, state.top, state.after(dealer), lawful=True)
        open_turn(state)
    else:
        effects.act(state, dealer, state.top, None, lawful=True)
        open_turn(state)


def after_turn(state: State, actor: int, *, played: bool) -> None:
    """Go on after a complete turn: laps, then group or pause, then the next turn."""
    state.next_draw.pop(actor, None)
    if not state.moved:
        passed_by(state)
    state.begun = False
    state.early_call = False
    one_left = len(state.hands[actor]) == 1
    if not state.polled and played and (state.option("jump_in") == "identical" or one_left):
        state.pause = True
    else:
        _open_group_or_turn(state, actor, jump=played and jump_open(state))


def _open_group_or_turn(state: State, actor: int, *, jump: bool) -> None:
    wanted = [s for s in state.active if _may_react(state, s, jump=jump)]
    if state.polled and wanted:
        state.group = Group(actor, wanted, jump)
    else:
        open_turn(state)


def _may_react(state: State, seat: int, *, jump: bool) -> bool:
    """Say whether a group asks a seat: it depends on what everybody sees, not on its cards."""
    may_jump = jump and seat != state.last_player
    return may_jump or any(state.opponents(seat, d.seat) for d in state.duties)


def passed_by(state: State) -> None:
    """Count a seat that neither played nor drew; a full lap of them blocks the round (S02, Q02)."""
    state.idle += 1
    if state.idle >= len(state.active):
        score.end_round(state, "blocked", [])


def open_turn(state: State) -> None:
    """Ask the next seat, passing over those who owe a turn for a forgotten call (Q11, S18)."""
    state.duties = [d for d in state.duties if not d.last_group]
    while state.phase == "play" and state.turn in state.owes_turn:
        state.owes_turn.discard(state.turn)
        effects.lose_turn(state, state.turn)
        state.turn = state.after(state.turn)
    effects.lose_turn(state, state.turn)
    state.begun = False
    state.moved = False
    state.early_call = False


def close_window(state: State) -> None:
    """End the pause of a race: the next turn is asked (S03)."""
    if not state.pause:
        raise Refused("no_window")
    state.pause = False
    with suppress(RoundOver):
        open_turn(state)


def close_group(state: State) -> None:
    """
    Resolve a group once every asked seat has answered: in seat order after the actor.

    Raises:
        Refused: no group is open, or an answer is missing.

    """
    group = state.group
    if group is None or asked(state):
        raise Refused("group_open")
    state.group = None
    with suppress(RoundOver):
        _resolve(state, group)


def _resolve(state: State, group: Group) -> None:
    order = sorted(group.asked, key=lambda s: (s - group.actor - 1) % state.seats)
    for seat in order:
        text, uno = group.answers[seat]
        verb, *words = text.split()
        if verb == "jump_in" and text in jump_ins(state, seat):  # else superseded (Q31)
            jump_in(state, seat, words, uno=uno)
            return
        if verb == "catch" and state.duty_of(int(words[0])) is not None:
            calls.catch(state, int(words[0]))
            if int(words[0]) in state.out:
                seat_left(state, int(words[0]))
    open_turn(state)


def seat_left(state: State, seat: int) -> None:
    """Go on when a seat has left the round outside its own act (S12, NM14, Q64)."""
    if state.group is not None and seat in state.group.asked:
        state.group.asked.remove(seat)
        state.group.answers.pop(seat, None)
    if state.debt is not None and state.debt.offender == seat:
        state.debt.offender = None  # the card stands, nobody draws for the one who is gone (F12)
    if state.phase in CUSTOM_PHASES:
        if custom.seat_left(state, seat):
            _custom_done(state)
        return
    if state.turn != seat:
        return
    state.debt = None
    state.drawn = None
    state.early_call = False
    phase = state.phase if state.phase == "first_colour" else "play"
    if state.begun:  # a seat that has not acted is not the next player who acts
        calls.end_turn(state)
    effects.ask(state, phase, state.after(seat))
    if state.group is None and not state.pause:
        _open_group_or_turn(state, seat, jump=False)
