"""
The standard health service: may this server be sent calls, and is it alive at all?

The name "" and those of the services stand for readiness, "liveness" for the process itself: a
server that drains, cannot write or cannot follow the keys is alive, and restarting it would not
help.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable
from typing import Final

from grpc_health.v1 import health_pb2 as pb

from lastcard_server.errors import Reason, Refusal
from lastcard_server.keys import Caller

LIVENESS: Final = "liveness"
_SERVING: Final = pb.HealthCheckResponse.SERVING
_NOT_SERVING: Final = pb.HealthCheckResponse.NOT_SERVING
_UNKNOWN: Final = pb.HealthCheckResponse.SERVICE_UNKNOWN


class HealthServicer:
    """Serves grpc.health.v1.Health."""

    def __init__(self, services: Iterable[str]) -> None:
        self._names = frozenset(("", *services))
        self._ready = False
        self._writable = True
        self._follows = True
        self._changed = asyncio.Event()

    def set_ready(self, *, ready: bool) -> None:
        """Say whether calls are welcome; whoever watches hears of it."""
        self._ready = ready
        self._tell()

    def set_writable(self, writable: bool) -> None:  # noqa: FBT001 - all that a journal tells
        """Say whether the store can be written: without it no calls are welcome either."""
        self._writable = writable
        self._tell()

    def set_following(self, follows: bool) -> None:  # noqa: FBT001 - all that a follower tells
        """Say whether keys are followed: without that who was shut out might be let in."""
        self._follows = follows
        self._tell()

    def _tell(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    async def Check(
        self, request: pb.HealthCheckRequest, _caller: Caller | None
    ) -> pb.HealthCheckResponse:
        """Return the present status."""
        status = self._status(request.service)
        if status == _UNKNOWN:
            raise Refusal(Reason.NOT_FOUND, "There is no such service here.")
        return pb.HealthCheckResponse(status=status)

    async def Watch(
        self, request: pb.HealthCheckRequest, _caller: Caller | None
    ) -> AsyncIterator[pb.HealthCheckResponse]:
        """Stream the status: the present one, then each other one."""
        while True:
            changed, status = self._changed, self._status(request.service)
            yield pb.HealthCheckResponse(status=status)
            while self._status(request.service) == status:
                await changed.wait()
                changed = self._changed

    def _status(self, service: str) -> pb.HealthCheckResponse.ServingStatus:
        if service == LIVENESS:
            return _SERVING
        if service not in self._names:
            return _UNKNOWN
        welcome = self._ready and self._writable and self._follows
        return _SERVING if welcome else _NOT_SERVING
