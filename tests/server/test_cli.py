"""The command line starts, refuses and stops with one sentence and a code that means something."""

import json
import re
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import grpc
import pytest
from click.testing import CliRunner

from lastcard.v1 import rules_service_pb2
from lastcard.v1.rules_service_pb2_grpc import RulesServiceStub
from lastcard_server.cli import COMMANDS, main
from lastcard_server.config import ConfigError
from lastcard_server.serving import Exit
from tests.processes import ServerProcess
from tests.server.edge import metadata

LASTCARD = (sys.executable, "-m", "lastcard_server")


def run(*arguments: str, **more: Any) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(
        [*LASTCARD, *arguments], check=False, capture_output=True, text=True, timeout=30, **more
    )


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_says_where_it_serves_and_stops_when_told(tmp_path: Path, number: int) -> None:
    """One line on standard output, JSON lines on standard error, keys for the owner, exit 0."""
    with ServerProcess(tmp_path, "--store", "memory") as server:
        assert server.line == f"serving on {server.address}\n"
        assert stat.S_IMODE(server.key_file.stat().st_mode) == 0o600
        key = server.key
        with grpc.insecure_channel(server.address) as channel:
            call: Any = RulesServiceStub(channel).ListPresets
            assert call(rules_service_pb2.ListPresetsRequest(), metadata=metadata(key)).presets
        code, out, log = server.stop(number)
    assert (code, out) == (Exit.STOPPED, "")
    lines = [json.loads(line) for line in log.splitlines()]
    assert [line["event"] for line in lines] == ["serving", "call", "draining", "stopped"]
    assert key not in log


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(
    "arguments",
    [("rules", "list"), ("rules", "sheet", "house_dk", "--format", "pdf"), ("referee", "house_dk")],
)
def test_output_that_finds_no_room_is_said(arguments: tuple[str, ...]) -> None:
    """One sentence and code 1, no traceback."""
    with Path("/dev/full").open("wb") as full:
        result = subprocess.run(
            [*LASTCARD, *arguments], check=False, stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert result.returncode == 1
    assert result.stderr == "Error: output cannot be written: No space left on device\n"


INTERRUPT = """
import os, signal, sys
when = sys.argv.pop(1)
class Finder:
    def find_spec(self, name, *_):
        if name == when:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
from lastcard_server.__main__ import main
main()
"""


@pytest.mark.parametrize(
    ("when", "command"),
    [
        ("click", "verify"),
        ("lastcard_server.commands.arena", "arena"),
        ("grpc", "arena"),
        ("google.protobuf", "keys"),
        ("lastcard", "bot"),
        ("structlog", "serve"),
        ("lastcard_server.app", "serve"),
    ],
)
def test_ctrl_c_while_a_command_starts_is_code_130(when: str, command: str, tmp_path: Path) -> None:
    """Nothing is printed, no traceback at all, whatever is being imported."""
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPT, when, command],
        check=False,
        capture_output=True,
        cwd=tmp_path,
        timeout=30,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


def test_a_job_in_the_background_does_not_hear_ctrl_c() -> None:
    """A shell lets its background jobs ignore it; that stays so."""
    command = [sys.executable, "-c", INTERRUPT, "click", "--help"]
    done = subprocess.run(
        ["/bin/sh", "-c", 'trap "" INT; exec "$@"', "sh", *command],
        check=False,
        capture_output=True,
        timeout=30,
    )
    assert (done.returncode, done.stderr) == (0, b"")


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
    with ServerProcess(tmp_path) as server:
        busy = run("serve", "--port", "0", "--state-dir", str(server.state))
        keys = run("keys", "--store", f"sqlite:{server.state / 'journal.sqlite'}", "list")
    nowhere = run("serve", "--port", "0", "--state-dir", str(tmp_path), "--store", "sqlite:/no/f")
    for done in (busy, nowhere):
        assert done.returncode == Exit.STORE
        assert done.stderr.startswith("lastcard serve: ")
        assert done.stderr.count("\n") == 1
    assert keys.returncode == 1
    assert keys.stderr.endswith("stop it first, or leave --store out to ask the server\n")


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
    "options",
    [
        ["--store", "redis:x"],
        ["--store", "postgresql://127.0.0.1:1/x?sslmode=verify-full&sslrootcert=/no/ca"],
        ["--tls-cert", "/no/a", "--tls-key", "/no/b"],
    ],
)
def test_configuration_that_cannot_be_is_code_2(tmp_path: Path, options: list[str]) -> None:
    """An unknown store or missing TLS files are refused when the server opens them."""
    done = run("serve", "--port", "0", "--state-dir", str(tmp_path), *options)
    assert done.returncode == Exit.USAGE
    assert done.stderr.count("\n") == 1
    assert issubclass(ConfigError, ValueError)


def commands(
    command: click.Command, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Yield every command and group of the command line with its words."""
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from commands(below, (*path, name))


EVERY = {" ".join(("lastcard", *path)): (path, command) for path, command in commands(main)}


@pytest.mark.parametrize("words", EVERY)
def test_help_is_no_error(words: str) -> None:
    """Whoever asks gets the help on standard output, and code 0, whatever else is missing."""
    result = CliRunner().invoke(main, [*EVERY[words][0], "--help"])
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("Usage: ")


def test_help_has_a_short_option() -> None:
    """It is that of every command; a process of its own shows it, as click keeps the first one."""
    done = run("serve", "-h")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == run("serve", "--help").stdout


@pytest.mark.parametrize("words", EVERY)
def test_wrong_usage_is_code_2_in_every_command(words: str) -> None:
    """An unknown option, words too many, a missing word: all are told on standard error."""
    path, command = EVERY[words]
    wrong = [["--no-such-option"], ["x"] * 9]
    needs_more = isinstance(command, click.Group) or any(
        parameter.required for parameter in command.params
    )
    wrong += [[]] if needs_more else []
    for arguments in wrong:
        result = CliRunner().invoke(main, [*path, *arguments])
        assert (result.exit_code, result.stdout) == (2, ""), arguments
        assert "Usage: " in result.stderr or "Error: " in result.stderr


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_says_what_exit_codes_mean(name: str) -> None:
    """A script that calls a command needs nothing else to tell what came of it."""
    text = EVERY[f"lastcard {name}"][1].help or ""
    assert re.search(r"\bexits\s+with\s+\d", text, re.IGNORECASE)


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


def test_a_bot_without_a_name_is_refused() -> None:
    """An empty name is no name."""
    result = CliRunner().invoke(main, ["bot", "random", "hall", "--name", ""])
    assert result.exit_code == 2
    assert "a name is 1 to 32 letters" in result.output


def test_a_host_with_control_characters_is_shown_escaped() -> None:
    """What a terminal would obey is written out."""
    result = CliRunner().invoke(main, ["serve", "--insecure", "--host", "a\x1b[2Jb"])
    assert result.exit_code == Exit.USAGE
    assert result.output.endswith("Error: 'a\\x1b[2Jb' is no address to listen on.\n")


@pytest.mark.parametrize(
    ("name", "said"),
    [("serv", " Did you mean 'serve'?"), ("journl", " Did you mean 'journal'?"), ("--x", "")],
)
def test_a_mistyped_command_is_told_the_one_that_was_meant(name: str, said: str) -> None:
    """Though no command is imported for it; what is near none is only refused."""
    result = CliRunner().invoke(main, [name])
    assert result.exit_code == 2
    assert re.search(
        rf"Error: No such (command|option):? '?{name}'?\.{re.escape(said)}$", result.output.strip()
    )
