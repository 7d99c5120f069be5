"""Does the checker find every kind of violation, and nothing in a good run?"""

import random
from collections.abc import Callable

import pytest

from lastcard_server.journal.entry import Entry, Head, chained, genesis
from tests.faults.checker import Verdict, check
from tests.faults.outcome import Promise
from tests.faults.records import Acknowledged, Question, Read, Records, Sent

Run = tuple[Records, dict[str, list[Entry]]]
SEEDS = range(12)


def good_run(seed: int) -> Run:
    """Play some matches by the book: two seats in turn, with reactions, repeats and reads."""
    dice, records, journal, now = random.Random(seed), Records(), dict[str, list[Entry]](), [0]
    for number in range(3):
        journal[f"m{number}"] = _match(f"m{number}", dice, records, now)
    return records, journal


def _match(match_id: str, dice: random.Random, records: Records, now: list[int]) -> list[Entry]:
    entries: list[Entry] = []

    def write(kind: str, seat: int | None = None, body: str = "") -> None:
        head = entries[-1].head if entries else genesis(f"match/{match_id}")
        entries.append(chained(head, kind, now[0], seat, body))
        records.see(match_id, len(entries), entries[-1].chain[:8])

    def tick() -> int:
        now[0] += dice.randrange(1, 9)
        return now[0]

    write("created")
    for number in range(20):
        seat, turn, choice = number % 2, len(entries), dice.randrange(5)
        question = Question(match_id, seat, turn)
        knew = len(entries), entries[-1].chain[:8]
        records.sent[question] = Sent(choice, uno=False, first_ns=tick(), knew=knew)
        is_reaction = number % 5 == 4
        write("reaction" if is_reaction else "action", seat, f"draw #{choice} @7")
        version = turn if is_reaction else len(entries)
        for _ in range(dice.choice((1, 1, 2))):
            records.acknowledged.append(Acknowledged(question, version, tick()))
        records.reads.append(Read(match_id, len(entries), tick(), tick()))
        if dice.random() < 0.3:
            write("group_closed")
    return entries


def written_anew(
    journal: dict[str, list[Entry]], match_id: str, upto: int, **change: object
) -> None:
    """Change the entry at a version and chain it and all that follow anew."""
    entries = journal[match_id]
    head = entries[upto - 2].head if upto > 1 else genesis(f"match/{match_id}")
    for at in range(upto - 1, len(entries)):
        entry = entries[at]._replace(**(change if at == upto - 1 else {}))  # type: ignore[arg-type]
        entries[at] = _again(head, entry)
        head = entries[at].head


def _again(head: Head, entry: Entry) -> Entry:
    return chained(head, entry.kind, entry.time_us, entry.seat, entry.body, entry.request_id)


def picked(run: Run, dice: random.Random, kind: str = "action") -> tuple[Acknowledged, Entry]:
    """Return an acknowledgement of a kind of entry that is the only one of its answer."""
    records, journal = run
    asked = [done.question for done in records.acknowledged]
    while True:
        done = dice.choice(records.acknowledged)
        entry = next(
            e
            for e in journal[done.question.match_id][done.question.turn :]
            if e.seat == done.question.seat
        )
        if entry.kind == kind and asked.count(done.question) == 1:
            return done, entry


def cut_off(run: Run, dice: random.Random) -> None:
    """The journal ends before the last answers."""
    entries = run[1]["m1"]
    del entries[len(entries) - dice.randrange(3, 9) :]


def log_gone(run: Run, dice: random.Random) -> None:
    """A match is not in the journal."""
    del run[1][dice.choice(["m0", "m1", "m2"])]


def never_written(run: Run, dice: random.Random) -> None:
    """A timeout stands where the answer should."""
    done, entry = picked(run, dice)
    written_anew(run[1], done.question.match_id, entry.version, kind="timeout", body="")


def other_version(run: Run, dice: random.Random) -> None:
    """An answer stands at another version than was said."""
    done, _ = picked(run, dice)
    run[0].acknowledged.remove(done)
    run[0].acknowledged.append(done._replace(version=done.version + 1))


