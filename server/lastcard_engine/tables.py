"""
What do the rules say of each card, looked up instead of worked out?

A set of rules is compiled once into rows indexed by card: which cards fit on which, which effects
a card has and in what order, what it is worth. Behaviour reads these rows. The file knows no
state.
"""

from enum import StrEnum
from functools import lru_cache
from typing import Final

from lastcard_engine.actions import BARE_PLAYS, LAST_PLAYS, PLAYS, Play
from lastcard_engine.cards import (
    ALL_CARDS,
    FIRST_WILD,
    VALUES,
    Card,
    Face,
    face_of,
    is_number,
    rule_number,
)
from lastcard_engine.custom_ops import is_aimed, sheds
from lastcard_engine.custom_text import compiled
from lastcard_engine.deck import deck
from lastcard_engine.rules import (
    ActionMatch,
    DrawFourEnforcement,
    DrawFourLegality,
    DrawMode,
    DrawnCard,
    FinishCard,
    FirstCard,
    JumpInMode,
    ReverseTwoPlayers,
    RouletteChooser,
    Rules,
    Teams,
)
from lastcard_engine.stacking import DRAWS, answers

Row = tuple[tuple[Play, ...], ...]
"""What each card offers in the middle of a hand, indexed by card; empty where it does not fit."""


class Effect(StrEnum):
    """One step of what a card does; the steps of a card run in order."""

    FLIP = "flip"
    """The direction of play flips (R101)."""
    SKIP_OTHER = "skip_other"
    """Between two players, the other one loses the turn (R115, R118)."""
    SKIP_NEXT = "skip_next"
    """The next player loses the turn (R099)."""
    SKIP_EVERYONE = "skip_everyone"
    """All others lose the turn (R246)."""
    DISCARD_COLOUR = "discard_colour"
    """The player's cards of its colour go beneath the card (R247)."""
    ASK_COLOUR = "ask_colour"
    """The next player names the colour of a roulette and takes its cards (NM21)."""
    ROULETTE = "roulette"
    """The next player takes the cards of a roulette, whose colour is named (C40)."""
    DRAW = "draw"
    """The next player draws what the card demands and loses the turn (R105, R110)."""
    DRAW_LAST = "draw_last"
    """The next player draws it although the round is over (R187)."""
    FACE = "face"
    """The next player draws unless he answers (S10)."""
    FACE_CHALLENGE = "face_challenge"
    """The next player draws unless he challenges, or answers where he may (R111, S10)."""
    PENALISE = "penalise"
    """An unlawful wild draw four costs its player four cards at once (R138)."""
    SHUFFLE = "shuffle"
    """All hands are collected, shuffled and dealt again (R140)."""
    PASS_HANDS_ON = "pass_hands_on"
    """All hands are passed on in the direction of play (R235)."""
    STEP = "step"
    """The turn passes on from the next player instead (R041)."""


_REVERSE: Final = {
    ReverseTwoPlayers.SKIP: (Effect.FLIP, Effect.SKIP_OTHER),
    ReverseTwoPlayers.TURN_ONLY: (Effect.FLIP,),
}

_ROULETTE: Final = {
    RouletteChooser.VICTIM: (Effect.ASK_COLOUR,),
    RouletteChooser.PLAYER: (Effect.ROULETTE,),
}

_ENFORCED: Final = {
    DrawFourEnforcement.CHALLENGE: (Effect.FACE_CHALLENGE,),
    DrawFourEnforcement.AUTO_PENALTY: (Effect.PENALISE,),
    DrawFourEnforcement.BLOCK: (),
}


def _demand(rules: Rules, face: Face) -> tuple[Effect, ...]:
    """Return how a draw card, the law on wild draw fours aside, reaches the next player (S10)."""
    if face not in DRAWS:
        return ()
    return (Effect.FACE,) if answers(rules, face) else (Effect.DRAW,)


def _draw_four(rules: Rules) -> tuple[Effect, ...]:
    free = rules.wd4_legality is DrawFourLegality.FREE
    before = () if free else _ENFORCED[rules.wd4_enforcement]
    faced = Effect.FACE_CHALLENGE in before
    return before if faced else (*before, *_demand(rules, Face.WILD_DRAW_FOUR))


