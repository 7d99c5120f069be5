"""
What the customizable wilds do: a written rule is a list of operations, run in order.

`WC1`, `WC2`, ... carry the rules of custom_rules in order; `WC` has none and is a plain wild (Q34).
An operation is a text: `draw(next,3)`, `adjust_hand(all,3)`, `dare(next,crow,draw(self,4))`,
`vote(laughed?,discard_to(self,1),draw(self,4))`; several in one place are separated by `;`.
"""

from dataclasses import dataclass, field

from tests.oracle import effects, score, stock
from tests.oracle.cards import colour_of, in_order, is_number, is_wild
from tests.oracle.table import State


@dataclass
class Running:
    """A rule that is being carried out: who laid it, what is left to do, and what is asked."""

    actor: int
    chosen: int | None
    left: list[tuple[str, int]]  # operation, and the seat it takes for `self`
    extra_turn: bool = False
    lose_turn: bool = False
    size: int = 0  # to which the asked seat lays out cards
    may_stop: bool = False
    yes: str = ""
    no: str = ""
    one_yes_counts: bool = False
    subject: int = 0  # whom yes and no are about
    votes: dict[int, bool] = field(default_factory=dict)
    sizes: list[tuple[int, int, bool]] = field(default_factory=list)  # seat, size, may stop


def meant(card: str, predicate: str) -> bool:
    """Say whether a card is one of those an operation speaks of."""
    if predicate in tuple("rygb"):
        return colour_of(card) == predicate
    kind = "wild" if is_wild(card) else "number" if is_number(card) else "special"
    return kind == predicate


def rule_of(state: State, card: str) -> dict[str, object] | None:
    """Find the rule written on a card."""
    rules = state.option("custom_rules")
    return rules[int(card[2:]) - 1] if card[:2] == "WC" and card[2:].isdigit() else None


def run(state: State, seat: int, card: str, target: int | None) -> bool:
    """Begin the rule of a card; say whether it waits for an answer."""
    rule = rule_of(state, card)
    if rule is None:
        effects.ask(state, "play", state.after(seat))
        return False
    ops = [(op, seat) for op in rule["ops"]]  # type: ignore[attr-defined]
    state.custom = Running(seat, target, ops, lose_turn=bool(rule.get("lose_turn")))
    return not go_on(state)


def is_aimed(state: State, card: str) -> bool:
    """Say whether the player of a card chooses a target."""
    rule = rule_of(state, card)
    return rule is not None and any("chosen" in op for op in rule["ops"])  # type: ignore[attr-defined]


def last_card_draw(state: State, card: str) -> int:
    """Count what the next player draws when the card is a last one (Q33, S14)."""
    rule = rule_of(state, card)
    draws = [parse(op) for op in rule["ops"]] if rule else []  # type: ignore[attr-defined]
    return sum(int(words[1]) for name, words in draws if name == "draw" and words[0] == "next")


def parse(op: str) -> tuple[str, list[str]]:
    """Take an operation apart: its name, and its arguments, which may be operations."""
    name, _, rest = op.strip().partition("(")
    words, depth = [""], 0
    for letter in rest.removesuffix(")"):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            words.append("")
        else:
            words[-1] += letter
    return name, [word.strip() for word in words]


def split(ops: str) -> list[str]:
    """Take a list of operations apart."""
    return [op for op in ops.split(";") if op.strip()]


def seats_meant(state: State, word: str, own: int) -> list[int]:
    """List the seats a target means, in turn order from the actor (CR07, Q35)."""
    running = state.custom
    steps = state.direction
    around = sorted(state.active, key=lambda s: (s - running.actor) * steps % state.seats)
    return {
        "self": [own],
        "next": [state.after(running.actor)],
        "chosen": [s for s in around if s == running.chosen],
        "others": [s for s in around if s != own],
        "all": around,
    }[word]


def go_on(state: State) -> bool:
    """Carry out operations until one asks somebody; say whether the rule is done."""
    running = state.custom
    while True:
        while running.sizes:
            seat, running.size, running.may_stop = running.sizes[0]
            if seat in state.active and len(state.hands[seat]) > running.size:
                effects.ask(state, "lay_out", seat)
                return False
            running.sizes.pop(0)
        _empty_hands(state)
        if not running.left:
            break
        op, own = running.left.pop(0)
        if _carry_out(state, op, own):
            return False
    after = state.after(running.actor)
    if running.lose_turn:  # Q36
        effects.lose_turn(state, after)
        after = state.after(after)
    again = running.extra_turn and running.actor in state.active
    effects.ask(state, "play", running.actor if again else after)
    return True


def _empty_hands(state: State) -> None:
    """Let a seat that an effect has emptied go out: the first from the actor (Q35)."""
    for seat in seats_meant(state, "all", state.custom.actor):
        if not state.hands[seat]:
            score.end_round(state, "went_out", [seat])


