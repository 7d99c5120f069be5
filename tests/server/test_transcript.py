"""Does a transcript tell how hands change owners?"""

from pathlib import Path

import pytest

import lastcard_engine as engine
from lastcard_server.transcript import plain_steps, transcript

GOLDEN = Path(__file__).parents[1] / "golden" / "0.2.0"


def record(name: str) -> engine.Record:
    """Return a golden journal."""
    return engine.read_record((GOLDEN / f"{name}.jsonl").read_text())


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("standard_no-3-polled-plain-seven_zero", "swap hands; "),
        ("standard_no-3-polled-plain-seven_zero", "hands are passed on: "),
        ("standard_no_points-4-race-jump_in-swaps", "swap hands; "),
    ],
)
def test_moved_hands_are_told_with_what_each_seat_now_holds(name: str, told: str) -> None:
    """The line of the play says who swapped, or all sizes, and then every new hand."""
    lines = [line.text for line in transcript(record(name)) if told in line.text]
    assert lines
    for line in lines:
        assert line.count(" holds ") == (2 if "swap" in told else 3)


def test_plain_steps_hold_targets_and_moved_hands() -> None:
    """For programs a swap is an event with both seats, its cards in notation."""
    steps = plain_steps(record("standard_no_points-4-race-jump_in-swaps"))
    events = [event for step in steps for event in step["events"]]
    swaps = [event for event in events if event["event"] == "hands_swapped"]
    received = [event for event in events if event["event"] == "hand_received"]
    assert swaps
    assert len(received) == 2 * len(swaps)
    assert all(event["seat"] != event["target"] for event in swaps)
    assert all(len(event["cards"]) == event["count"] for event in received)