def _effects(rules: Rules, face: Face) -> tuple[Effect, ...]:
    return {
        Face.SKIP: (Effect.SKIP_NEXT,),
        Face.REVERSE: _REVERSE[rules.reverse_two_players],
        Face.WILD_DRAW_FOUR: _draw_four(rules),
        Face.SHUFFLE_HANDS: (Effect.SHUFFLE,),
        Face.ZERO: (Effect.PASS_HANDS_ON,) if rules.seven_zero else (),
        Face.SKIP_EVERYONE: (Effect.SKIP_EVERYONE,),
        Face.DISCARD_ALL: (Effect.DISCARD_COLOUR,),
        Face.WILD_REVERSE_DRAW_FOUR: (
            *_REVERSE[rules.reverse_two_players],
            *_demand(rules, face),
        ),
        Face.COLOUR_ROULETTE: _ROULETTE[rules.roulette_chooser],
    }.get(face, _demand(rules, face))


def _is_aimed(rules: Rules, card: Card) -> bool:
    """Tell whether a card's player chooses a seat: to swap hands (R148, R234), or for a rule."""
    if rule_number(card):
        rule = rules.custom_rules[rule_number(card) - 1 :][:1]
        return any(map(is_aimed, map(compiled, rule)))
    face = face_of(card)
    return face is Face.SWAP_HANDS or (rules.seven_zero and face is Face.SEVEN)


def _last_effects(rules: Rules, face: Face) -> tuple[Effect, ...]:
    """Return what a card does when it is laid last: it draws (R187, S14), unchallenged (Q15)."""
    if not rules.finish_draw_counts or face not in DRAWS:
        return ()
    # S14: the last card flips, and so hits the next player the other way, the opponent among two.
    flips = face is Face.WILD_REVERSE_DRAW_FOUR
    return (Effect.FLIP, Effect.DRAW_LAST) if flips else (Effect.DRAW_LAST,)


def _start_effects(rules: Rules, face: Face) -> tuple[Effect, ...]:
    """Return what a turned card does for the player left of the dealer."""
    if rules.first_card is FirstCard.APPLY:
        return {
            Face.SKIP: (Effect.SKIP_NEXT,),
            Face.SKIP_EVERYONE: (Effect.SKIP_NEXT,),
            Face.REVERSE: (Effect.STEP, Effect.FLIP),
            Face.DRAW_TWO: _demand(rules, face),
            Face.DRAW_FOUR: _demand(rules, face),
        }.get(face, ())
    if rules.first_card is FirstCard.DEALER_PLAYED and face > Face.NINE:
        # R057: nobody may challenge the dealer's wild draw four.
        four = face is Face.WILD_DRAW_FOUR
        return _demand(rules, face) if four else _effects(rules, face)
    return ()


def _may_start(rules: Rules, card: Card) -> bool:
    if rules.first_card is FirstCard.NUMBER_ONLY:
        return is_number(card)
    return (
        rules.first_card is not FirstCard.APPLY or card < FIRST_WILD or face_of(card) not in DRAWS
    )


def _fits(card: Card, top: Card, match: ActionMatch) -> bool:
    """Tell whether a coloured card may lie on a coloured one (R060, R076, R077)."""
    if card >> 4 == top >> 4:
        return True
    if is_number(card) or match is ActionMatch.COLOUR_OR_SYMBOL:
        return card & 15 == top & 15
    return match is ActionMatch.ANY


def _names_colour(rules: Rules, card: Card) -> bool:
    """Tell whether who lays a card names a colour with it: not where a roulette's victim does."""
    victim = rules.roulette_chooser is RouletteChooser.VICTIM
    return card >= FIRST_WILD and not (victim and face_of(card) is Face.COLOUR_ROULETTE)


