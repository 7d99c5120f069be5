"""
Which sentence says what a set of rules decides?

One table: a section holds its lines by name, a line says its sentence for a choice of rules, or
nothing where the choice makes it meaningless. The name of an option's message is the option and its
value.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from lastcard_engine.cards import MOST_RULES, Face
from lastcard_engine.custom_ops import sheds
from lastcard_engine.custom_text import compiled
from lastcard_engine.rules import (
    Deck,
    DrawFourEnforcement,
    DrawFourLegality,
    DrawMode,
    FinishCard,
    FirstCard,
    Rules,
    Scoring,
    Stacking,
    Teams,
)
from lastcard_server.sheets.choice import Choice
from lastcard_server.sheets.custom import told
from lastcard_server.sheets.faces import GROUPS, counts, custom_cards
from lastcard_server.sheets.words import Words

Line = Callable[[Choice, Words], str]
"""Says a sentence; empty where there is nothing to say."""
Test = Callable[[Rules], bool]


def _dealer(option: str) -> Line:
    """Say who deals; in a tournament, whose deals are matches of their own, that is settled."""

    def line(choice: Choice, words: Words) -> str:
        if not choice.tournament:
            return _option(option)(choice, words)
        return words.say("dealer_pick.tournament") if option == "dealer_pick" else ""

    return line


def _always(key: str) -> Line:
    return lambda _choice, words: words.say(key)


def _option(name: str) -> Line:
    """Say the value of an option that is a name or a flag."""

    def line(choice: Choice, words: Words) -> str:
        return words.say(f"{name}.{str(getattr(choice.rules, name)).lower()}")

    return line


def _when(test: Test, line: Line) -> Line:
    return lambda choice, words: line(choice, words) if test(choice.rules) else ""


def _players(choice: Choice, words: Words) -> str:
    most = choice.rules.max_players
    return words.say("players.two") if most == 2 else words.say("players.up_to", n=most)


def _deck(choice: Choice, words: Words) -> str:
    """Say how many cards there are; the cards themselves stand in their own section."""
    rules = choice.rules
    cards = counts(rules)
    extras = [
        words.say("deck.of", n=cards[face], card=words.say(f"card.{face.name.lower()}"))
        for face in (Face.SHUFFLE_HANDS, Face.SWAP_HANDS, Face.CUSTOM)
        if face in cards
    ]
    total = sum(cards.values())
    if rules.deck is Deck.CLASSIC_108 and extras:
        return words.say("deck.extras", n=total, extras=words.listed(extras))
    return words.say(f"deck.{rules.deck}", n=total)


def _custom_deck(group: str) -> Line:
    return lambda choice, words: custom_cards(group, choice.rules, words)


def _hand(choice: Choice, words: Words) -> str:
    return words.counted("hand_size", choice.rules.hand_size)


def _penalty(choice: Choice, words: Words) -> str:
    rules = choice.rules
    if rules.uno_penalty_cards == 0:
        return words.say("uno_penalty_cards.none")
    return words.counted(f"uno_penalty_source.{rules.uno_penalty_source}", rules.uno_penalty_cards)


def _scoring(choice: Choice, words: Words) -> str:
    if choice.tournament:
        return words.say("scoring.tournament")
    if _paired(choice.rules) and choice.rules.scoring is Scoring.WINNER_TAKES:
        return words.say("scoring.pairs", n=choice.rules.target_points)
    return words.say(f"scoring.{choice.rules.scoring}", n=choice.rules.target_points)


def _blocked(choice: Choice, words: Words) -> str:
    return words.say(f"blocked.{choice.rules.scoring}")


def _stacking(choice: Choice, words: Words) -> str:
    rules = choice.rules
    if rules.stacking is not Stacking.PAIRS:
        return words.say(f"stacking.{rules.stacking}")
    pairs = [words.say(f"pair.{pair.replace('>', '_')}") for pair in rules.stack_pairs]
    return words.say("stacking.pairs", pairs=words.listed(pairs)) if pairs else ""


def _mercy(choice: Choice, words: Words) -> str:
    limit = choice.rules.mercy_limit
    return words.say("mercy.limit", n=limit) if limit else words.say("mercy.off")


def _bonus(choice: Choice, words: Words) -> str:
    bonus = choice.rules.mercy_bonus
    return words.say("mercy_bonus.points", n=bonus) if bonus else words.say("mercy_bonus.none")


def _custom_card(number: int) -> Line:
    """Say the rule on a customizable card, 1-based in the order of the deck."""

    def line(choice: Choice, words: Words) -> str:
        rules = choice.rules.custom_rules
        if number > len(rules):
            return ""
        return words.say("custom.rule", n=number, text=told(rules[number - 1], words))

    return line


def _custom_blank(choice: Choice, words: Words) -> str:
    rules = choice.rules
    blank = counts(rules)[Face.CUSTOM] > len(rules.custom_rules)
    return words.say("custom.blank") if blank else ""


def _custom_laid_out(choice: Choice, words: Words) -> str:
    """Say where cards go that a rule lays out (Q39), and whether one may go out by it (S15)."""
    rules = choice.rules
    if any(sheds(compiled(rule)) for rule in rules.custom_rules):
        return words.say(f"custom.laid_out.{rules.finish_card}")
    return ""


def _tournament(choice: Choice, words: Words) -> str:
    return words.say(f"format.{choice.tournament}") if choice.tournament else ""


def _has(*faces: Face) -> Test:
    return lambda rules: any(face in counts(rules) for face in faces)


def _lawful_only(rules: Rules) -> bool:
    """Tell whether a wild draw four can be laid against the rules."""
    return rules.wd4_legality is not DrawFourLegality.FREE and _DRAW_FOUR(rules)


def _stack_challenged(rules: Rules) -> bool:
    challenge = rules.wd4_enforcement is DrawFourEnforcement.CHALLENGE
    answers = {pair.partition(">")[2] for pair in rules.stack_pairs}
    stacked = rules.stacking is Stacking.PAIRS and "wd4" in answers
    return challenge and stacked and _lawful_only(rules)


def _unlawful_drawn(rules: Rules) -> bool:
    return rules.draw_mode is DrawMode.UNTIL_PLAYABLE and _lawful_only(rules)


def _hands_move(rules: Rules) -> bool:
    return rules.seven_zero or _MOVERS(rules)


def _rejects(rules: Rules) -> bool:
    return rules.first_card in (FirstCard.NUMBER_ONLY, FirstCard.APPLY)


def _bonus_scored(rules: Rules) -> bool:
    return rules.mercy_limit > 0 and rules.scoring is Scoring.WINNER_TAKES


def _hand_written_down(rules: Rules) -> bool:
    """Tell whether a knocked-out seat adds the hand it held to its own total (S12)."""
    return rules.mercy_limit > 0 and rules.scoring in (Scoring.LOW_TOTAL, Scoring.ELIMINATION)


def _ends_specially(rules: Rules) -> bool:
    """Tell whether the last card may be other than a number, and so make somebody draw."""
    return rules.finish_card is not FinishCard.NUMBER_ONLY


def _ends_in_effect(rules: Rules) -> bool:
    """Tell whether the last card may be one that does something; of numbers 7 and 0 may."""
    return _ends_specially(rules) or rules.seven_zero


def _alone(rules: Rules) -> bool:
    return rules.teams is Teams.NONE


def _paired(rules: Rules) -> bool:
    return rules.teams is Teams.PAIRS


_DRAW_FOUR: Final = _has(Face.WILD_DRAW_FOUR)
_MOVERS: Final = _has(Face.SHUFFLE_HANDS, Face.SWAP_HANDS)

BEFORE_CARDS: Final[Mapping[str, Mapping[str, Line]]] = {
    "table": {
        "players": _when(_alone, _players),
        "teams": _option("teams"),
        "deck": _deck,
        **{f"deck_{group}": _custom_deck(group) for group in GROUPS},
    },
    "setup": {
        "dealer_pick": _dealer("dealer_pick"),
        "hand_size": _hand,
        "piles": _always("setup.piles"),
        "start": _always("setup.start"),
        "next_dealer": _dealer("next_dealer"),
    },
    "first_card": {
        "first_card": _option("first_card"),
        "first_card_rejects": _when(_rejects, _option("first_card_rejects")),
    },
    "turn": {
        "one_card": _always("turn.one_card"),
        "voluntary_draw": _option("voluntary_draw"),
        "draw_mode": _option("draw_mode"),
        "unlawful": _when(_unlawful_drawn, _always("draw_mode.unlawful")),
        "drawn_card": _option("drawn_card"),
        "after_drawing": _always("turn.after_drawing"),
        "empty": _always("turn.empty"),
        "none_left": _always("turn.none_left"),
    },
    "matching": {
        "numbers": _always("matching.numbers"),
        "action_match": _option("action_match"),
        "wilds": _always("matching.wilds"),
    },
}
"""The sections that stand before the cards."""

AFTER_CARDS: Final[Mapping[str, Mapping[str, Line]]] = {
    "wild_draw_four": {
        "wd4_legality": _when(_DRAW_FOUR, _option("wd4_legality")),
        "wd4_enforcement": _when(_lawful_only, _option("wd4_enforcement")),
    },
    "uno": {
        "call": _always("uno.call"),
        "uno_window": _option("uno_window"),
        "uno_penalty": _penalty,
        "uno_penalty_skip_turn": _option("uno_penalty_skip_turn"),
        "uno_self_correct": _option("uno_self_correct"),
        "uno_required_to_finish": _option("uno_required_to_finish"),
        "received": _when(_hands_move, _always("uno.received")),
    },
    "out": {
        "win": _always("out.win"),
        "finish_card": _option("finish_card"),
        "finish_draw_counts": _when(_ends_specially, _option("finish_draw_counts")),
        "void": _when(_ends_in_effect, _always("out.void")),
    },
    "scoring": {"scoring": _scoring, "blocked": _blocked},
    "house": {
        "stacking": _stacking,
        "stack_challenge": _when(_stack_challenged, _always("stacking.challenge")),
        "seven_zero": _option("seven_zero"),
        "jump_in": _option("jump_in"),
        "mercy_limit": _mercy,
        "mercy_bonus": _when(_bonus_scored, _bonus),
        "mercy_hand": _when(_hand_written_down, _always("mercy.hand")),
        **{f"custom_{number}": _custom_card(number) for number in range(1, MOST_RULES + 1)},
        "custom_laid_out": _custom_laid_out,
        "custom_blank": _custom_blank,
    },
    "pairs": {
        "round": _when(_paired, _always("pairs.round")),
        "catch": _when(_paired, _always("pairs.catch")),
        "partner_talk": _when(_paired, _option("partner_talk")),
        "format": _tournament,
    },
}
"""The sections that stand after the cards."""


def said(lines: Mapping[str, Line], choice: Choice, words: Words) -> Iterator[tuple[str, str]]:
    """Yield name and sentence of every line of a section that has something to say."""
    for name, line in lines.items():
        if sentence := line(choice, words):
            yield name, sentence
