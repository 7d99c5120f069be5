"""Is every line either ruled on, with a clause, or refused in one sentence, whatever it holds?"""

from collections import Counter
from random import Random

from lastcard_engine.presets import PRESETS
from lastcard_engine.state import Phase
from lastcard_server.referee.ruling import ActionError, read_action, rule
from lastcard_server.referee.seen import PositionError, read_seen
from lastcard_server.sheets.choice import choose

CARDS = ["r5", "g7", "b0", "rS", "gR", "bD2", "W", "W4", "WS", "WC", "rD4", "rSE", "gDA", "W10"]
TOPS = ["r5", "g7", "b0", "rS", "bD2", "W4"]
ACTS = ["draw", "keep", "accept_draw", "challenge", "call_uno", "begin_turn", "pass", "dare_done"]
ACTS += ["choose_colour g", "choose_target 1", "choose_card r5", "catch 1", "catch 0", "vote yes"]
ACTS += ["jump_in r5", "jump_in r7 >1"]
ONE = {
    "dir": "1 -1",
    "colour": "r y g b",
    "draw": "0 50",
    "drawn": "r5 W4",
    "pending": "2 4 6 10",
    "begun": "0 1",
    "window": "1",
    "serial": "2 3",
    "round": "0 1",
    "reactions": "race polled",
    "phase": " ".join(Phase),
}
SEAT = ("turn", "dealer", "offence", "credit", "laid_by", "group")
EACH = {"called": "0 1", "caught": "0 1", "active": "0 1 1", "skip": "0 1", "duty": "0 1"}


def position(dice: Random) -> tuple[str, str]:
    """Return words that stand beside each other by chance, and an act."""
    seats = dice.choice((2, 3, 4))
    hand = dice.choices(CARDS, k=dice.choice((1, 1, 2, 3)))
    hands = [str(dice.choice((1, 1, 2, 5))) for _ in range(seats)]
    hands[dice.randrange(seats)] = ",".join(hand)
    words = [f"hands={'/'.join(hands)}"]
    if dice.random() < 0.95:
        words.append(f"discards={dice.choice(('', '3,'))}{dice.choice(TOPS)}")
    for name in dice.sample([*ONE, *SEAT, *EACH], dice.choice((0, 0, 1, 2, 3))):
        if name in ONE:
            value = dice.choice(ONE[name].split())
        elif name in SEAT:
            value = str(dice.randrange(seats))
        else:
            value = ",".join(dice.choices(EACH[name].split(), k=seats))
        words.append(f"{name}={value}")
    card = dice.choice(hand)
    plays = [f"play {card}", f"play {card} g", f"play {card} >{dice.randrange(seats)}"] * 5
    return " ".join(words), dice.choice(ACTS + plays)


def test_any_line_is_ruled_on_or_refused() -> None:
    """Nothing else comes out of it, and both happen often."""
    dice = Random(11)
    choices = [choose(preset, {}) for preset in PRESETS]
    found: Counter[str] = Counter()
    for _ in range(4_000):
        text, act = position(dice)
        try:
            action, uno = read_action(act)
            ruling = rule(dice.choice(choices), read_seen(text), action, uno=uno)
        except (PositionError, ActionError):
            found["refused"] += 1
        else:
            assert ruling.text
            assert ruling.cited.clauses
            found[ruling.verdict] += 1
    assert min(found["refused"], found["no"], found["yes"]) > 50, found
