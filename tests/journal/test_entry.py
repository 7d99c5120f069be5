"""Does the chain notice every change, and is its layout the one that is written down?"""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastcard_server.journal.entry import ChainError, Entry, Head, chained, genesis, verify_chain
from tests.journal.logs import LOG, entries_after

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
FIELDS = st.tuples(
    TEXT,
    st.integers(-(2**63), 2**63 - 1),
    st.none() | st.integers(0, 9),
    TEXT,
    TEXT,
    st.none() | st.binary(min_size=32, max_size=32),
)

FIRST = "c48f67d1d368b4911812062cb75de6c4a28c67f25816a092ac95e427c086925d"
SECOND = "60bab6e316fd14fa6e5d7c28e398a85e3c26942bd1baa968f053ead1a9a0e077"


def layout(previous: bytes, entry: Entry) -> bytes:
    """Write an entry's bytes as docs/explanation/journal.md describes them, field by field."""
    seat = -1 if entry.seat is None else entry.seat
    texts = [entry.kind.encode(), entry.request_id.encode(), entry.body.encode()]
    texts.append(entry.state_hash or b"")
    lengths = [len(text).to_bytes(size) for text, size in zip(texts, (1, 1, 4, 1), strict=True)]
    numbers = entry.version.to_bytes(4), entry.time_us.to_bytes(8, signed=True)
    return b"".join([previous, *numbers, seat.to_bytes(2, signed=True), *lengths, *texts])


def test_genesis_is_the_hash_of_zeros_and_name() -> None:
    """The genesis is SHA-256 of 32 zero bytes and the log's name, at version 0."""
    assert genesis("match/ü") == Head(0, hashlib.sha256(bytes(32) + "match/ü".encode()).digest())
    assert genesis("a") != genesis("b")


def test_a_chain_of_record() -> None:
    """A fixed entry has for ever the same hash."""
    first = chained(genesis(LOG), "action", 1_700_000_000_000_001, 3, "play W g uno", "req-1")
    second = chained(first.head, "ended", 1_700_000_000_000_002, state_hash=bytes(range(32)))
    assert [first.version, second.version] == [1, 2]
    assert first.chain.hex() == FIRST
    assert second.chain.hex() == SECOND


@given(FIELDS)
def test_the_layout_is_as_documented(
    fields: tuple[str, int, int | None, str, str, bytes | None],
) -> None:
    """The chain hash is SHA-256 of the documented bytes, for any entry."""
    before = genesis(LOG)
    entry = chained(before, *fields)
    assert entry.chain == hashlib.sha256(layout(before.chain, entry)).digest()
    assert verify_chain(before, [entry]) == entry.head


@given(FIELDS, FIELDS, st.sampled_from(Entry._fields[1:]))
def test_any_changed_field_is_noticed(
    fields: tuple[str, int, int | None, str, str, bytes | None],
    others: tuple[str, int, int | None, str, str, bytes | None],
    name: str,
) -> None:
    """An entry in which one field has another value does not follow any more."""
    entry, other = chained(genesis(LOG), *fields), chained(genesis("other"), *others)
    changed = entry._replace(**{name: getattr(other, name)})
    if changed != entry:
        with pytest.raises(ChainError, match="entry 1 does not follow"):
            verify_chain(genesis(LOG), [changed])


@pytest.mark.parametrize("wrong", ["dropped", "swapped", "doubled", "foreign", "moved"])
def test_order_and_place_are_proved(wrong: str) -> None:
    """Entries that are dropped, swapped, doubled or of another log do not follow."""
    a, b, c = entries_after(genesis(LOG), "1", "2", "3")
    foreign = entries_after(genesis("match/other"), "1", "2", "3")
    entries, name = {
        "dropped": ([a, c], "entry 3 stands where 2"),
        "swapped": ([b, a, c], "entry 2 stands where 1"),
        "doubled": ([a, a, b], "entry 1 stands where 2"),
        "foreign": ([a, foreign[1], c], "entry 2 does not follow"),
        "moved": ([a, b._replace(version=1), c], "entry 1 stands where 2"),
    }[wrong]
    with pytest.raises(ChainError, match=name):
        verify_chain(genesis(LOG), entries)


def test_letters_cannot_move_between_fields() -> None:
    """Two entries whose texts join to the same letters have different hashes."""
    one = chained(genesis(LOG), "ab", 1, None, "cd", "ef")
    assert one.chain != chained(genesis(LOG), "a", 1, None, "bcd", "ef").chain
    assert one.chain != chained(genesis(LOG), "ab", 1, None, "cde", "f").chain
    assert one.chain != chained(genesis(LOG), "ab", 1, 0, "cd", "ef").chain
