"""Is every record that no server wrote refused with one sentence, whatever it holds?"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lastcard_engine as engine
from lastcard_engine.record import EntryKind

PATH = Path(__file__).parents[1] / "golden/0.1.0/official_se-3-polled-plain.jsonl"
LINES = PATH.read_text().splitlines()
ACTION = next(n for n, line in enumerate(LINES) if '"kind": "action"' in line)
DEEP = "[" * 100_000
NESTED: Any = json.loads("[" * 500 + "]" * 500)


def refused(lines: list[str]) -> engine.RecordError:
    """Return the error of a record that must not be read or must not verify."""
    with pytest.raises(engine.RecordError) as caught:
        engine.verify(engine.read_record("".join(f"{line}\n" for line in lines)))
    assert caught.value.message.isprintable()
    assert len(caught.value.message) < 500
    return caught.value


def changed(at: int, **values: Any) -> list[str]:
    """Return the lines of a good record, one of them with these values."""
    lines = [*LINES]
    lines[at] = json.dumps({**json.loads(lines[at]), **values})
    return lines


@pytest.mark.parametrize("at", [0, ACTION])
@pytest.mark.parametrize(
    "line",
    [
        DEEP,
        '{"a":' * 100_000,
        DEEP + "]" * 100_000,
        '{"version": ' + "9" * 5000 + "}",
        '{"version": NaN}',
        "null",
        "[1]",
        '"kind"',
    ],
)
def test_a_line_that_is_no_map_is_named(at: int, line: str) -> None:
    """Deep, endless and foreign JSON is refused like any other."""
    error = refused([*LINES[:at], line, *LINES[at + 1 :]])
    assert error.version == at
    assert f"line {at + 1} is not of a record: it " in error.message


HEADS: list[dict[str, Any]] = [
    {"format": True},
    {"format": 1.0},
    {"revision": "1"},
    {"revision": True},
    {"match_id": []},
    {"match_id": ""},
    {"match_id": "a\x1b[2J"},
    {"group": []},
    {"group": {}},
    {"group": None},
    {"leg": "\x1b[2J"},
    {"leg": False},
    {"leg": -1},
    {"seats": [], "nonces": []},
    {"seats": "abc"},
    {"seats": ["a", "b", 3]},
    {"seats": ["a", "b", "\x1b[31mc"]},
    {"seats": ["a", "b", "c\u202ed"]},
    {"seats": ["a", "b", "c\ud800"]},
    {"seats": ["a", "b", "c "]},
    {"seats": ["a", "b", "e\u0301"]},
    {"seats": ["a", "b", "c" * 33]},
    {"nonces": [1, 2, 3]},
    {"nonces": ["AB", "", ""]},
    {"nonces": {}},
    {"secret": 1},
    {"salt": [0] * 32},
    {"commitment": None},
    {"chain": 5},
    {"chain": "0"},
    {"rules": []},
    {"rules": {}},
    {"rules": NESTED},
    {"settings": {}},
    {"settings": "x"},
    {"other": 1},
]


@pytest.mark.parametrize("change", HEADS)
def test_a_head_that_no_server_writes_is_refused(change: dict[str, Any]) -> None:
    """Types are exact, names are those of players, and nothing reaches a terminal."""
    assert refused(changed(0, **change)).version == 0


@pytest.mark.parametrize(
    ("part", "option", "value"),
    [
        ("rules", "custom_rules", ["x"]),
        ("rules", "custom_rules", [[]]),
        ("rules", "custom_rules", [{"id": "a", "kind": []}]),
        ("rules", "custom_rules", [{"id": "a", "text": "\x1b[2J", "lose_turn": False}]),
        ("rules", "custom_rules", {}),
        ("rules", "custom_rules", NESTED),
        ("rules", "extra_wild_points", 40.0),
        ("rules", "mercy_limit", False),
        pytest.param("rules", "hand_size", 10**4000, id="endless-hand"),
        ("rules", "deck_counts", [[999, 1]]),
        ("rules", "deck_counts", {"r5": 1.0}),
        ("rules", "stack_pairs", [[]]),
        ("rules", "deck", {}),
        ("rules", "deck_extras", {"custom_wild": 3}),
        ("settings", "reactions", []),
        ("settings", "reactions", "\x1b[2J"),
        ("settings", "rounds", 2.0),
        pytest.param("settings", "action_cap", 10**4000, id="endless-cap"),
        ("settings", "action_cap", True),
    ],
)
def test_an_option_of_another_type_is_refused(part: str, option: str, value: object) -> None:
    """Rules and settings are read as strictly as the rest."""
    head = json.loads(LINES[0])
    refused_part = {**head[part], option: value}
    assert refused(changed(0, **{part: refused_part})).version == 0


ENTRIES: list[dict[str, Any]] = [
    {"version": float(ACTION)},
    {"version": True},
    {"version": ACTION + 1},
    {"kind": []},
    {"seat": "x"},
    {"seat": [1]},
    {"seat": 0.5},
    {"seat": 1.0},
    {"seat": True},
    {"seat": None},
    {"seat": -1},
    {"action": []},
    {"action": "play"},
    {"action": "play r5 \x1b[2J"},
    {"state_hash": 7},
    {"time_us": "yesterday"},
    {"time_us": 1.5},
    {"time_us": 0},
    {"time_us": 10**30},
    {"note": {}},
    {"note": ""},
    {"note": "\x1b[2J"},
    {"note": "a\u202eb"},
    {"uno": True},
    {"\x1b[2J" * 100: 1},
]


@pytest.mark.parametrize("change", ENTRIES)
def test_an_entry_that_no_server_writes_is_named(change: dict[str, Any]) -> None:
    """Types are exact, unknown fields are refused."""
    assert refused(changed(ACTION, **change)).version == ACTION


def test_nothing_follows_the_end() -> None:
    """A second end, or anything else behind the first, is named."""
    for kind in (EntryKind.ENDED, EntryKind.FAULT):
        late = json.dumps({"version": len(LINES), "kind": kind})
        error = refused([*LINES, late])
        assert error.version == len(LINES)
        assert "follows the ended of the match" in error.message


def test_a_seat_that_does_not_exist_has_no_fault() -> None:
    """Entries that do not touch the game name seats of the match too."""
    fault = json.dumps({"version": 1, "kind": "fault", "seat": 3, "note": "late"})
    assert "seat 3, which does not exist" in refused([LINES[0], fault]).message


def test_only_actions_have_an_action() -> None:
    """An action beside another kind would be carried along unseen."""
    assert "has no action" in refused(changed(1, action="draw")).message


def test_a_file_that_is_cut_off_is_refused() -> None:
    """Every line ends with a line feed."""
    with pytest.raises(engine.RecordError, match="cut off"):
        engine.read_record("\n".join(LINES))


def test_other_ways_to_write_the_same_are_refused() -> None:
    """Order, blanks, escapes and doubled fields: one text stands for a record."""
    line = json.loads(LINES[1])
    for other in (
        json.dumps(line, separators=(",", ":")),
        json.dumps(line, sort_keys=True),
        f" {LINES[1]}",
        LINES[1].replace("round", "\\u0072ound"),
        LINES[1].replace("{", '{"version": 1, '),
    ):
        assert "not written as records are" in refused([LINES[0], other]).message


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=5,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the ways to every value inside a value."""
    inner: dict[Any, Any] = value if isinstance(value, dict) else {}
    inner = dict(enumerate(value)) if isinstance(value, list) else inner
    return [path, *(found for key, part in inner.items() for found in places(part, (*path, key)))]


