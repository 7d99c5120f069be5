"""Does `lastcard replay` print records readably, for people and for programs?"""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

import lastcard_engine as engine
from lastcard_engine.record import EntryKind, Record
from lastcard_server.commands import replay
from tests.contests.records import NAMES, a_record, write


@pytest.fixture(scope="module")
def record() -> Record:
    """Return a record that is right."""
    return a_record()


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_a_record_that_breaks_off_is_printed_and_told(
    record: Record, tmp_path: Path, options: list[str]
) -> None:
    """What is there is shown; then it is said that the end is missing."""
    path = write(tmp_path, replace(record, entries=record.entries[:20]))
    result = CliRunner().invoke(replay.command, [str(path), *options])
    assert result.exit_code == 1
    assert record.match_id in result.stdout
    assert result.stderr == f"Error: {path}: the record breaks off after entry 20\n"


def test_a_match_is_printed_round_by_round(record: Record, tmp_path: Path) -> None:
    """Seats, hands, every action in notation, the result and the places are there; no colours."""
    result = CliRunner().invoke(replay.command, [str(write(tmp_path, record))])
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert lines[:2] == [f"match {record.match_id}", "seats  0 ann, 1 bob, 2 cid, 3 dot"]
    assert "round 1" in lines
    assert sum(line.startswith("hand   ") for line in lines) == 4
    for entry in record.entries:
        if entry.kind is EntryKind.ACTION and entry.action is not None:
            told = f"{entry.version:>6}  {entry.seat} {NAMES[entry.seat or 0]}  "
            told += engine.format_action(entry.action, entry.uno)
            assert any(line.startswith(told) for line in lines)
    assert any(re.match(r"won by \d \w+: \d+ points \(went out\)", line) for line in lines)
    assert any(line.startswith("places 1. ") for line in lines)
    assert "\x1b" not in result.output


def test_a_terminal_gets_colours(record: Record, tmp_path: Path) -> None:
    """Where colours are wanted, cards have theirs."""
    result = CliRunner().invoke(replay.command, [str(write(tmp_path, record))], color=True)
    assert "\x1b[3" in result.output


def test_a_match_is_printed_for_programs(record: Record, tmp_path: Path) -> None:
    """--json holds every entry and event, cards and actions in notation."""
    result = CliRunner().invoke(replay.command, [str(write(tmp_path, record)), "--json"])
    match = json.loads(result.output)
    assert [entry["version"] for entry in match["entries"]] == list(
        range(1, len(record.entries) + 1)
    )
    events = [event for entry in match["entries"] for event in entry["events"]]
    dealt = [event for event in events if event["event"] == "cards_dealt"]
    assert [len(event["cards"]) for event in dealt] == [7] * 4
    assert events[-1]["event"] == "match_ended"
    played = next(event for event in events if event["event"] == "card_played")
    engine.parse_card(played["card"])


def test_a_record_is_printed_up_to_where_it_goes_wrong(record: Record, tmp_path: Path) -> None:
    """What is right is shown, then the entry that is wrong is named."""
    number = next(e.version for e in record.entries if e.kind is EntryKind.ACTION) + 4
    entries = list(record.entries)
    entries[number - 1] = entries[number - 1]._replace(seat=engine.Seat(9))
    path = write(tmp_path, replace(record, entries=tuple(entries)))
    result = CliRunner().invoke(replay.command, [str(path)])
    assert result.exit_code == 1
    assert "round 1" in result.output
    assert f"entry {number} " in result.output
