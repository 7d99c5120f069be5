"""
What every seat may do: the answers to the open question, and the free acts of a race.

Actions are texts: `play r5`, `play W g`, `play r7 >2`, `draw`, `keep`, `accept_draw`, `challenge`,
`choose_colour g`, `choose_target 2`, `keep_card r5`, `catch 2`, `jump_in r5`, `call_uno`,
`begin_turn`, `pass`.
"""

from tests.oracle import calls, custom
from tests.oracle.cards import COLOURS, face_of, in_order, is_wild, rank
from tests.oracle.fits import is_lawful, lawful_cards, layable, may_bluff, why_not_last
from tests.oracle.stock import can_draw
from tests.oracle.table import State

CUSTOM_PHASES = ("lay_out", "dare", "vote")


def asked(state: State) -> list[int]:
    """List the seats that have a question to answer now."""
    if not state.running or state.pause:
        return []
    if state.group is not None:
        return [s for s in state.group.asked if s not in state.group.answers]
    if state.phase == "vote":
        return custom.voters(state)
    return [state.turn]


def legal(state: State, seat: int) -> list[str]:
    """List the answers of a seat to its open question, in canonical order; none if not asked."""
    if seat not in asked(state):
        return []
    if state.group is not None:
        return group_answers(state, seat)
    if state.phase in CUSTOM_PHASES:
        return custom.answers(state, seat)
    return {
        "play": _own_turn,
        "drawn": _after_drawing,
        "facing": _facing,
        "keep_one": _keep_one,
        "first_target": _targets,
        "roulette": _colours,
        "first_colour": _colours,
    }[state.phase](state, seat)


def free_acts(state: State, seat: int) -> list[str]:
    """List what a seat may do unasked in a race; useless calls of UNO are lawful and not listed."""
    if state.polled or not state.running or seat not in state.active:
        return []
    touch = seat in asked(state) and not state.begun and state.phase in ("play", "facing")
    acts = ["begin_turn"] if touch else []
    return acts + jump_ins(state, seat) + catches(state, seat)


def group_answers(state: State, seat: int) -> list[str]:
    """List the answers a seat may give to a group's question."""
    assert state.group is not None
    jumps = jump_ins(state, seat) if state.group.jump else []
    return [*jumps, *catches(state, seat), "pass"]


def catches(state: State, seat: int) -> list[str]:
    """List the catches of a seat, by the number of who is caught."""
    return [f"catch {target}" for target in sorted(calls.catchable(state, seat))]


def jump_ins(state: State, seat: int) -> list[str]:
    """List the jump-ins of a seat: a coloured card identical to the top one (S11, Q49)."""
    if not jump_open(state) or seat == state.last_player or state.top not in state.hands[seat]:
        return []
    if why_not_last(state, seat, state.top) is not None:
        return []
    return [text.replace("play", "jump_in") for text in plays_of(state, seat, state.top)]


def jump_open(state: State) -> bool:
    """Say whether the card on top may be jumped on now."""
    return state.option("jump_in") == "identical" and state.jumpable and state.phase == "play"


def plays_of(state: State, seat: int, card: str) -> list[str]:
    """List the ways to lay one card: by colour and target where it needs them (S01)."""
    face = face_of(card)
    last = len(state.hands[seat]) == 1
    names_colour = is_wild(card) and not (
        face == "WCR" and state.option("roulette_chooser") == "victim"
    )
    colours = [f" {c}" for c in COLOURS] if names_colour else [""]
    if names_colour and last:  # Q42: naming one is optional, and ignored
        colours.insert(0, "")
    swaps = (
        face == "WX"
        or (face == "WC" and custom.is_aimed(state, card))
        or (face == "7" and state.option("seven_zero"))
    )
    others = [s for s in state.active if s != seat]
    targets = [f" >{s}" for s in others] if swaps and not last else [""]  # S14
    return [f"play {card}{colour}{target}" for colour in colours for target in targets]


def unlawful(state: State, seat: int) -> list[str]:
    """List the answers that would be an unlawful wild draw four."""
    texts = [text for text in legal(state, seat) if text.startswith("play W4")]
    return texts if texts and not is_lawful(state, seat, "W4") else []


def _plays(state: State, seat: int, cards: list[str]) -> list[str]:
    different = sorted(set(cards), key=rank)
    return [text for card in different for text in plays_of(state, seat, card)]


def _own_turn(state: State, seat: int) -> list[str]:
    cards = [c for c in state.hands[seat] if layable(state, seat, c)]
    acts = _plays(state, seat, cards)
    if may_draw(state, seat):
        acts.append("draw")
    if must_call_first(state, seat):
        acts.append("call_uno")
    return acts


def may_draw(state: State, seat: int) -> bool:
    """Say whether drawing is lawful: voluntary_draw, and S02 where no card can be drawn."""
    if not lawful_cards(state, seat):
        return True
    return bool(state.option("voluntary_draw") and can_draw(state))


def must_call_first(state: State, seat: int) -> bool:
    """Say whether a seat still has to call before it may lay its last card (Q69)."""
    return (
        state.option("uno_required_to_finish")
        and len(state.hands[seat]) == 1
        and seat not in state.called
        and seat not in state.caught
    )


def _after_drawing(state: State, seat: int) -> list[str]:
    candidates = state.drawn_choice or [state.drawn or ""]
    bluff_open = may_bluff(state) and state.option("draw_mode") == "one"  # S16
    fitting = [c for c in candidates if layable(state, seat, c)]
    lawful = [c for c in fitting if is_lawful(state, seat, c)]
    acts = _plays(state, seat, fitting if bluff_open else lawful)
    if state.option("drawn_card") == "may_play" or not lawful:
        acts.append("keep")
    return acts


def _facing(state: State, seat: int) -> list[str]:
    assert state.debt is not None
    acts = _plays(state, seat, [c for c in state.hands[seat] if layable(state, seat, c)])
    acts.append("accept_draw")
    if state.debt.challengeable:
        acts.append("challenge")
    return acts


def _keep_one(state: State, seat: int) -> list[str]:
    return [f"keep_card {card}" for card in dict.fromkeys(in_order(state.hands[seat]))]


def _targets(state: State, seat: int) -> list[str]:
    return [f"choose_target {s}" for s in state.active if s != seat]


def _colours(_state: State, _seat: int) -> list[str]:
    return [f"choose_colour {c}" for c in COLOURS]
