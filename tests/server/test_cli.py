"""The command line starts, refuses and stops with one sentence and a code that means something."""

import json
import os
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from click.testing import CliRunner, Result

from lastcard.v1 import rules_service_pb2
from lastcard.v1.rules_service_pb2_grpc import RulesServiceStub
from lastcard_server.cli import COMMANDS, main
from lastcard_server.config import ConfigError
from lastcard_server.serving import Exit
from tests.server.edge import metadata

LASTCARD = (
    sys.executable,
    "-c",
    "import sys; from lastcard_server.cli import main; sys.exit(main())",
)


def run(*arguments: str, **more: Any) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(
        [*LASTCARD, *arguments], check=False, capture_output=True, text=True, timeout=30, **more
    )


class Program:
    """A server in a process of its own."""

    def __init__(self, folder: Path, *options: str) -> None:
        command = [*LASTCARD, "serve", "--port", "0", "--state-dir", str(folder), *options]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        self.line = self.process.stdout.readline()
        self.address = self.line.split()[-1] if self.line else ""

    def stop(self, number: int = signal.SIGTERM) -> tuple[int, str, str]:
        """Send a signal; return code, further output and log."""
        self.process.send_signal(number)
        out, log = self.process.communicate(timeout=20)
        return self.process.returncode, out, log


@contextmanager
def program(folder: Path, *options: str) -> Iterator[Program]:
    """Run a server, and end it whatever happens."""
    found = Program(folder, *options)
    try:
        yield found
    finally:
        if found.process.poll() is None:
            found.process.kill()
            found.process.communicate()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_says_where_it_serves_and_stops_when_told(tmp_path: Path, number: int) -> None:
    """One line on standard output, JSON lines on standard error, keys for the owner, exit 0."""
    with program(tmp_path, "--store", "memory") as server:
        assert server.line == f"serving on {server.address}\n"
        key_file = tmp_path / "organiser.key"
        assert stat.S_IMODE(key_file.stat().st_mode) == 0o600
        with grpc.insecure_channel(server.address) as channel:
            call: Any = RulesServiceStub(channel).ListPresets
            key = key_file.read_text().strip()
            assert call(rules_service_pb2.ListPresetsRequest(), metadata=metadata(key)).presets
        code, out, log = server.stop(number)
    assert (code, out) == (Exit.STOPPED, "")
    lines = [json.loads(line) for line in log.splitlines()]
    assert [line["event"] for line in lines] == ["serving", "call", "draining", "stopped"]
    assert key not in log


def test_a_port_in_use_is_one_sentence_and_code_3(tmp_path: Path) -> None:
    """The second server on a port says which, and nothing of how it is made."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = run("serve", "--port", str(port), "--store", "memory", "--state-dir", str(tmp_path))
    assert done.returncode == Exit.PORT
    assert done.stdout == ""
    assert done.stderr == (
        f"lastcard serve: 127.0.0.1:{port} is in use by another program: "
        "stop it, or choose another port.\n"
    )


def test_a_store_in_use_and_one_that_cannot_be_made_are_code_4(tmp_path: Path) -> None:
    """One sentence each, without a traceback."""
    with program(tmp_path):
        busy = run("serve", "--port", "0", "--state-dir", str(tmp_path))
        keys = run("keys", "--store", f"sqlite:{tmp_path / 'journal.sqlite'}", "list")
    nowhere = run("serve", "--port", "0", "--state-dir", str(tmp_path), "--store", "sqlite:/no/f")
    for done in (busy, nowhere):
        assert done.returncode == Exit.STORE
        assert done.stderr.startswith("lastcard serve: ")
        assert done.stderr.count("\n") == 1
    assert keys.returncode == 1
    assert "in use" in keys.stderr


@pytest.mark.parametrize(
    "options",
    [
        ["--host", "0.0.0.0"],
        ["--tls-cert", "x"],
        ["--port", "70000"],
        ["--port", "x"],
        ["--grace", "-1"],
        ["--no-such-option"],
        ["--streams-per-key", "0"],
        ["--log-level", "loud"],
        ["argument"],
    ],
)
def test_wrong_options_are_code_2(options: list[str]) -> None:
    """Nothing is started; the sentence says what would be right."""
    result = CliRunner().invoke(main, ["serve", *options])
    assert result.exit_code == Exit.USAGE
    assert "Error: " in result.output


@pytest.mark.parametrize(
    "options", [["--store", "redis:x"], ["--tls-cert", "/no/a", "--tls-key", "/no/b"]]
)
def test_configuration_that_cannot_be_is_code_2(tmp_path: Path, options: list[str]) -> None:
    """An unknown store or missing TLS files are refused when the server opens them."""
    done = run("serve", "--port", "0", "--state-dir", str(tmp_path), *options)
    assert done.returncode == Exit.USAGE
    assert done.stderr.count("\n") == 1
    assert issubclass(ConfigError, ValueError)


def test_an_unknown_command_is_refused() -> None:
    """Nothing is guessed."""
    result = CliRunner().invoke(main, ["serv"])
    assert result.exit_code == 2
    assert "No such command" in result.output


def test_help_names_every_command_and_imports_none_of_the_servers_packages() -> None:
    """`--help` needs the base packages alone."""
    code = (
        "import sys; from lastcard_server.cli import main\n"
        "try: main(['--help'])\n"
        "finally: print(sorted({'structlog', 'rich', 'prometheus_client'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert all(f"  {name} " in done.stdout for name in COMMANDS)
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_missing_package_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the server's packages a command says what to install."""

    def missing(_name: str) -> Any:
        raise ModuleNotFoundError(name="structlog")

    monkeypatch.setattr("lastcard_server.cli.importlib.import_module", missing)
    result = CliRunner().invoke(main, ["serve"])
    assert result.exit_code == 1
    assert "structlog: pip install 'lastcard[server]'" in result.output


