"""
Is what the clients saw one order of events that the journal holds? In O(n log n).

Each accepted answer names its match and version, and a match is one totally ordered log, so that
linearizability needs no search: every acknowledged answer stands in the log where it was said to
stand, no entry answers for two, the log has no gaps, real time agrees with its order, no read is
older than what was acknowledged before it began, and nobody saw another content of a version.

Where a store may lose something and tells it, a match of which a client was told has ended by that:
its log is gone or frozen. What was seen there and is no more counts as lost. Whatever stands in its
place was sent by somebody who did not know it.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from lastcard_engine.record import EntryKind
from lastcard_server.journal.entry import ChainError, Entry, genesis, verify_chain
from lastcard_server.matches.bodies import read_answer
from lastcard_server.matches.match import log_of
from tests.faults.outcome import Promise
from tests.faults.records import Acknowledged, Journal, Question, Records

_ANSWERS: Final = frozenset({EntryKind.NONCE, EntryKind.ACTION, EntryKind.REACTION})
_CLOSES: Final = _ANSWERS | {EntryKind.TIMEOUT}


class Verdict(NamedTuple):
    """What is wrong with a run, a sentence each; all empty: nothing."""

    lost: list[str]
    silent: list[str]
    """Of the lost ones: those of which nobody was told."""
    duplicated: list[str]
    forks: list[str]
    broken: list[str]

    @property
    def first(self) -> str:
        """Return the first sentence; empty if nothing is wrong."""
        found = (*self.forks, *self.duplicated, *self.lost, *self.broken)
        return found[0] if found else ""


def check(records: Records, journal: Journal, promise: Promise = Promise.KEEPS) -> Verdict:
    """Compare what the clients know with the journal as it was read back after the run."""
    found = _Found(records.told if promise is Promise.TELLS else ())
    places = {match_id: _Places(match_id, entries) for match_id, entries in journal.items()}
    for match_id, entries in journal.items():
        found.broken += _gaps(match_id, entries)
    _check_acknowledged(records, places, found)
    _check_applied(records, places, found)
    _check_seen(records, journal, found)
    found.broken += _disorder(records, places)
    found.broken += _unfounded(records, places)
    found.broken += _stale(records, places, found.ended)
    found.broken += records.unchained
    found.broken += _false_alarms(records, journal, found)
    silent = [sentence for match_id, sentence in found.lost if match_id not in records.told]
    lost = [sentence for _, sentence in found.lost]
    return Verdict(lost, silent, found.duplicated, found.forks, found.broken)


class _Found:
    """
    What was found so far; the lost ones with their match.

    `ended`: matches that the loss has ended, as was told.
    """

    def __init__(self, ended: Collection[str]) -> None:
        self.ended = ended
        self.lost: list[tuple[str, str]] = []
        self.gone: set[str] = set()
        self.duplicated: list[str] = []
        self.forks: list[str] = []
        self.broken: list[str] = []

    def lose(self, match_id: str, sentence: str) -> None:
        """Note a loss."""
        self.lost.append((match_id, sentence))
        self.gone.add(match_id)

    def contradict(self, kind: list[str], match_id: str, sentence: str) -> None:
        """Note what cannot be beside something else that was told; of an ended match it is lost."""
        if match_id not in self.ended:
            kind.append(sentence)
        elif match_id not in self.gone:
            self.lose(match_id, sentence)


class _Places:
    """Where the turns of a match were closed."""

    def __init__(self, match_id: str, entries: Sequence[Entry]) -> None:
        self.match_id = match_id
        self.entries = entries
        self._closes: dict[int, list[Entry]] = defaultdict(list)
        for entry in entries:
            if entry.seat is not None and entry.kind in _CLOSES and not entry.request_id:
                self._closes[entry.seat].append(entry)

    def closed(self, question: Question) -> Entry | None:
        """Return the entry that closed a turn: the first of the seat after the turn was asked."""
        closes = self._closes.get(question.seat, [])
        at = bisect_right(closes, question.turn, key=lambda entry: entry.version)
        return closes[at] if at < len(closes) else None

    def answers(self, seat: int) -> list[Entry]:
        """Return the answers of a seat."""
        return [entry for entry in self._closes.get(seat, []) if entry.kind in _ANSWERS]


def _gaps(match_id: str, entries: Sequence[Entry]) -> Iterator[str]:
    """Yield where a log is no unbroken chain, or runs back in time."""
    try:
        verify_chain(genesis(log_of(match_id)), entries)
    except ChainError as error:
        yield f"{match_id}: {error}"
    for one, other in pairwise(entries):
        if other.time_us < one.time_us:
            yield f"{match_id}: time runs backwards at version {other.version}"


def _check_acknowledged(records: Records, places: dict[str, _Places], found: _Found) -> None:
    """Look for every acknowledged answer where it was said to stand."""
    versions: dict[Question, int] = {}
    holders: dict[tuple[str, int], Question] = {}
    for question, version, _ in records.acknowledged:
        if versions.setdefault(question, version) != version:
            text = f"{_of(question)} is acknowledged at {versions[question]} and at {version}"
            found.contradict(found.duplicated, question.match_id, text)
            continue
        place = places.get(question.match_id)
        entry = place.closed(question) if place else None
        reason = _missing(records, question, version, entry)
        if reason:
            found.lose(question.match_id, f"{_of(question)} {reason}")
        elif entry is not None:
            holder = holders.setdefault((question.match_id, entry.version), question)
            if holder != question:
                found.duplicated.append(f"{_of(question)} and {_of(holder)} share an entry")


def _missing(records: Records, question: Question, version: int, entry: Entry | None) -> str:
    """Return why an entry is not the acknowledged answer; "" where it is."""
    if entry is None or entry.kind not in _ANSWERS:
        return f"was acknowledged at {version} and is not in the journal"
    if entry.kind != EntryKind.REACTION and entry.version != version:
        return f"was acknowledged at {version} and stands at {entry.version}"
    if not version <= entry.version:
        return f"was acknowledged at {version}, behind the entry {entry.version} that holds it"
    if not _says(records, question, entry):
        return f"was acknowledged at {version}, where something else stands"
    return ""


def _says(records: Records, question: Question, entry: Entry) -> bool:
    """Tell whether an entry says what was sent."""
    sent = records.sent.get(question)
    text, choice, _ = read_answer(entry.body)
    return sent is not None and choice == sent.choice and (sent.uno or not text.endswith(" uno"))


def _check_applied(records: Records, places: dict[str, _Places], found: _Found) -> None:
    """Look for answers in the log that were applied twice, or that nobody sent."""
    turns: dict[tuple[str, int], list[int]] = defaultdict(list)
    for question in records.sent:
        turns[question.match_id, question.seat].append(question.turn)
    for (match_id, seat), sent in turns.items():
        sent.sort()
        used: dict[int, int] = {}
        for entry in places[match_id].answers(seat) if match_id in places else ():
            at = bisect_left(sent, entry.version)
            where = f"{match_id}: the answer of seat {seat} at version {entry.version}"
            if not at:
                found.broken.append(f"{where} was sent by nobody")
                continue
            turn = sent[at - 1]
            if turn in used:
                found.duplicated.append(f"{where} answers turn {turn}, as {used[turn]} does")
            elif not _says(records, Question(match_id, seat, turn), entry):
                found.broken.append(f"{where} is not what was sent")
            used[turn] = entry.version


def _check_seen(records: Records, journal: Journal, found: _Found) -> None:
    """Compare every history that was seen with the journal, and with the others seen."""
    for (match_id, version), chains in records.seen.items():
        entries = journal.get(match_id, ())
        if len(chains) > 1:
            text = f"{match_id}: two contents of version {version} were seen"
            found.contradict(found.forks, match_id, text)
        if version > len(entries):
            if match_id not in found.gone:  # one loss of a match tells enough
                found.lose(match_id, f"{match_id}: version {version} was seen and is gone")
        elif version and entries[version - 1].chain[:8] not in chains:
            text = f"{match_id}: version {version} was seen with another content"
            found.contradict(found.forks, match_id, text)


def _disorder(records: Records, places: dict[str, _Places]) -> Iterator[str]:
    """
    Yield answers sent after another was acknowledged that stand before it in the log.

    Also where the other one is lost: what was under way may take its place, new play may not.
    """
    first: dict[Question, Acknowledged] = {}
    known: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for done in records.acknowledged:
        first.setdefault(done.question, done)
        known[done.question.match_id].append((done.received_ns, done.version))
    by_match: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
    for question, done in first.items():
        place, sent = places.get(question.match_id), records.sent.get(question)
        entry = place.closed(question) if place else None
        if entry is not None and sent is not None:
            span = (sent.first_ns, done.received_ns, entry.version)
            by_match[question.match_id].append(span)
            known[question.match_id].append((done.received_ns, entry.version))
    for match_id, spans in by_match.items():
        for version, newest in _behind(spans, known[match_id]):
            yield f"{match_id}: {version} was sent after {newest} was acknowledged"


def _unfounded(records: Records, places: dict[str, _Places]) -> Iterator[str]:
    """
    Yield answers that stand where the history that they carried is another one, or comes later.

    Whoever knew what is lost cannot have a part in what stands in its place: he is told of that.
    """
    for question in records.answered & records.sent.keys():
        version, chain = records.sent[question].knew
        place = places.get(question.match_id)
        entry = place.closed(question) if place and version else None
        if place is None or entry is None or entry.kind not in _ANSWERS:
            continue
        before = place.entries[: entry.version - 1][version - 1 : version]
        if [held.chain[:8] for held in before] != [chain] and _says(records, question, entry):
            yield f"{_of(question)} stands at {entry.version} and knew another version {version}"


def _false_alarms(records: Records, journal: Journal, found: _Found) -> Iterator[str]:
    """Yield matches that were told to be lost and are not, or that went on all the same."""
    for match_id in records.told:
        entries = journal.get(match_id, ())
        if match_id not in found.gone:
            yield f"{match_id}: was told to be lost, and nothing of it is"
        elif match_id in found.ended and entries and entries[-1].kind != EntryKind.FROZEN:
            yield f"{match_id}: was told to be lost, and went on to version {len(entries)}"


def _stale(records: Records, places: dict[str, _Places], ended: Collection[str]) -> Iterator[str]:
    """
    Yield reads that saw less than was acknowledged, or read, before they began.

    Of an ended match only what has survived can be missed: versions of which nothing else was
    seen, and answers that are there. An acknowledgement may name a version that nobody has seen.
    """
    by_match: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
    known: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for match_id, version, began_ns, ended_ns in records.reads:
        by_match[match_id].append((began_ns, ended_ns, version))
        known[match_id].append((ended_ns, version))
    for question, version, received_ns in records.acknowledged:
        place = places.get(question.match_id)
        entry = place.closed(question) if place else None
        if question.match_id not in ended or not _missing(records, question, version, entry):
            known[question.match_id].append((received_ns, version))
    for match_id, spans in by_match.items():
        facts = known[match_id]
        if match_id in ended:
            entries = places[match_id].entries if match_id in places else ()
            facts = [fact for fact in facts if _survived(records, match_id, entries, fact[1])]
        for version, newest in _behind(spans, facts):
            yield f"{match_id}: a read saw version {version} after {newest} was known"


def _survived(records: Records, match_id: str, entries: Sequence[Entry], version: int) -> bool:
    """Tell whether all that was seen of a version is what the journal holds there."""
    held = {entry.chain[:8] for entry in entries[version - 1 : version]}
    return bool(held) and records.seen.get((match_id, version)) == held


def _behind(
    spans: Iterable[tuple[int, int, int]], known: Iterable[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """Yield the version of each span that begins after a greater one was known, with that one."""
    facts, newest, at = sorted(known), 0, 0
    for began_ns, _, version in sorted(spans):
        while at < len(facts) and facts[at][0] < began_ns:
            newest = max(newest, facts[at][1])
            at += 1
        if version < newest:
            yield version, newest


def _of(question: Question) -> str:
    match_id, seat, turn = question
    return f"{match_id}: the answer of seat {seat} to turn {turn}"