def other_content(run: Run, dice: random.Random) -> None:
    """Another choice was written than the one acknowledged."""
    done, entry = picked(run, dice)
    written_anew(run[1], done.question.match_id, entry.version, body="draw #9 @7")


def two_versions(run: Run, dice: random.Random) -> None:
    """One answer is acknowledged twice, at two versions."""
    done, _ = picked(run, dice)
    run[0].acknowledged.append(done._replace(version=done.version + 2))


def applied_twice(run: Run, dice: random.Random) -> None:
    """One answer is in the log twice."""
    done, entry = picked(run, dice)
    entries = run[1][done.question.match_id]
    entries.append(_again(entries[-1].head, entry))
    later = [q for q in run[0].sent if q[:2] == done.question[:2] and q.turn > done.question.turn]
    for question in later:  # nothing else could explain it
        del run[0].sent[question]
        run[0].acknowledged[:] = [a for a in run[0].acknowledged if a.question != question]


def shared_entry(run: Run, dice: random.Random) -> None:
    """Two turns of a seat are acknowledged by one entry."""
    done, entry = picked(run, dice)
    other = done.question._replace(turn=done.question.turn - 1)
    run[0].sent[other] = run[0].sent[done.question]
    run[0].acknowledged.append(Acknowledged(other, entry.version, done.received_ns))


def from_nobody(run: Run, dice: random.Random) -> None:
    """An answer is in the log that no client has sent."""
    entry = run[1]["m0"][1]
    question = Question("m0", entry.seat or 0, 1)
    del run[0].sent[question]
    run[0].acknowledged[:] = [a for a in run[0].acknowledged if a.question != question]


def gap(run: Run, dice: random.Random) -> None:
    """A version is missing inside a log, one that nobody has seen."""
    entries = run[1]["m2"]
    at = next(n for n, entry in enumerate(entries) if entry.kind == "group_closed")
    del entries[at]
    del run[0].seen["m2", at + 1]


def altered(run: Run, dice: random.Random) -> None:
    """An entry was changed without its chain."""
    entries = run[1]["m2"]
    entries[0] = entries[0]._replace(body="other")


def backwards(run: Run, dice: random.Random) -> None:
    """An entry is older than the one before it."""
    written_anew(run[1], "m0", len(run[1]["m0"]), time_us=0)
    run[0].seen.clear()


def overtaken(run: Run, dice: random.Random) -> None:
    """An answer was sent after a later entry had been acknowledged."""
    done, _ = picked(run, dice)
    after = max(a.received_ns for a in run[0].acknowledged)
    sent = run[0].sent[done.question]
    run[0].sent[done.question] = sent._replace(first_ns=after + 1)
    if done.question.turn >= len(run[1][done.question.match_id]) - 2:
        pytest.skip("the last answer of a match overtakes nothing")


def stale_read(run: Run, dice: random.Random) -> None:
    """A read saw less than was acknowledged before it began."""
    done, entry = picked(run, dice)
    began = done.received_ns + 1
    run[0].reads.append(Read(done.question.match_id, entry.version - 1, began, began + 1))


def read_back_in_time(run: Run, dice: random.Random) -> None:
    """A read saw less than a read that had ended before it began."""
    read = dice.choice(run[0].reads)
    run[0].acknowledged.clear()
    run[0].reads.append(read._replace(began_ns=read.ended_ns + 1, version=read.version - 1))


def forked_clients(run: Run, dice: random.Random) -> None:
    """Two clients saw two contents of one version."""
    run[0].see("m1", dice.randrange(1, 20), b"elsewhere")


def forked_journal(run: Run, dice: random.Random) -> None:
    """Everybody saw one content, the journal holds another."""
    run[0].seen["m1", dice.randrange(1, 20)] = {b"elsewhere"}


def skipped_update(run: Run, dice: random.Random) -> None:
    """An update did not follow the one before."""
    run[0].unchained.append("m0: an update follows 7, 5 was held")


