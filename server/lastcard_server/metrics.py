"""How does Prometheus get at the counters? Over HTTP on a port of their own, from a thread."""

from collections.abc import Iterator
from contextlib import contextmanager

from prometheus_client import (
    CollectorRegistry,
    GCCollector,
    PlatformCollector,
    ProcessCollector,
    start_http_server,
)

from lastcard_server.config import join_address
from lastcard_server.ports import require_free
from lastcard_server.telemetry import Telemetry


@contextmanager
def metrics_served(telemetry: Telemetry, host: str, port: int) -> Iterator[str]:
    """
    Serve the counters while the context lasts; give the address.

    Raises:
        PortError: the port cannot be listened on.

    """
    require_free(host, port)
    registry = CollectorRegistry(auto_describe=False)
    registry.register(telemetry)
    ProcessCollector(registry=registry)
    PlatformCollector(registry=registry)
    GCCollector(registry=registry)
    server, thread = start_http_server(port, host, registry)
    try:
        yield join_address(host, server.server_port)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
