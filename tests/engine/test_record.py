"""Does a record prove itself, and is the first wrong entry named?"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import lastcard_engine as engine

PATH = Path(__file__).parents[1] / "golden/0.1.0/official_se-3-polled-plain.jsonl"
TEXT = PATH.read_text()


def lines() -> list[dict[str, Any]]:
    """Return the lines of a record as values."""
    return [json.loads(line) for line in TEXT.splitlines()]


def written(values: list[dict[str, Any]]) -> str:
    """Write lines as a record."""
    return "".join(f"{json.dumps(line)}\n" for line in values)


def refused(text: str) -> engine.RecordError:
    """Return the error of a record that must not verify."""
    with pytest.raises(engine.RecordError) as caught:
        engine.verify(engine.read_record(text))
    return caught.value


def first(kind: str, **more: Any) -> int:
    """Return the line of the first entry of a kind, with these values."""
    return next(
        number
        for number, line in enumerate(lines())
        if line.get("kind") == kind and all(line.get(k) == v for k, v in more.items())
    )


def test_a_record_is_read_and_written_back() -> None:
    """Byte by byte."""
    assert engine.write_record(engine.read_record(TEXT)) == TEXT


def test_a_replay_tells_what_happened() -> None:
    """Step by step, from the first deal to the end of the match."""
    steps = list(engine.replay(engine.read_record(TEXT)))
    assert isinstance(steps[0].events[0], engine.RoundStarted)
    assert steps[-1].entry.kind is engine.EntryKind.ENDED
    ends = [event for step in steps for event in step.events if type(event) is engine.MatchEnded]
    assert len(ends) == 1
    assert steps[-1].state.over


def test_another_card_is_found_at_its_entry() -> None:
    """A single card changed in one entry makes that entry, or the first hash after it, wrong."""
    at = next(n for n, line in enumerate(lines()) if line.get("action", "").startswith("play r"))
    values = lines()
    values[at]["action"] = "play b9" if "b9" not in values[at]["action"] else "play b8"
    error = refused(written(values))
    assert error.version == at
    assert f"entry {at} (action) is wrong" in error.message


@pytest.mark.parametrize("name", ["secret", "salt", "commitment"])
def test_another_secret_does_not_match_the_commitment(name: str) -> None:
    """The head is wrong."""
    values = lines()
    values[0][name] = "00" * 32
    error = refused(written(values))
    assert (error.version, error.message) == (0, "the deal secret does not match the commitment")


def test_another_nonce_deals_other_cards() -> None:
    """The first entry whose state hash or action does not follow is named."""
    values = lines()
    values[0]["nonces"][0] = "ff"
    assert refused(written(values)).version > 0


@pytest.mark.parametrize(
    ("change", "version"),
    [
        ({"revision": 2}, 0),
        ({"format": 2}, 0),
        ({"nonces": []}, 0),
        ({"seats": ["one"], "nonces": [""]}, 0),
        ({"secret": "00"}, 0),
        ({"secret": "zz"}, 0),
        ({"rules": {"deck": "tarot"}}, 0),
        ({"settings": {"clock": 5}}, 0),
        ({"unknown": 1}, 0),
    ],
)
def test_a_wrong_head_is_refused(change: dict[str, Any], version: int) -> None:
    """Whatever is wrong with it, with a sentence and the version 0."""
    values = lines()
    values[0].update(change)
    assert refused(written(values)).version == version


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "drawn"},
        {"version": 99},
        {"action": "play x9"},
        {"state_hash": "00" * 32},
        {"state_hash": "xy"},
        {"seat": 7},
        {"colour": "r"},
    ],
)
def test_a_wrong_entry_is_named(change: dict[str, Any]) -> None:
    """The error carries its version."""
    at = first("action")
    values = lines()
    values[at].update(change)
    assert refused(written(values)).version == at


@pytest.mark.parametrize("missing", ["seat", "action"])
def test_an_act_needs_a_seat_and_an_action(missing: str) -> None:
    """An entry that lacks one is named."""
    at = first("action")
    values = lines()
    del values[at][missing]
    assert refused(written(values)).version == at


def test_a_lost_entry_is_noticed() -> None:
    """Versions have no gaps."""
    values = lines()
    del values[5]
    assert refused(written(values)).version == 5


def test_an_end_before_the_end_is_noticed() -> None:
    """A match that is not over has not ended."""
    values = lines()
    values[5] = {"version": 5, "kind": "ended"}
    error = refused(written(values[:6]))
    assert "not over" in error.message


@pytest.mark.parametrize("text", ["", "\n", "{}", "[]", "no json", "1"])
def test_what_is_no_record_is_refused(text: str) -> None:
    """With version 0 and no traceback of another kind."""
    assert refused(text).version == 0


def test_entries_of_the_service_do_not_touch_the_game() -> None:
    """Joins, nonces and faults are carried along."""
    record = engine.read_record(TEXT)
    kinds = ("created", "joined", "nonce", "started", "fault", "clock_extended")
    extra = [
        engine.Entry(number, engine.EntryKind(kind), engine.Seat(0), time_us=7, note="late")
        for number, kind in enumerate(kinds, 1)
    ]
    moved = [entry._replace(version=entry.version + len(extra)) for entry in record.entries]
    longer = replace(record, entries=(*extra, *moved))
    assert engine.read_record(engine.write_record(longer)) == longer
    assert engine.state_hash(engine.verify(longer)) == engine.state_hash(engine.verify(record))
