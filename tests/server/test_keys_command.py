"""Does `lastcard keys` work where the keys are, and refuse with one sentence what it cannot do?"""

import json
import os
from pathlib import Path
from typing import Any

import grpc
import pytest
from click.testing import CliRunner, Result

from lastcard.v1 import rules_service_pb2
from lastcard.v1.rules_service_pb2_grpc import RulesServiceStub
from lastcard_server.cli import main
from tests.processes import ServerProcess
from tests.server.edge import metadata


def keys(*arguments: str, **environment: str) -> Result:
    """Run `lastcard keys` in this process."""
    clean = {name: None for name in os.environ if name.startswith("LASTCARD_")}
    return CliRunner().invoke(main, ["keys", *arguments], env={**clean, **environment})


def test_keys_are_managed_on_a_server_and_in_its_store(tmp_path: Path) -> None:
    """Created over the wire, listed and revoked in the file of the stopped server, as JSON too."""
    with ServerProcess(tmp_path) as server:
        store = f"sqlite:{server.state / 'journal.sqlite'}"
        there = ("--address", server.address, "--key-file", str(server.key_file))
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


@pytest.mark.parametrize(
    ("store", "said"),
    [
        ("mysql:", "no store is called 'mysql'"),
        ("mysql://anna:secret@host/keys", "no store is called 'mysql'"),
        ("sqlit:x", "no store is called 'sqlit'"),
        ("sqlite:", "sqlite: names no file"),
        ("postgresql://anna:secret@127.0.0.1:1/keys?sslmod=require", "did you mean sslmode?"),
    ],
)
def test_keys_of_an_unknown_kind_of_store_are_refused(store: str, said: str) -> None:
    """Wherever it is named, as `lastcard serve` refuses it: no server is asked in its place."""
    server = CliRunner().invoke(main, ["serve"], env={"LASTCARD_STORE": store})
    for refused in (keys("list", LASTCARD_STORE=store), keys("--store", store, "list")):
        assert refused.exit_code == server.exit_code == 2
        assert said in refused.output
        assert "secret" not in refused.output


def test_an_address_that_is_set_goes_before_a_store_that_is_set() -> None:
    """A server is asked then, not the database, which a store on the command line still names."""
    store = "postgresql://anna@127.0.0.1:1/keys?sslmod=require"
    both = {"LASTCARD_STORE": store, "LASTCARD_ADDRESS": "127.0.0.1:1", "LASTCARD_KEY": "lck_x"}
    asked = keys("list", **both)
    assert (asked.exit_code, "no lastcard server answers at" in asked.output) == (1, True)
    assert "did you mean sslmode?" in keys("--store", store, "list", **both).output


@pytest.mark.parametrize("store", ["memory", "sqlite:{}/journal"])
def test_of_a_store_that_one_server_uses_the_server_is_asked(tmp_path: Path, store: str) -> None:
    """LASTCARD_STORE may name it for `lastcard serve`; the keys are the running server's."""
    with ServerProcess(tmp_path) as server:
        secret = server.key_file.read_text().strip()
        there = {"LASTCARD_ADDRESS": server.address, "LASTCARD_KEY": secret}
        listed = keys("list", LASTCARD_STORE=store.format(tmp_path), **there)
    assert "organiser" in listed.output


def test_a_credential_can_be_made_beforehand(tmp_path: Path) -> None:
    """What `keys generate` prints is a key for --organiser-key, a different one each time."""
    first, second = keys("generate").output.strip(), keys("generate").output.strip()
    assert first != second
    named = tmp_path / "first.key"
    named.write_text(first)
    named.chmod(0o600)
    with (
        ServerProcess(tmp_path, "--store", "memory", "--organiser-key", str(named)) as server,
        grpc.insecure_channel(server.address) as channel,
    ):
        call: Any = RulesServiceStub(channel).ListPresets
        assert call(rules_service_pb2.ListPresetsRequest(), metadata=metadata(first)).presets


def test_a_file_without_a_key_is_named(tmp_path: Path) -> None:
    """`keys` says which file it could not use, in words."""
    path = tmp_path / "no.key"
    missing = CliRunner().invoke(main, ["keys", "--key-file", str(path), "list"])
    assert missing.output == f"Error: {path} cannot be read: no such file or directory\n"
    path.write_bytes(b"\xff")
    wrong = CliRunner().invoke(main, ["keys", "--key-file", str(path), "list"])
    assert (wrong.exit_code, wrong.output) == (1, f"Error: {path} holds no key\n")
