"""Does a watch of the Python SDK go on at another server when its own is killed or drained?"""

import asyncio
import threading
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import lastcard
from lastcard.v1 import match_service_pb2 as match_pb2
from lastcard.v1 import turn_pb2
from tests.e2e.arena import eventually, free_port
from tests.e2e.test_bots import new_key, reserved
from tests.postgres import running_server
from tests.processes import ServerProcess

LONG = {"target_points": "5000"}
SLOW = match_pb2.MatchSettings(
    start_limit_duration=timedelta(milliseconds=300),
    move_limit_duration=timedelta(milliseconds=300),
    max_rounds=1_000,
)
"""A seat that answers nothing makes it last for many minutes, and tells something every moment."""
HOUSE = match_pb2.SeatSpec(house_bot=match_pb2.HouseBot(strategy="random"))
MOVE_SECONDS = 30.0
"""Within which a watch tells what the other server has; a second or two where little else runs."""


class Watch:
    """A match that a thread watches."""

    def __init__(self, client: lastcard.Client, match_id: str) -> None:
        self.heard: list[turn_pb2.Update] = []
        self.error: lastcard.Error | None = None
        self._updates = client.watch_match(match_id)
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self) -> None:
        try:
            for update in self._updates:
                self.heard += [update]
        except lastcard.Error as error:
            self.error = error

    @property
    def views(self) -> int:
        """How many full views were told: one for each stream."""
        return sum(not update.after for update in self.heard)

    def goes_on(self, views: int) -> None:
        """Wait until that many streams were opened, and the last has told what came then."""

        def tells() -> bool:
            assert self.error is None, self.error
            return self.views == views and bool(self.heard[-1].after)

        eventually(tells, MOVE_SECONDS)


def test_a_watch_moves_when_its_server_is_killed_and_when_it_is_drained(
    tmp_path: Path,
) -> None:
    """It begins anew with a full view; what follows is a chain, goes never back, to the end."""
    database = asyncio.run(running_server().database(str(tmp_path)))
    store = f"--store={database}", "--unsafe-store"
    one, two = (ServerProcess(tmp_path, *store) for _ in range(2))
    two.address = f"127.0.0.1:{free_port()}"
    with one:
        addresses = f"{one.address},{two.address}"
        with lastcard.Client(addresses, one.key, patience=MOVE_SECONDS) as client:
            seats = [HOUSE, *reserved(new_key(client)[1])]
            made = client.create(
                "watched", rules="official_se", overrides=LONG, seats=seats, settings=SLOW
            )
            watch = Watch(client, made.match_id)
            watch.goes_on(1)
            with two:
                one.kill()
                watch.goes_on(2)
                one.start()
                code, _, _ = two.stop()
                assert code == 0
                watch.goes_on(3)
            cancel = match_pb2.CancelMatchRequest(match_id=made.match_id)
            over = client.call(client.matches.CancelMatch, cancel).match
            watch.thread.join(MOVE_SECONDS)
            assert not watch.thread.is_alive()
            assert watch.error is None
    links = list(pairwise(watch.heard))
    assert all(later.after in (0, sooner.version) for sooner, later in links)
    assert all(later.version >= sooner.version for sooner, later in links)
    assert watch.heard[-1].version == over.version
