"""Do the README's words hold: one server, its bot in two more terminals, one match?"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

BOT = str(Path("demo/bot.py").resolve())
LASTCARD = str(Path(sys.executable).with_name("lastcard"))


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """The address of a server of its own, which is stopped as a terminal would stop it."""
    command = [LASTCARD, "serve", "--port", "0"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        yield server.stdout.readline().removeprefix("serving on ").strip()
        server.terminate()
        assert server.wait(timeout=30) == 0


def test_two_bots_meet_at_a_table(address: str, tmp_path: Path) -> None:
    """Both bots say the same match, and one of them came first."""
    command = [sys.executable, BOT, "kitchen"]
    bots = [
        subprocess.Popen(
            command,
            cwd=tmp_path,
            env={"LASTCARD_ADDRESS": address},
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    said = [bot.communicate(timeout=60)[0].split(": ") for bot in bots]
    assert [bot.returncode for bot in bots] == [0, 0]
    assert said[0][0] == said[1][0]
    assert sorted(result for _, result in said) == ["place 1 of 2\n", "place 2 of 2\n"]
