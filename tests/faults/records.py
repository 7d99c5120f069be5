"""What did the clients of a run send, see and get acknowledged? With times of one clock."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from lastcard_server.journal.entry import Entry

Journal = Mapping[str, Sequence[Entry]]
"""What was read back: the entries of each match."""


class Question(NamedTuple):
    """A turn of a match: what an answer answers."""

    match_id: str
    seat: int
    turn: int


class Sent(NamedTuple):
    """An answer as it was sent; a repeat says the same."""

    choice: int
    uno: bool
    first_ns: int
    """When it was sent for the first time."""
    knew: tuple[int, bytes] = (0, b"")
    """The history that it carried then: a version, and the chain hash (8 bytes) seen there."""


class Acknowledged(NamedTuple):
    """An answer that the server has acknowledged; each acknowledgement is one."""

    question: Question
    version: int
    """As the server says: the entry's, or in a reaction turn that of the group."""
    received_ns: int


class Read(NamedTuple):
    """A call that asked how far a match is."""

    match_id: str
    version: int
    began_ns: int
    ended_ns: int


class Records:
    """
    Everything the clients of one run know.

    Attributes:
        sent: each answer that was sent.
        acknowledged: in the order they came.
        served: by the address of a server, when each answer was sent first that nobody had
            acknowledged before it.
        seen: the chain hashes (8 bytes) seen at each version of each match; two make a fork.
        reads: calls that asked for a version.
        refused: refusals by reason.
        told: matches whose loss was told to a client.
        over: matches whose end was told, with the reason.
        unchained: updates that followed another version than the one held.

    """

    def __init__(self) -> None:
        self.sent: dict[Question, Sent] = {}
        self.acknowledged: list[Acknowledged] = []
        self.served: dict[str, list[int]] = defaultdict(list)
        self.seen: dict[tuple[str, int], set[bytes]] = {}
        self.reads: list[Read] = []
        self.refused: Counter[str] = Counter()
        self.timed_out: list[Question] = []
        self.told: set[str] = set()
        self.over: dict[str, str] = {}
        self.unchained: list[str] = []

    def see(self, match_id: str, version: int, chain: bytes) -> None:
        """Note the chain hash that a history names."""
        self.seen.setdefault((match_id, version), set()).add(chain)

    @property
    def answered(self) -> set[Question]:
        """Return the questions whose answers were acknowledged."""
        return {done.question for done in self.acknowledged}
