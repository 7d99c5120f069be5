"""Does the load test play for real, judge what it measured, and refuse to run without bounds?"""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MISSING = {"Play answer": 1_000, "Act": 100}
"""How many measurements are expected of what one of two kinds of users does alone."""


def load(*options: str) -> subprocess.CompletedProcess[str]:
    """Run the load test with options."""
    command = [sys.executable, "-m", "loadtest.load", *options]
    return subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)


def test_missed_bound_decides_about_the_exit_code() -> None:
    """One user plays over calls or over streams: what is missing is named, exit code 1."""
    done = load("--users=1", "--seconds=1", "--store=memory")
    assert done.returncode == 1, done.stderr
    assert any(
        f"load: {kind}: 0 measurements, at least {least} expected\n" in done.stdout
        for kind, least in MISSING.items()
    )
    assert "calls failed" not in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.parametrize("option", ["--users=0", "--users=201", "--seconds=601", "--address=x"])
def test_load_is_bounded(option: str) -> None:
    """More users or seconds than allowed, and other servers than its own, are refused."""
    done = load(option)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
