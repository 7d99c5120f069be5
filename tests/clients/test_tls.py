"""Does the SDK encrypt where it should, and believe only whom it may believe?"""

import shutil
import subprocess
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import grpc
import pytest

import lastcard
from lastcard import connection as module
from lastcard.connection import connection
from lastcard.player import Player
from lastcard.v1 import play_service_pb2 as play_pb2
from tests.clients.fake_server import FakePlay, over, serving


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, grpc.ServerCredentials]:
    """Make a certificate for localhost that is its own authority."""
    if shutil.which("openssl") is None:
        pytest.skip("needs openssl to make a certificate")
    cert, key = tmp_path / "tls.crt", tmp_path / "tls.key"
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
    command += ["-nodes", "-days", "1", "-subj", "/CN=localhost", "-addext"]
    command += ["subjectAltName=DNS:localhost", "-out", str(cert), "-keyout", str(key)]
    subprocess.run(command, check=True, capture_output=True)
    pair = (key.read_bytes(), cert.read_bytes())
    return cert, grpc.ssl_server_credentials([pair])


def finish(requests: Iterator[play_pb2.PlayRequest], _: Any) -> Iterator[play_pb2.PlayResponse]:
    """Serve a stream that tells the match is over."""
    next(requests)
    yield play_pb2.PlayResponse(matches_over=[over()])


def choose(_: lastcard.Turn) -> int:
    """Choose the first action."""
    return 0


def test_authority_of_ones_own_is_believed(
    certificate: tuple[Path, grpc.ServerCredentials], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With https:// and LASTCARD_CA the SDK plays over TLS."""
    cert, credentials = certificate
    monkeypatch.setenv("LASTCARD_CA", str(cert))
    with serving(FakePlay(finish), credentials) as served:
        port = served.target.rpartition(":")[2]
        player = Player(choose, connection(f"https://localhost:{port}", "k"))
        assert len(list(islice(player.matches(), 1))) == 1


def test_certificate_is_for_the_service_and_not_for_its_addresses(
    certificate: tuple[Path, grpc.ServerCredentials], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Servers dialled by number show the certificate of the name they were found by."""
    cert, credentials = certificate
    monkeypatch.setenv("LASTCARD_CA", str(cert))
    with serving(FakePlay(finish), credentials) as served:
        port = served.target.rpartition(":")[2]
        found = [f"127.0.0.1:{port}"]
        monkeypatch.setattr(module, "addresses", lambda _: found)
        player = Player(choose, connection(f"https://localhost:{port}", "k"))
        assert len(list(islice(player.matches(), 1))) == 1
        player = Player(choose, connection(f"https://cards.example:{port}", "k"), patience=0.2)
        with pytest.raises(lastcard.Error, match=rf"at cards\.example:{port} \(127\.0\.0\.1"):
            next(player.matches())


def test_unknown_authority_is_not_believed(
    certificate: tuple[Path, grpc.ServerCredentials], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A certificate that nobody vouches for gets no key and ends the play at once."""
    monkeypatch.delenv("LASTCARD_CA", raising=False)
    play = FakePlay(finish)
    with serving(play, certificate[1]) as served:
        assert refusal_of(served.target).endswith("http:// a server without TLS")
    assert play.keys == []


def test_plaintext_server_is_not_believed() -> None:
    """Where TLS is asked for, a server without it gets no key."""
    play = FakePlay(finish)
    with serving(play) as served:
        assert "is not trusted: LASTCARD_CA names" in refusal_of(served.target)
    assert play.keys == []


def refusal_of(target: str) -> str:
    """Play over TLS with a server that is not trusted and return the sentence it ends with."""
    port = target.rpartition(":")[2]
    player = Player(choose, connection(f"https://localhost:{port}", "k"), patience=30)
    with pytest.raises(lastcard.BadSetting) as refusal:
        next(player.matches())
    return str(refusal.value)