BAD: dict[Callable[[Run, random.Random], None], str] = {
    cut_off: "lost",
    log_gone: "lost",
    never_written: "lost",
    other_version: "lost",
    other_content: "lost",
    two_versions: "duplicated",
    applied_twice: "duplicated",
    shared_entry: "duplicated",
    from_nobody: "broken",
    gap: "broken",
    altered: "broken",
    backwards: "broken",
    overtaken: "broken",
    stale_read: "broken",
    read_back_in_time: "broken",
    forked_clients: "forks",
    forked_journal: "forks",
    skipped_update: "broken",
}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_good_run_passes(seed: int) -> None:
    """Nothing is found where everything is right."""
    records, journal = good_run(seed)
    assert len(records.acknowledged) > 60
    assert check(records, journal) == Verdict([], [], [], [], [])


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("spoil", BAD, ids=lambda spoil: spoil.__name__)
def test_every_violation_is_found(spoil: Callable[[Run, random.Random], None], seed: int) -> None:
    """Each kind is found as what it is, wherever it happens."""
    run = good_run(seed)
    spoil(run, random.Random(seed))
    verdict = check(*run)
    assert getattr(verdict, BAD[spoil])
    assert verdict.first


def test_a_loss_that_was_told_is_not_silent() -> None:
    """Losses of a match are silent unless a client was told of that match."""
    records, journal = good_run(1)
    cut_off((records, journal), random.Random(1))
    lost = check(records, journal)
    assert lost.lost
    assert lost.silent == lost.lost
    records.told.add("m1")
    told = check(records, journal)
    assert told.lost == lost.lost
    assert not told.silent


def frozen_behind(run: Run, versions: int = 4) -> None:
    """A store that went back freezes a match there, and a client is told."""
    records, journal = run
    entries = journal["m1"]
    del entries[-versions:]
    entries.append(chained(entries[-1].head, "frozen", entries[-1].time_us))
    records.see("m1", len(entries), entries[-1].chain[:8])
    records.reads.append(Read("m1", len(entries), 10**6, 10**6 + 1))
    records.told.add("m1")


@pytest.mark.parametrize("seed", SEEDS)
def test_what_follows_from_a_loss_that_was_told_is_that_loss(seed: int) -> None:
    """The end stands where something else was seen, and reads see it: lost, where that may be."""
    run = good_run(seed)
    frozen_behind(run)
    found = check(*run, Promise.TELLS)
    assert found.lost
    assert found._replace(lost=[]) == Verdict([], [], [], [], [])
    assert check(*run).forks
    assert check(*run).broken


def test_an_end_in_place_of_what_one_client_saw_is_a_loss() -> None:
    """Nothing that was acknowledged is gone, but a version that was seen is another one now."""
    records, journal = good_run(1)
    journal["m1"].append(chained(journal["m1"][-1].head, "frozen", journal["m1"][-1].time_us))
    records.see("m1", len(journal["m1"]), b"elsewhere")
    assert check(records, journal, Promise.TELLS).forks
    records.told.add("m1")
    found = check(records, journal, Promise.TELLS)
    assert len(found.lost) == 1
    assert found._replace(lost=[]) == Verdict([], [], [], [], [])


