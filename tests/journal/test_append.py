"""Is an append an exact compare-and-set, in every store?"""

import asyncio

import pytest

from lastcard_engine.record import EntryKind
from lastcard_server.journal.entry import Head, chained, genesis, verify_chain
from lastcard_server.journal.port import Append, Index, Journal, Snapshot, StoreUnavailable
from tests.journal.logs import LIVE, LOG, append_to, bodies, entries_after, grow, heads

OTHER = "match/bbbbbbbbbbbbbbbbbbbbbbbbbb"


async def test_a_log_begins_at_its_genesis(journal: Journal) -> None:
    """A log nobody has written to has the genesis as its head and no entries."""
    assert await journal.head(LOG) == genesis(LOG) == Head(0, genesis(LOG).chain)
    assert await journal.read(LOG) == []


async def test_an_append_is_read_back(journal: Journal) -> None:
    """What was appended is read back equal, and its last entry is the head."""
    append = append_to(LOG, None, "draw", "keep")
    assert await journal.append([append]) == [None]
    assert await journal.read(LOG) == list(append.entries)
    assert await journal.head(LOG) == append.entries[-1].head


async def test_every_field_survives(journal: Journal) -> None:
    """Absent seats, state hashes, any script and long bodies come back as they went in."""
    log, made = "contest/ü", []
    head = genesis(log)
    texts = ("", "r5 >2", "ä€😀", "a\x00b", '{"k":"\\u0000"}', "line\nline", "x" * 100_000)
    for place, text in enumerate(texts):
        state = bytes([place]) * 32 if place % 2 else None
        seat = None if place % 3 == 0 else 9
        made.append(chained(head, "kind", 2**62 + place, seat, text, text[:50], state))
        head = made[-1].head
    await journal.append([Append(log, genesis(log), tuple(made), LIVE)])
    assert await journal.read(log) == made


async def test_read_after_a_version(journal: Journal) -> None:
    """`after` leaves out what the reader has; at and beyond the head nothing is left."""
    await grow(journal, LOG, "1", "2", "3")
    assert [await bodies(journal, LOG, after) for after in range(5)] == [
        ["1", "2", "3"],
        ["2", "3"],
        ["3"],
        [],
        [],
    ]


async def test_a_stale_writer_is_refused(journal: Journal) -> None:
    """Who expects an older head learns the true one and changes nothing."""
    first = await grow(journal, LOG, "1")
    second = await grow(journal, LOG, "2")
    assert heads(await journal.append([append_to(LOG, first, "late")])) == [second]
    assert await bodies(journal, LOG) == ["1", "2"]


async def test_a_writer_ahead_is_refused(journal: Journal) -> None:
    """Who expects a head the log has not reached is refused: no gap comes into being."""
    head = await grow(journal, LOG, "1")
    ahead = entries_after(head, "lost")[0].head
    assert heads(await journal.append([append_to(LOG, ahead, "3")])) == [head]
    assert await bodies(journal, LOG) == ["1"]


async def test_a_writer_on_another_history_is_refused(journal: Journal) -> None:
    """The right version on another history is a conflict: the chain is compared too."""
    head = await grow(journal, LOG, "1")
    other = entries_after(genesis(LOG), "one")[0].head
    assert other.version == head.version
    assert heads(await journal.append([append_to(LOG, other, "2")])) == [head]


async def test_a_missing_log_is_not_made_silently(journal: Journal) -> None:
    """Who expects entries where there is no log is refused, and the log stays missing."""
    lost = entries_after(genesis(LOG), "1", "2")[-1].head
    assert heads(await journal.append([append_to(LOG, lost, "3")])) == [genesis(LOG)]
    foreign = Append(LOG, genesis(OTHER), entries_after(genesis(OTHER), "1"), LIVE)
    assert heads(await journal.append([foreign])) == [genesis(LOG)]
    assert await journal.logs("match/") == []


async def test_a_log_is_created_once(journal: Journal) -> None:
    """The same creation twice leaves one log; the second is told where it stands."""
    append = append_to(LOG, None, "created")
    assert await journal.append([append]) == [None]
    assert heads(await journal.append([append])) == [append.entries[-1].head]
    assert await bodies(journal, LOG) == ["created"]


async def test_a_duplicate_in_one_call_is_refused(journal: Journal) -> None:
    """The same append twice in one call is written once."""
    append = append_to(LOG, None, "1")
    assert heads(await journal.append([append, append])) == [None, append.entries[-1].head]
    assert await bodies(journal, LOG) == ["1"]


async def test_appends_of_one_call_stand_alone(journal: Journal) -> None:
    """A conflict in one append does not touch the others of the call."""
    head = await grow(journal, LOG, "1")
    call = [append_to("keys", None, "k"), append_to(LOG, None, "late"), append_to(OTHER, None, "o")]
    assert heads(await journal.append(call)) == [None, head, None]
    assert [await bodies(journal, log) for log in ("keys", LOG, OTHER)] == [["k"], ["1"], ["o"]]