def _row(row: int, match: ActionMatch, plays: Row) -> Row:
    """Return what cards offer on a row: a coloured top card, or 64 + the named colour."""
    if row < FIRST_WILD:
        coloured = [_fits(card, Card(row), match) for card in ALL_CARDS[:FIRST_WILD]]
    else:
        any_action = match is ActionMatch.ANY
        coloured = [
            card >> 4 == row - FIRST_WILD or (any_action and not is_number(card))
            for card in ALL_CARDS[:FIRST_WILD]
        ]
    fitting = [plays[card] if fits else () for card, fits in enumerate(coloured)]
    return (*fitting, *plays[FIRST_WILD:])


NOTHING_FITS: Final[Row] = ((),) * len(ALL_CARDS)
"""The row that is in force before a colour is."""


def _answer_row(rules: Rules, face: Face) -> Row:
    """Return what cards offer to the seat that faces a draw card."""
    fitting = answers(rules, face)
    return tuple(PLAYS[card] if face_of(card) in fitting else () for card in ALL_CARDS)


_NO_LIMIT: Final = 1 << 30


class Tables:
    """The compiled form of one set of rules; shared, never changed."""

    def __init__(self, rules: Rules) -> None:
        faces = [face_of(card) for card in ALL_CARDS]
        self.deck = tuple(deck(rules))
        """All cards in canonical order."""
        self.names_colour = tuple(_names_colour(rules, card) for card in ALL_CARDS)
        bare = tuple((play,) for play in BARE_PLAYS)
        named = self.names_colour
        plays = tuple((PLAYS if named[card] else bare)[card] for card in ALL_CARDS)
        self.last_plays = tuple((LAST_PLAYS if named[card] else bare)[card] for card in ALL_CARDS)
        """What each card offers as the last one of a hand (Q42)."""
        self.rows: tuple[Row, ...] = tuple(
            _row(row, rules.action_match, plays) for row in range(FIRST_WILD + 4)
        )
        """What fits, by top card if it is coloured, else by 64 + the colour in force."""
        self.effects = tuple(_effects(rules, face) for face in faces)
        self.last_effects = tuple(_last_effects(rules, face) for face in faces)
        self.start_effects = tuple(_start_effects(rules, face) for face in faces)
        self.draws = tuple(DRAWS.get(face, 0) for face in faces)
        """How many cards each demands."""
        self.answers: tuple[Row, ...] = tuple(_answer_row(rules, face) for face in faces)
        """What may be laid on each by the seat that faces it; colours do not count (Q43)."""
        self.operations = tuple(map(compiled, rules.custom_rules))
        """What the custom wilds with a rule do, by rule."""
        self.may_start = tuple(_may_start(rules, card) for card in ALL_CARDS)
        self.values = VALUES[rules.extra_wild_points]
        held = frozenset(self.deck)
        self.aimed = tuple(card in held and _is_aimed(rules, card) for card in ALL_CARDS)
        """Whether the card is laid with a seat that is chosen, unless it is the last (S14)."""
        self.sheds_many = any(map(sheds, self.operations)) or any(
            face_of(card) is Face.DISCARD_ALL for card in self.deck
        )
        """Whether a play may leave one card of more than two (S07)."""
        self.mercy_limit = rules.mercy_limit or _NO_LIMIT
        """Cards in hand that knock a seat out of the round."""
        self.jump_in = rules.jump_in is JumpInMode.IDENTICAL
        self.blocks_draw_four = (
            rules.wd4_enforcement is DrawFourEnforcement.BLOCK
            and rules.wd4_legality is not DrawFourLegality.FREE
        )
        self.rows_suffice = not self.blocks_draw_four and not any(
            self.aimed[card] for card in self.deck
        )
        """Whether in the middle of a hand the rows alone say what may be laid."""
        self.call_to_finish = rules.uno_required_to_finish
        self.pairs = rules.teams is Teams.PAIRS
        self.until_playable = rules.draw_mode is DrawMode.UNTIL_PLAYABLE
        self.must_play = rules.drawn_card is DrawnCard.MUST_PLAY
        self.finish_number_only = rules.finish_card is FinishCard.NUMBER_ONLY
        self.voluntary_draw = rules.voluntary_draw


@lru_cache(maxsize=256)
def tables(rules: Rules) -> Tables:
    """Return the compiled form of the rules; equal rules share one."""
    return Tables(rules)
