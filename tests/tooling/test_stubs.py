"""Is a stub that does not fit the contract found?"""

from pathlib import Path

import pytest

from tools import stubs

CARD = 'syntax = "proto3";\npackage lastcard.v1;\nmessage Card { int32 kind = 1; }\n'


@pytest.fixture
def contract(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A tree with a contract of one message and fresh stubs; returns the proto file."""
    monkeypatch.chdir(tmp_path)
    path = stubs.PROTO / stubs.PACKAGE / "card.proto"
    path.parent.mkdir(parents=True)
    path.write_text(CARD)
    stubs.write()
    return path


def test_fresh_stubs_are_clean(contract: Path) -> None:
    """What was just written is not stale, and it types messages and services."""
    assert stubs.stale() == []
    suffixes = {name.removeprefix("card_pb2") for name in stubs.names(stubs.PYTHON)}
    assert suffixes == {"__init__.py", ".py", ".pyi", "_grpc.py", "_grpc.pyi"}


def test_a_changed_contract_makes_stubs_stale(contract: Path) -> None:
    """Adding a field is noticed in the files that hold messages."""
    contract.write_text(CARD.replace("}", "int32 count = 2; }"))
    assert [line.rsplit("/", 1)[-1] for line in stubs.stale()] == [
        "card_pb2.py is stale",
        "card_pb2.pyi is stale",
    ]


def test_missing_and_orphaned_stubs_are_named(contract: Path) -> None:
    """A renamed proto file leaves the old stubs behind; both are said, and writing mends it."""
    contract.rename(contract.with_name("view.proto"))
    sentences = stubs.stale()
    assert any("view_pb2.py is missing" in sentence for sentence in sentences)
    assert any("card_pb2.py has no proto file" in sentence for sentence in sentences)
    stubs.write()
    assert stubs.stale() == []


def test_a_contract_that_does_not_parse_is_refused(contract: Path) -> None:
    """The compiler's own sentence is shown, without a traceback."""
    contract.write_text(CARD.replace("int32", "int33"))
    with pytest.raises(SystemExit, match='"int33" is not defined'):
        stubs.stale()