async def test_appends_of_one_call_build_on_each_other(journal: Journal) -> None:
    """Several appends to one log follow one another; what follows a refused one is refused."""
    first = append_to(LOG, None, "1", "2")
    second = append_to(LOG, first.entries[-1].head, "3")
    wrong = append_to(LOG, first.entries[-1].head, "4")
    after_wrong = append_to(LOG, wrong.entries[-1].head, "5")
    head = second.entries[-1].head
    outcomes = await journal.append([first, second, wrong, after_wrong])
    assert heads(outcomes) == [None, None, head, head]
    assert await bodies(journal, LOG) == ["1", "2", "3"]


async def test_many_rows_in_one_call(journal: Journal) -> None:
    """Calls of any size are written whole: long appends and many logs."""
    call = [append_to(f"match/{n}", None, *map(str, range(n % 7 + 1))) for n in range(333)]
    call.append(append_to("keys", None, *map(str, range(500))))
    assert await journal.append(call) == [None] * 334
    for append in call:
        assert await journal.read(append.log) == list(append.entries)


@pytest.mark.parametrize("fault", ["gap", "start", "empty", "owes", "due"])
async def test_a_malformed_append_writes_nothing(journal: Journal, fault: str) -> None:
    """A gap, no entries, or a dead log that owes is an error of the caller; all stays as it was."""
    entries = entries_after(genesis(LOG), "1", "2", "3")
    wrong = {
        "gap": Append(LOG, genesis(LOG), (entries[0], entries[2]), LIVE),
        "start": Append(LOG, genesis(LOG), entries[1:], LIVE),
        "empty": Append(LOG, genesis(LOG), (), LIVE),
        "owes": Append(LOG, genesis(LOG), entries, Index(None, ("house",), live=False, label="")),
        "due": Append(LOG, genesis(LOG), entries, Index(5, (), live=False, label="")),
    }[fault]
    with pytest.raises(ValueError, match=LOG):
        await journal.append([append_to("keys", None, "k"), wrong])
    assert await journal.read("keys") == await journal.read(LOG) == []
    await grow(journal, LOG, "1")


async def test_writers_that_race(journal: Journal) -> None:
    """Of writers who race on one log exactly one wins each version; nothing is lost or doubled."""
    writers, each = 8, 12

    async def write(writer: int) -> list[str]:
        won: list[str] = []
        while len(won) < each:
            body = f"{writer}:{len(won)}"
            append = append_to(LOG, await journal.head(LOG), body)
            if await journal.append([append]) == [None]:
                won.append(body)
        return won

    won = await asyncio.gather(*map(write, range(writers)))
    entries = await journal.read(LOG)
    assert verify_chain(genesis(LOG), entries) == await journal.head(LOG)
    for writer in range(writers):
        mine = [entry.body for entry in entries if entry.body.startswith(f"{writer}:")]
        assert mine == won[writer]
    assert len(entries) == writers * each


async def test_racers_meet_inside_one_group(journal: Journal) -> None:
    """Of appends that are pending together on one head the first wins, the others conflict."""
    calls = [[append_to(LOG, None, str(n)), append_to(f"match/{n}", None, "x")] for n in range(70)]
    outcomes = await asyncio.gather(*map(journal.append, calls))
    winner = calls[0][0].entries[-1].head
    assert heads([outcome[0] for outcome in outcomes]) == [None] + [winner] * 69
    assert all(outcome[1] is None for outcome in outcomes)


async def test_a_closed_store_answers_nothing(journal: Journal) -> None:
    """After the end every call says that the store is closed; ending twice is allowed."""
    await journal.aclose()
    await journal.aclose()
    calls = (
        journal.append([append_to(LOG, None, "1")]),
        journal.read(LOG),
        journal.head(LOG),
        journal.due(1, 1),
        journal.open_for(["house"]),
        journal.since({LOG: genesis(LOG)}),
        journal.indexes([LOG]),
        journal.lowest_revision(),
        journal.ended("match/", 1, 1),
        journal.forget([LOG]),
        journal.reindex(LOG, genesis(LOG), LIVE),
        journal.save_snapshot(LOG, Snapshot(1, 1, b"")),
        journal.logs("match/"),
        journal.snapshot(LOG),
        journal.heartbeat("pod"),
        journal.heartbeats(),
    )
    for call in calls:
        with pytest.raises(StoreUnavailable, match="closed"):
            await call


async def test_kinds_compare_as_text(journal: Journal) -> None:
    """A kind that was read back still finds its place in tables made with the enumeration."""
    await grow(journal, LOG, "1")
    (entry,) = await journal.read(LOG)
    assert {EntryKind.ACTION: "found"}[EntryKind(entry.kind)] == "found"
    assert entry.kind == EntryKind.ACTION
    assert hash(entry.kind) == hash(EntryKind.ACTION)
