"""
Which bots does the house keep? Each is a pure function of one turn, by strategy name.

The server seats them in its own process; `lastcard bot NAME` plays them over the wire.
"""

from collections.abc import Callable, Mapping

from lastcard.bots import adviser, greedy, random
from lastcard.v1 import turn_pb2

HOUSE: Mapping[str, Callable[[turn_pb2.Turn], int]] = {
    "random": random.choose,
    "greedy": greedy.choose,
    "adviser": adviser.choose,
}
TOLD = frozenset({"adviser"})
"""Those whose turns should tell the rules and what happened since the seat's last turn."""
