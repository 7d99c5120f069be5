"""How a compared game goes on: random acts, lawful and not, absences, windows and groups."""

import random

import lastcard_engine as engine
from tests.oracle.compare import Table
from tests.oracle.legal import asked, free_acts, legal
from tests.oracle.steps import Step, is_lawful, take


def play(table: Table, dice: random.Random, acts: int, steps: list[Step] | None = None) -> int:
    """
    Play on at random until the match is over, and then all of it once more.

    Returns the number of steps taken; `steps` receives each before it is taken.
    """
    taken = [] if steps is None else steps
    while len(taken) < acts and table.oracle.match_winners is None:
        taken.append(_choose(table, dice))
        take(table, taken[-1])
    table.replay()
    return len(taken)


def _choose(table: Table, dice: random.Random) -> Step:
    oracle = table.oracle
    if not oracle.running:
        return Step("deal")
    free = [(s, a) for s in range(oracle.seats) for a in free_acts(oracle, s)]
    open_seats = asked(oracle)
    chance = dice.random()
    if chance < 0.13:
        odd = _unlawful(table, dice) if chance < 0.1 else _absence(table, dice)
        if odd is not None:
            return odd
    if chance < 0.3 and free:
        seat, text = dice.choice(free)
        return Step("act", seat, text, text.startswith("jump") and dice.random() < 0.5)
    if chance < 0.33 and not oracle.polled:
        return Step("act", dice.choice(oracle.active), "call_uno")
    if not open_seats:
        return Step("close")
    seat = dice.choice(open_seats)
    return Step("act", seat, _answer(legal(oracle, seat), dice), dice.random() < 0.4)


def _answer(acts: list[str], dice: random.Random) -> str:
    """Prefer playing, so that rounds come to an end."""
    plays = [a for a in acts if a.startswith("play")]
    return dice.choice(plays if plays and dice.random() < 0.7 else acts)


def _absence(table: Table, dice: random.Random) -> Step | None:
    oracle = table.oracle
    seats = asked(oracle)
    if table.start.absence == "play_default":
        return Step("time_out", dice.choice(seats)) if seats else None
    if dice.random() < 0.7:
        return None
    verb = "knock_out" if table.start.absence == "knock_out_round" else "forfeit"
    return Step(verb, dice.choice(oracle.active))


def _unlawful(table: Table, dice: random.Random) -> Step | None:
    oracle = table.oracle
    seat = dice.randrange(oracle.seats)
    hand = oracle.hands[seat] or ["r5"]
    card = dice.choice([dice.choice(hand), oracle.top, "W4", "g3"])
    colour = dice.choice(["", "", " r", " b"])
    target = dice.choice(["", "", f" >{dice.randrange(oracle.seats)}"])
    text = dice.choice(
        [
            f"play {card}{colour}{target}",
            f"play {card}{colour}{target}",
            f"choose_target {dice.randrange(oracle.seats)}",
            f"jump_in {card}{target}" if not card.startswith("W") else "draw",
            f"catch {dice.randrange(oracle.seats)}",
            f"choose_colour {dice.choice('rygb')}",
            f"choose_card {card}",
            *("dare_done", "vote no", f"play {card} r >{dice.randrange(oracle.seats)}"),
            *("draw", "keep", "accept_draw", "challenge", "pass", "begin_turn"),
        ]
    )
    if is_lawful(oracle, seat, text) or text == "call_uno":
        return None
    try:
        engine.parse_action(text)
    except ValueError:
        return None
    return Step("refuse", seat, text)