def test_an_answer_that_was_lost_and_given_again_is_a_loss() -> None:
    """It was under way to another server, which took it where the first one's entry was lost."""
    records, journal = good_run(1)
    frozen_behind((records, journal))
    survives = len(journal["m1"]) - 1
    of_match = (done for done in records.acknowledged if done.question.match_id == "m1")
    done = next(done for done in of_match if done.version > survives)
    records.acknowledged.append(done._replace(version=done.version + 1))
    assert check(records, journal).duplicated
    found = check(records, journal, Promise.TELLS)
    assert found.lost
    assert found._replace(lost=[]) == Verdict([], [], [], [], [])


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("sent_ns", "is_new"), [(0, False), (10**6, True)])
def test_nobody_plays_on_where_something_was_lost(seed: int, sent_ns: int, *, is_new: bool) -> None:
    """What was under way may take the place of what was lost; what was sent later may not."""
    records, journal = run = good_run(seed)
    frozen_behind(run, 6)
    entries = journal["m1"]
    end = entries.pop()
    question = Question("m1", 0, len(entries))
    records.sent[question] = Sent(0, uno=False, first_ns=sent_ns)
    entries.append(chained(entries[-1].head, "action", end.time_us, 0, "draw #0 @7"))
    records.acknowledged.append(Acknowledged(question, len(entries), 10**6 + 1))
    entries.append(chained(entries[-1].head, "frozen", end.time_us))
    broken = check(records, journal, Promise.TELLS).broken
    assert any(f"{len(entries) - 1} was sent after" in text for text in broken) is is_new


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("knows", [False, True])
def test_who_knew_what_is_lost_does_not_take_its_place(seed: int, *, knows: bool) -> None:
    """Not even that of the one version that is lost, at the very end: no later one tells of it."""
    records, journal = run = good_run(seed)
    seen = journal["m1"][-1]
    frozen_behind(run, 1)
    entries = journal["m1"]
    end = entries.pop()
    question = Question("m1", 0, len(entries))
    knew = seen if knows else entries[-1]
    history = knew.version, knew.chain[:8]
    records.sent[question] = Sent(0, uno=False, first_ns=10**6, knew=history)
    entries.append(chained(entries[-1].head, "action", end.time_us, 0, "draw #0 @7"))
    records.acknowledged.append(Acknowledged(question, len(entries), 10**6 + 1))
    entries.append(chained(entries[-1].head, "frozen", end.time_us))
    broken = check(records, journal, Promise.TELLS).broken
    assert any(f"knew another version {seen.version}" in text for text in broken) is knows


@pytest.mark.parametrize("seed", SEEDS)
def test_what_a_loss_has_left_is_seen_by_every_read(seed: int) -> None:
    """A read may be behind what is lost, and behind nothing else."""
    records, journal = good_run(seed)
    frozen_behind((records, journal))
    records.reads.append(Read("m1", 2, 10**6 + 2, 10**6 + 3))
    (sentence,) = check(records, journal, Promise.TELLS).broken
    assert "a read saw version 2" in sentence


@pytest.mark.parametrize("seed", SEEDS)
def test_an_acknowledged_version_that_nobody_saw_is_lost_with_its_answer(seed: int) -> None:
    """The end of the match has its number, and may be behind what is read before."""
    records, journal = run = good_run(seed)
    lost = [entry for entry in journal["m1"] if entry.kind == "action"][-1].version
    records.reads = [r for r in records.reads if r.match_id != "m1" or r.version < lost]
    frozen_behind(run, len(journal["m1"]) - lost + 1)
    records.seen["m1", lost] = {journal["m1"][-1].chain[:8]}
    records.reads.append(Read("m1", lost - 1, 10**6 - 2, 10**6 - 1))
    assert check(records, journal, Promise.TELLS).broken == []


@pytest.mark.parametrize("promise", [Promise.KEEPS, Promise.TELLS])
def test_a_loss_of_nothing_is_not_told(promise: Promise) -> None:
    """Whoever is told that a match was lost must have lost something."""
    records, journal = good_run(1)
    records.told.add("m1")
    (sentence,) = check(records, journal, promise).broken
    assert "nothing of it is" in sentence


@pytest.mark.parametrize("seed", SEEDS)
def test_a_match_whose_loss_was_told_does_not_go_on(seed: int) -> None:
    """It ends frozen, or it is gone; neither may end otherwise, or not at all."""
    run = good_run(seed)
    frozen_behind(run)
    entries = run[1]["m1"]
    entries[-1] = entries[-1]._replace(kind="ended")
    written_anew(run[1], "m1", len(entries))
    assert any("went on" in text for text in check(*run, Promise.TELLS).broken)
    del run[1]["m1"]
    assert check(*run, Promise.TELLS).broken == []


@pytest.mark.parametrize("spoil", BAD, ids=lambda spoil: spoil.__name__)
def test_other_matches_are_held_to_everything_where_losses_are_told(
    spoil: Callable[[Run, random.Random], None],
) -> None:
    """What was told of one match excuses nothing in the others."""
    run = good_run(3)
    spoil(run, random.Random(3))
    verdict = check(*run, Promise.TELLS)
    assert getattr(verdict, BAD[spoil])
    assert BAD[spoil] != "lost" or verdict.silent
