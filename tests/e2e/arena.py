"""How do tests run `lastcard arena` and look at what it leaves behind?"""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

LASTCARD = str(Path(sys.executable).parent / "lastcard")
CALLED = "lastcard" if shutil.which("lastcard") else LASTCARD
"""What the arena calls itself in the commands it proposes: what a shell here finds it by."""
BOTS = Path(__file__).parent / "bots"
GOOD = {"random": "lastcard bot random", "greedy": "lastcard bot greedy", "house": "house:greedy"}
ONE_ROUND = {"max_rounds": 1}
IN_PROC = pytest.mark.skipif(sys.platform != "linux", reason="looks processes up in /proc")


def write_contest(folder: Path, bots: dict[str, str], **keys: object) -> Path:
    """
    Write a contest file into a folder.

    `bots` maps names to commands, or to `house:STRATEGY`; `keys` are the file's, tables as dicts.
    """
    keys = {"name": "cup", "preset": "standard_no", **keys}
    plain = {key: value for key, value in keys.items() if not isinstance(value, dict)}
    lines = [f"{key} = {json.dumps(value)}" for key, value in plain.items()]
    for name, table in keys.items():
        if isinstance(table, dict):
            lines += [f"[{name}]", *(f"{key} = {json.dumps(v)}" for key, v in table.items())]
    for name, command in bots.items():
        kind, value = (
            ("house", command[6:]) if command.startswith("house:") else ("command", command)
        )
        lines += ["[[bots]]", f"name = {json.dumps(name)}", f"{kind} = {json.dumps(value)}"]
    path = folder / "contest.toml"
    path.write_text("\n".join(lines))
    return path


def environment(**more: str) -> dict[str, str]:
    """Return an environment in which no server and no key are known."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("LASTCARD")}
    return kept | more


def start_arena(contest: Path, *options: object, **env: str) -> subprocess.Popen[str]:
    """Start `lastcard arena` on a contest file."""
    return subprocess.Popen(
        [LASTCARD, "arena", str(contest), *map(str, options)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(**env),
    )


def run_arena(contest: Path, *options: object, **env: str) -> subprocess.CompletedProcess[str]:
    """Run `lastcard arena` to its end."""
    with start_arena(contest, *options, **env) as arena:
        stdout, stderr = arena.communicate(timeout=110)
    return subprocess.CompletedProcess(arena.args, arena.returncode, stdout, stderr)


def lastcard(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run another subcommand."""
    command = [LASTCARD, *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, env=environment(), timeout=100, check=False
    )


def ledger(out: Path) -> list[dict[str, Any]]:
    """Return the lines of a run's ledger."""
    return [json.loads(line) for line in (out / "ledger.jsonl").read_text().splitlines()]


def started_in(folder: Path) -> dict[int, str]:
    """Return the commands of living processes that a folder's name appears in, by process id."""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            command = _read(entry / "cmdline")
            if str(folder) in command + _read(entry / "environ") + _where(entry):
                found[int(entry.name)] = command.replace("\0", " ")
    return found


def _where(entry: Path) -> str:
    """Return the folder a process works in and the file it prints to."""
    try:
        return f"{(entry / 'cwd').readlink()} {(entry / 'fd/1').readlink()}"
    except OSError:
        return ""


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode(errors="replace")
    except OSError:
        return ""


def eventually(holds: Callable[[], bool], seconds: float = 60) -> None:
    """Wait until something holds; fail when it does not in time."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it never came to hold"
        time.sleep(0.05)


def free_port() -> int:
    """Return a port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
