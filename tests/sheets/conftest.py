"""What tests of `lastcard rules` share."""

import pytest


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make standard input and output look like a terminal."""
    stream = "click.testing._NamedTextIOWrapper"
    monkeypatch.setattr(f"{stream}.isatty", lambda _self: True, raising=False)
