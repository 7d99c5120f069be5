"""How a compared game goes on: random acts, lawful and not, absences, windows and groups."""

import random

import lastcard_engine as engine
from tests.oracle.compare import Table
from tests.oracle.legal import asked, free_acts, legal


def play(table: Table, dice: random.Random, acts: int) -> int:
    """Play on at random until the match is over; return the number of acts done."""
    for done in range(acts):
        if table.oracle.match_winners is not None:
            return done
        if table.oracle.running:
            _one_act(table, dice)
        else:
            table.deal()
    return acts


def _one_act(table: Table, dice: random.Random) -> None:
    oracle = table.oracle
    free = [(s, a) for s in range(oracle.seats) for a in free_acts(oracle, s)]
    open_seats = asked(oracle)
    chance = dice.random()
    if chance < 0.1:
        _try_illegal(table, dice)
    elif chance < 0.13:
        _leave(table, dice)
    elif chance < 0.3 and free:
        seat, text = dice.choice(free)
        table.act(seat, text, uno=text.startswith("jump") and dice.random() < 0.5)
    elif chance < 0.33 and not oracle.polled:
        table.act(dice.choice(oracle.active), "call_uno", uno=False)
    elif not open_seats:
        table.close()
    else:
        seat = dice.choice(open_seats)
        table.act(seat, _choice(legal(oracle, seat), dice), uno=dice.random() < 0.4)


def _choice(acts: list[str], dice: random.Random) -> str:
    """Prefer playing, so that rounds come to an end."""
    plays = [a for a in acts if a.startswith("play")]
    return dice.choice(plays if plays and dice.random() < 0.7 else acts)


def _leave(table: Table, dice: random.Random) -> None:
    oracle = table.oracle
    seats = asked(oracle)
    if table.start.absence == "play_default":
        if seats:
            table.be_absent(dice.choice(seats), "time_out")
    elif dice.random() < 0.3:
        what = "knock_out" if table.start.absence == "knock_out_round" else "forfeit"
        table.be_absent(dice.choice(oracle.active), what)


def _try_illegal(table: Table, dice: random.Random) -> None:
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
    lawful = text in legal(oracle, seat) or text in free_acts(oracle, seat)
    try:
        engine.parse_action(text)
    except ValueError:
        return
    if not lawful:
        table.refuse(seat, text)