def keys(*arguments: str, **environment: str) -> Result:
    """Run `lastcard keys` in this process."""
    clean = {name: None for name in os.environ if name.startswith("LASTCARD_")}
    return CliRunner().invoke(main, ["keys", *arguments], env={**clean, **environment})


def test_keys_are_managed_on_a_server_and_in_its_store(tmp_path: Path) -> None:
    """Created over the wire, listed and revoked in the file of the stopped server, as JSON too."""
    store = f"sqlite:{tmp_path / 'journal.sqlite'}"
    with program(tmp_path) as server:
        there = ("--address", server.address, "--key-file", str(tmp_path / "organiser.key"))
        made = json.loads(keys(*there, "create", "My bot", "--json").output)
        assert made["role"] == "bot"
        assert made["secret"].startswith("lck_")
        listed = keys(*there, "list").output
        assert f"{made['key_id']}  bot " in listed
        assert made["secret"] not in listed
        by_env = keys("list", LASTCARD_ADDRESS=server.address, LASTCARD_KEY=made["secret"])
        assert by_env.exit_code == 1
        assert "organiser" in by_env.output
        refused = keys(*there, "create", "a\nb")
        assert refused.exit_code == 1
        assert "a\nb" not in refused.output
        server.stop()
    rows = json.loads(keys("--store", store, "list", "--json").output)
    assert [row["name"] for row in rows] == ["My bot", "organiser"]
    revoked = keys("--store", store, "revoke", made["key_id"])
    assert revoked.output.startswith(f"key_id   {made['key_id']}\n")
    assert "revoked  20" in revoked.output
    created = keys("--store", store, "create", "Watcher", "--role", "spectator")
    assert "secret   lck_" in created.output
    assert keys("--store", store, "revoke", "nokey").exit_code == 1


def test_keys_of_no_server_and_no_store_are_refused(tmp_path: Path) -> None:
    """A server that is away, a file that is not, a store of another kind: one sentence each."""
    key = tmp_path / "key"
    key.write_text("lck_x")
    away = keys("--address", "127.0.0.1:1", "--key-file", str(key), "create", "a")
    assert (away.exit_code, away.output.count("\n")) == (1, 1)
    no_key = keys("--address", "127.0.0.1:1", "--key-file", str(tmp_path / "no"), "list")
    assert no_key.exit_code == 1
    assert keys("--store", f"sqlite:{tmp_path / 'no'}", "list").exit_code == 1
    assert not (tmp_path / "no").exists()
    assert keys("--store", "memory", "list").exit_code == 2
    assert keys("--store", "sqlite:x", "--address", "y", "list").exit_code == 2
    assert keys("create", "a", "--role", "king").exit_code == 2


def test_a_credential_can_be_made_beforehand(tmp_path: Path) -> None:
    """What `keys generate` prints is a key for --organiser-key, a different one each time."""
    first, second = keys("generate").output.strip(), keys("generate").output.strip()
    assert first != second
    named = tmp_path / "first.key"
    named.write_text(first)
    named.chmod(0o600)
    with (
        program(tmp_path / "s", "--store", "memory", "--organiser-key", str(named)) as server,
        grpc.insecure_channel(server.address) as channel,
    ):
        call: Any = RulesServiceStub(channel).ListPresets
        assert call(rules_service_pb2.ListPresetsRequest(), metadata=metadata(first)).presets
