"""
How does a sensible bot play that looks at one turn only and remembers nothing?

It weighs every legal action and takes the best, the first of equals. What it weighs are the tips of
the strategy table (B01, B12, B13, B15, B19, B20, B23 to B27); the weights were tuned in play
against itself and weaker bots. It never bluffs.
"""

from collections import Counter

from lastcard.bots import random
from lastcard.v1 import action_pb2, card_pb2, turn_pb2, view_pb2

# A play is better than drawing, whatever speaks against it; a catch is better than anything.
PLAY, CATCH, BLUFF = 10.0, 100.0, -100.0
# For each other card of the hand that could follow: of the same colour, of the same face.
FOLLOWS_COLOUR, FOLLOWS_FACE = 0.5, 0.4
# For each ten points got rid of.
TEN_POINTS = 0.3
# Against laying a wild: while nobody is about to go out, and then.
WILD_EARLY, WILD_LATE = 4.0, 3.0
# Against laying a wild of No Mercy, of which there are many.
WILD_PLENTIFUL = 1.0
# For aiming at who holds the fewest cards.
AIMED = 0.5
# For each card that a shuffle of all hands is expected to take away.
SHUFFLED_AWAY = 1.0
# For each card that a swap of hands takes away: with one card left rather draw than swap.
SWAPPED_AWAY = 2.0
# For hitting, or turning away from, a next seat that is about to go out.
HIT, TURN_AWAY = 5.0, 3.0
# Cards at which a seat counts as about to go out.
FEW = 3
# Share of players who lay a wild draw four without looking at their hand.
BLUFFERS = 0.05
# Guilt above which a challenge pays: two more cards against four and the turn.
DOUBT = 1 / 3
# Probability that a card is not of a given colour.
OTHER_COLOUR = 1 - 25 / 108

# For each card that goes along with a discard-all, and for a turn that follows one's own.
GOES_ALONG, TURN_AGAIN = 2.0, 1.5
# For letting a seat draw that mercy may soon knock out.
MERCY = 5.0
# Cards from which on a seat counts as near to being knocked out (B26).
MANY = 14

DRAWING = frozenset(
    {
        card_pb2.FACE_DRAW_TWO,
        card_pb2.FACE_DRAW_FOUR,
        card_pb2.FACE_WILD_DRAW_FOUR,
        card_pb2.FACE_WILD_REVERSE_DRAW_FOUR,
        card_pb2.FACE_WILD_DRAW_SIX,
        card_pb2.FACE_WILD_DRAW_TEN,
        card_pb2.FACE_WILD_COLOUR_ROULETTE,
    }
)
HITTING = DRAWING | {card_pb2.FACE_SKIP}
PLENTIFUL = DRAWING - {card_pb2.FACE_WILD_DRAW_FOUR}
BACKWARDS = frozenset({card_pb2.FACE_REVERSE, card_pb2.FACE_WILD_REVERSE_DRAW_FOUR})


def choose(turn: turn_pb2.Turn) -> int:
    """Return the index of the action that looks best."""
    if len(turn.legal_actions) == 1:
        return 0
    if turn.kind == turn_pb2.TURN_KIND_VOTE:
        return random.choose(turn)  # who can see whether the dare was done, or the joke good?
    look = _Look(turn.view)
    worths = [look.worth(legal) for legal in turn.legal_actions]
    return worths.index(max(worths))


def _points(card: card_pb2.Card) -> int:
    """Return the points of a coloured card."""
    return card.face - card_pb2.FACE_ZERO if card.face < card_pb2.FACE_SKIP else 20


