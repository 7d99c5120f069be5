"""Does a scenario learn of its servers what they have really made?"""

from pathlib import Path

import pytest

from tests.faults.servers import Nursery, Server


def test_keys_that_a_server_has_not_made_are_not_made_instead(tmp_path: Path) -> None:
    """They would open no history, so that every run would find nothing wrong."""
    with Nursery() as nursery:
        server = Server(nursery, tmp_path)
        with pytest.raises(AssertionError, match=r"no .*server\.keys"):
            _ = server.keys
    assert list(tmp_path.iterdir()) == []
