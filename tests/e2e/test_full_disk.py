"""Does a server on a disk that is really full refuse, stay up, and go on when there is room?"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

import lastcard
from lastcard.bots import HOUSE
from lastcard.v1.match_service_pb2 import MatchState
from tests.e2e.arena import eventually
from tests.e2e.test_bots import new_key, reserved
from tests.processes import ServerProcess

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or os.geteuid() != 0 or not shutil.which("unshare"),
    reason="mounting a small disk of its own takes Linux and root",
)
MATCHES = 5


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    """Run a server whose journal lies on a disk of 1 MiB that no other process sees."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounting = f'mount -t tmpfs -o size=1m none {disk} && exec "$@"'
    within = ("unshare", "--mount", "sh", "-c", mounting, "sh")
    with ServerProcess(tmp_path, f"--store=sqlite:{disk}/journal", within=within) as running:
        yield running


def enlarge(server: ServerProcess) -> None:
    """Let the disk have room."""
    command = ["nsenter", f"--target={server.pid}", "--mount"]
    subprocess.run(
        [*command, "mount", "-o", "remount,size=64m", server.folder / "disk"], check=True
    )


def is_ready(server: ServerProcess) -> bool:
    """Ask the server whether it is ready."""
    with grpc.insecure_channel(server.address) as channel:
        check = health_pb2_grpc.HealthStub(channel).Check
        status = check(health_pb2.HealthCheckRequest(), timeout=10).status
    return bool(status == health_pb2.HealthCheckResponse.SERVING)


def greedy(turn: lastcard.Turn) -> int:
    """Play as the greedy bot of the house."""
    return HOUSE["greedy"](turn.message)


def test_a_full_disk_stops_nothing_for_good(
    server: ServerProcess, caplog: pytest.LogCaptureFixture
) -> None:
    """Answers are refused, health says so; with room again every match is played to its end."""
    with server.client() as client:
        assert is_ready(server)
        keys = [new_key(client) for _ in range(2)]
        players = [lastcard.Player(greedy, client.connection._replace(key=key)) for key, _ in keys]
        seats = reserved(*(key_id for _, key_id in keys))
        with ThreadPoolExecutor() as pool:
            playing = [pool.submit(list, player.matches()) for player in players]
            ids = [
                client.create(f"m{n}", rules="official_se", seats=seats).match_id
                for n in range(MATCHES)
            ]
            try:
                eventually(lambda: not is_ready(server))
                eventually(lambda: "the store cannot be written now" in caplog.text)
                assert client.get(ids[0]).version > 0, "reads go on"
                enlarge(server)
                eventually(lambda: is_ready(server))
                for match_id in ids:
                    for _ in client.watch_match(match_id):
                        pass
            finally:
                for player in players:
                    player.stop()
            states = {client.get(match_id).state for match_id in ids}
            for played in playing:
                played.result(timeout=30)
    assert states == {MatchState.MATCH_STATE_FINISHED}
