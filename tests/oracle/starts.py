"""Which games are compared: rules, seats, settings and positions, all from dice."""

import random
from dataclasses import replace

from tests.option_sets import OptionSet, random_options
from tests.oracle.cards import COLOURS, deck, is_wild
from tests.oracle.compare import Start
from tests.oracle.options import options_of


def random_start(dice: random.Random) -> Start:
    """Throw a game together, some of them in the middle of a round."""
    start = start_of(random_options(dice), dice, polled=dice.random() < 0.5)
    return with_position(start, dice) if dice.random() < 0.4 else start


def start_of(rules: OptionSet, dice: random.Random, *, polled: bool) -> Start:
    """Choose all that rules leave open: the cards, what befalls the absent, when to cut off."""
    return Start(
        rules.preset,
        rules.overrides,
        rules.seats,
        polled,
        dice.choice(["play_default", "knock_out_round", "forfeit_match"]),
        dice.choice([2000, 2000, 300, 30]),
        dice.choice([0, 0, 3]),
        dice.randbytes(32),
    )


def with_position(start: Start, dice: random.Random) -> Start:
    """Begin with few cards: short hands, and piles that run out."""
    cards = deck(options_of(start.preset, **start.overrides))
    dice.shuffle(cards)
    hands = []
    for _ in range(start.seats):
        size = dice.choice([1, 1, 2, 2, 3, 4, 7])
        hands.append(tuple(cards[:size]))
        del cards[:size]
    if len(cards) < 2 or not all(hands):  # a small deck, many seats
        return start
    size, below = dice.choice([0, 0, 1, 3, 8, 20]), dice.choice([0, 0, 1, 5])
    top = cards.pop()
    return replace(
        start,
        hands=tuple(hands),
        top=top,
        draw=tuple(cards[:size]),
        discards=tuple(cards[size : size + below]),
        colour=dice.choice(COLOURS) if is_wild(top) else top[0],
    )
