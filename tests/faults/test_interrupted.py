"""Does the suite leave nothing behind when it is interrupted, one scenario or several?"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.faults.servers import ROOT


def of_suite(folder: Path) -> list[str]:
    """Return the processes that work in a folder, by what the system says of all."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            environment = (process / "environ").read_bytes()
        except OSError:
            continue
        if f"TMPDIR={folder}".encode() in environment.split(b"\0"):
            found.append(process.name)
    return found


@pytest.mark.parametrize(
    ("number", "names"), [(signal.SIGTERM, ("kills",)), (signal.SIGINT, ("kills", "repeats"))]
)
def test_nothing_is_left(tmp_path: Path, number: signal.Signals, names: tuple[str, ...]) -> None:
    """Processes end and folders are removed; the exit code says so."""
    only = [word for name in names for word in ("--only", name)]
    until = time.monotonic() + 60
    with subprocess.Popen(
        [sys.executable, "-m", "tests.faults", *only],
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as suite:
        try:
            while len([*tmp_path.glob("*/serve.log")]) < len(names):
                assert suite.poll() is None
                assert time.monotonic() < until
                time.sleep(0.05)
            suite.send_signal(number)
            out, err = suite.communicate(timeout=60)
        finally:
            suite.kill()
    assert suite.returncode == 130, out + err
    while left := of_suite(tmp_path):
        assert time.monotonic() < until, left
        time.sleep(0.05)
    assert not [*tmp_path.iterdir()]