class _Look:
    """What one view says, prepared for weighing every action."""

    def __init__(self, view: view_pb2.SeatView) -> None:
        players = view.table.players
        others = [*players[view.seat + 1 :], *players[: view.seat]]
        counts = [player.hand_count for player in others if player.active] or [0]
        if view.table.direction == view_pb2.DIRECTION_COUNTER_CLOCKWISE:
            counts.reverse()
        self._roulette = view.table.top_card.face == card_pb2.FACE_WILD_COLOUR_ROULETTE
        self._next, self._previous, self._fewest = counts[0], counts[-1], min(counts)
        self._others = counts
        self._held = len(view.hand)
        self._lays_out = view.table.HasField("custom_question")
        self._held_by = [player.hand_count for player in players]
        self._colours = Counter(card.colour for card in view.hand)
        self._faces = Counter(card.face for card in view.hand)

    def worth(self, legal: action_pb2.LegalAction) -> float:
        """Return how good an action is; drawing, keeping, accepting and passing are worth 0."""
        if not legal.lawful:
            return BLUFF
        match legal.action.WhichOneof("kind"):
            case "play_card":
                return PLAY + self._play(legal.action.play_card)
            case "jump_in":  # B27: but not where it hands the turn to a threat
                jump_in = legal.action.jump_in
                return (PLAY if self._next > 1 else -PLAY) + self._aim(jump_in)
            case "catch_uno" | "call_uno":  # B20
                return CATCH
            case "choose_colour":
                worth = self._colour(legal.action.choose_colour.colour)
                return -worth if self._roulette else worth  # the pile holds more of what one lacks
            case "choose_target":
                return self._swap(legal.action.choose_target.target_seat, self._held)
            case "challenge":
                return self._guilt() - DOUBT
            case "choose_card":
                kept = self._keeping(legal.action.choose_card.card)
                return PLAY - kept if self._lays_out else PLAY + kept
            case "answer_dare":
                return PLAY if legal.action.answer_dare.done else 0.0
            case _:
                return 0.0

    def _play(self, play: action_pb2.PlayCard) -> float:
        """Return how good it is to lay a card."""
        wild = play.card.colour == card_pb2.COLOUR_WILD
        worth = self._wild(play) if wild else self._coloured(play.card)
        worth += self._aim(play)
        hit = self._previous if play.card.face in BACKWARDS else self._next
        if play.card.face in DRAWING and hit >= MANY:  # B26
            worth += MERCY
        if play.card.face in HITTING and hit <= FEW:  # B01
            return worth + HIT
        if self._next > FEW:
            return worth
        turns_away = play.card.face == card_pb2.FACE_REVERSE and self._previous > self._next
        return worth + TURN_AWAY if turns_away else worth

    def _aim(self, laid: action_pb2.PlayCard | action_pb2.JumpIn) -> float:
        """Weigh the seat a card is aimed at: whose rule it is to bear, or whose hand comes."""
        if not laid.HasField("target_seat"):
            return 0.0
        if laid.card.face == card_pb2.FACE_WILD_CUSTOM:
            return AIMED if self._held_by[laid.target_seat] == self._fewest else 0.0
        return self._swap(laid.target_seat, self._held - 1)

    def _swap(self, target: int, rest: int) -> float:
        """Weigh giving `rest` cards for the hand of a seat: the smallest, or none (B25)."""
        return SWAPPED_AWAY * (rest - self._held_by[target])

    def _keeping(self, card: card_pb2.Card) -> float:
        """Weigh a card against laying it out: its use later, and its points (B08, B13)."""
        if card.colour == card_pb2.COLOUR_WILD:
            return WILD_EARLY if self._fewest > FEW else -WILD_LATE
        follows = FOLLOWS_COLOUR * (self._colours[card.colour] - 1)
        return follows - TEN_POINTS * _points(card) / 10

    def _wild(self, play: action_pb2.PlayCard) -> float:
        """Weigh a wild: the colour it names (B12) against keeping it in reserve (B13)."""
        worth = self._colour(play.colour)
        if play.card.face == card_pb2.FACE_WILD_SHUFFLE_HANDS:
            rest = self._held - 1
            share = (rest + sum(self._others)) / (1 + len(self._others))
            worth += SHUFFLED_AWAY * (rest - share)
        if play.card.face in PLENTIFUL:
            return worth - WILD_PLENTIFUL
        return worth - (WILD_EARLY if self._fewest > FEW else WILD_LATE)

    def _coloured(self, card: card_pb2.Card) -> float:
        """Weigh a coloured card: what can follow it (B19), and its points (B15)."""
        follows = FOLLOWS_COLOUR * (self._colours[card.colour] - 1)
        follows += FOLLOWS_FACE * (self._faces[card.face] - 1)
        if card.face == card_pb2.FACE_DISCARD_ALL:
            follows = GOES_ALONG * (self._colours[card.colour] - 1)
        elif card.face == card_pb2.FACE_SKIP_EVERYONE:
            follows += TURN_AGAIN
        return follows + TEN_POINTS * _points(card) / 10

    def _colour(self, colour: card_pb2.Colour) -> float:
        """Weigh a colour to be named (B12)."""
        return FOLLOWS_COLOUR * self._colours[colour]

    def _guilt(self) -> float:
        """
        Estimate how likely the wild draw four just laid was a bluff (B23).

        Honest players lay one only without the colour, which is rare with many cards: the more the
        offender holds, the more likely he is one of those who do not look.
        """
        honest = (1 - BLUFFERS) * OTHER_COLOUR**self._previous
        return BLUFFERS * (1 - OTHER_COLOUR**self._previous) / (BLUFFERS + honest)