def _carry_out(state: State, op: str, own: int) -> bool:
    """Do one operation; say whether it asks somebody."""
    name, words = parse(op)
    if name == "vote" and own not in state.active:  # S12, Q64: who is out is not voted about
        return False
    if name == "vote":
        _ask_vote(state, own, words[1], words[2], one_yes=True)
        return True
    seats = seats_meant(state, words[0], own)
    if name == "dare" and not seats:  # the chosen seat has left
        return False
    if name == "dare":
        state.custom.no = words[2]
        effects.ask(state, "dare", seats[0])
        return True
    for seat in seats:
        if seat in state.active:
            _do(state, name, seat, words[1:])
    return False


def _do(state: State, name: str, seat: int, words: list[str]) -> None:
    """Do an operation to one seat."""
    if name == "draw":
        stock.take(state, seat, int(words[0]))
    elif name == "draw_until":
        colour = state.colour if words[0] == "named" else words[0]
        while taken := stock.take(state, seat, 1):
            if colour_of(taken[0]) == colour:
                break
    elif name == "discard_matching":
        _discard(state, seat, words[0])
    elif name == "adjust_hand":
        stock.take(state, seat, int(words[0]) - len(state.hands[seat]))
        state.custom.sizes.append((seat, int(words[0]), False))
    elif name == "discard_to":  # S20: a right, not a duty
        state.custom.sizes.append((seat, int(words[0]), True))
    else:
        _mark(state, name, seat, words)


def _discard(state: State, seat: int, predicate: str) -> None:
    thrown = [card for card in state.hands[seat] if meant(card, predicate)]
    if len(thrown) == len(state.hands[seat]) and state.option("finish_card") == "number_only":
        state.custom.sizes.append((seat, 1, False))  # S15: one stays, of the owner's choice
    else:
        effects.throw_beneath(state, seat, in_order(thrown))


def _mark(state: State, name: str, seat: int, words: list[str]) -> None:
    """Note what an operation leaves behind for later."""
    if name == "next_draw_count":
        state.next_draw[seat] = int(words[0])
    elif name == "extra_turn":
        state.custom.extra_turn = True
    elif name == "reveal_hands":
        state.open_hands.setdefault(state.custom.actor, []).append(seat)
        state.open_hands[state.custom.actor].sort()
    else:
        assert name == "restriction", name
        state.restricted.append(seat)


def _ask_vote(state: State, subject: int, yes: str, no: str, *, one_yes: bool) -> None:
    running = state.custom
    running.subject, running.yes, running.no = subject, yes, no
    running.one_yes_counts, running.votes = one_yes, {}
    effects.ask(state, "vote", subject)


def voters(state: State) -> list[int]:
    """List the seats that still have to vote."""
    running = state.custom
    return [s for s in state.active if s != running.subject and s not in running.votes]


def answers(state: State, seat: int) -> list[str]:
    """List the answers to a question of the rule that is being carried out."""
    if state.phase == "dare":
        return ["dare_done", "dare_refuse"]
    if state.phase == "vote":
        return ["vote yes", "vote no"]
    cards = [f"choose_card {card}" for card in dict.fromkeys(in_order(state.hands[seat]))]
    return cards + (["pass"] if state.custom.may_stop else [])


def answer(state: State, seat: int, verb: str, words: list[str]) -> bool:
    """Take an answer; say whether the rule is done."""
    running = state.custom
    if verb == "choose_card":
        effects.throw_beneath(state, seat, words)
    elif verb == "pass":
        running.sizes.pop(0)
    elif verb == "dare_refuse":
        running.left[:0] = [(op, seat) for op in split(running.no)]
    elif verb == "dare_done":
        _ask_vote(state, seat, "", running.no, one_yes=False)
        return False
    else:
        running.votes[seat] = words == ["yes"]
        if voters(state):
            return False
        _count_votes(state)
    return go_on(state)


def _count_votes(state: State) -> None:
    """Decide a vote: one yes is enough for a joke, a dare needs more yes than no (Q40)."""
    running = state.custom
    yes = sum(running.votes.values())
    won = yes > 0 if running.one_yes_counts else yes * 2 > len(running.votes)
    ops = running.yes if won else running.no
    running.left[:0] = [(op, running.subject) for op in split(ops)]


def seat_left(state: State, seat: int) -> bool:
    """Go on when a seat leaves while a rule is carried out; say whether the rule is done."""
    running = state.custom
    if state.phase == "vote" and seat != running.subject:
        running.votes.pop(seat, None)  # what it was owed and owes vanishes (S12, Q64)
        if voters(state):
            return False
        _count_votes(state)
    elif seat != state.turn:
        return False
    return go_on(state)