def put(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """Return a value with another one at a place."""
    if not path:
        return new
    copy = value.copy()
    copy[path[0]] = put(value[path[0]], path[1:], new)
    return copy


def drop_line(data: st.DataObject, lines: list[Any]) -> list[Any]:
    """Leave a line out."""
    at = data.draw(st.integers(0, len(lines) - 1))
    return lines[:at] + lines[at + 1 :]


def double_line(data: st.DataObject, lines: list[Any]) -> list[Any]:
    """Write a line twice."""
    at = data.draw(st.integers(0, len(lines) - 1))
    return lines[: at + 1] + lines[at:]


def other_value(data: st.DataObject, lines: list[Any]) -> list[Any]:
    """Put another value anywhere; half of them into the head."""
    at = data.draw(st.just(0) | st.integers(1, len(lines) - 1))
    path = data.draw(st.sampled_from(places(lines[at])))
    donor = st.sampled_from([part for line in lines[:8] for part in line.values()])
    return [*put(lines, (at, *path), data.draw(VALUES | donor))]


def other_field(data: st.DataObject, lines: list[Any]) -> list[Any]:
    """Add a field, known or unknown, to a line."""
    at = data.draw(st.integers(0, len(lines) - 1))
    names = ("seat", "uno", "action", "note", "time_us", "state_hash")
    name = data.draw(st.sampled_from(names) | st.text(max_size=5))
    new = data.draw(st.integers(0, 12) | st.sampled_from(["late", "draw", "ff" * 32]) | VALUES)
    return [*put(lines, (at,), {**lines[at], name: new})]


Found = TypeVar("Found")
Mutation = Callable[[st.DataObject, list[Any]], list[Any]]
MUTATIONS: list[Mutation] = [drop_line, double_line, other_value, other_value, other_field]


def settled(call: Callable[[], Found]) -> Found | None:
    """Return what a call returns; None where it refuses with one printable sentence."""
    try:
        return call()
    except engine.RecordError as error:
        return None if error.message.isprintable() else pytest.fail(f"{error.message!r}")


@settings(deadline=None)
@given(st.data())
def test_a_mutated_record_is_read_to_the_letter_or_refused(data: st.DataObject) -> None:
    """Reading and verifying raise RecordError alone, and what is read is written again."""
    lines = [json.loads(line) for line in LINES[:40]]
    changed_lines = data.draw(st.sampled_from(MUTATIONS))(data, lines)
    text = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in changed_lines)
    record = settled(lambda: engine.read_record(text))
    if record is not None:
        assert engine.write_record(record) == text
        assert text.encode()
        settled(lambda: engine.verify(record))
