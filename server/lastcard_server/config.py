"""
How is a server set up, and may it start like that?

Everything the command line can say, checked in one place. It never opens a file or a port.
"""

import ipaddress
from dataclasses import dataclass, field
from pathlib import Path

from lastcard_engine.revisions import RUNS, Revisions


class ConfigError(ValueError):
    """A server may not start like this; the message is a sentence that says what is right."""


@dataclass(frozen=True, slots=True)
class Config:
    """
    The settings of one server.

    Raises:
        ConfigError: they do not fit together, or would put credentials on the wire in the clear.

    """

    host: str = "127.0.0.1"
    port: int = 50051
    """0 = any free port; ports of 0 are told once they are known."""
    store: str = field(default="", repr=False)  # it may hold a password
    """`memory`, `sqlite:FILE` or `postgresql://...`; empty = sqlite in the state directory."""
    unsafe_store: bool = False
    """Accept a database that may lose what it has acknowledged."""
    state_dir: Path = Path("var")
    """Where the journal, the server keys and the first organiser key lie unless named apart."""
    organiser_key: Path | None = None
    """A file with the first organiser key; None = on loopback a new one in the state directory."""
    server_keys: Path | None = None
    """A file with the server keys; None = one in the state directory, made for a new store."""
    tls_cert: Path | None = None
    tls_key: Path | None = None
    insecure: bool = False
    """Serve other machines without TLS."""
    metrics_port: int | None = None
    """None = no metrics are served."""
    health_port: int | None = None
    """None = health is served on the main port alone."""
    reflection: bool = False
    grace_seconds: float = 20.0
    """How long a stopping server lets calls finish."""
    live_matches_per_key: int = 2_000
    streams_per_key: int = 64
    keep_days: int = 0
    """How many days finished matches and contests are kept; 0 = for ever."""
    engine_revision: int = RUNS.new
    """Which revision of the engine new matches take; raised once no older release runs any more."""

    def __post_init__(self) -> None:
        if not self.host.isprintable() or " " in self.host:
            raise ConfigError(f"{self.host!r} is no address to listen on.")
        if not RUNS.runs(self.engine_revision):
            raise ConfigError(
                f"engine revision {self.engine_revision} is not run by this release; "
                f"--engine-revision must be {RUNS}."
            )
        if (self.tls_cert is None) != (self.tls_key is None):
            raise ConfigError("TLS needs both a certificate (--tls-cert) and a key (--tls-key).")
        if not (self.tls_cert or self.insecure or is_loopback(self.host)):
            raise ConfigError(
                f"{self.host} is not a loopback address: give --tls-cert and --tls-key, or allow "
                "credentials to travel unprotected with --insecure."
            )

    @property
    def store_url(self) -> str:
        """Return where the journal lies."""
        return self.store or f"sqlite:{self.state_dir / 'journal.sqlite'}"

    @property
    def keeps_store(self) -> bool:
        """Tell whether the journal is a file in the state directory."""
        kind, _, path = self.store_url.partition(":")
        return kind == "sqlite" and Path(path).parent.resolve() == self.state_dir.resolve()

    @property
    def revisions(self) -> Revisions:
        """Return which revisions of the engine are run, and which one new matches take."""
        return RUNS._replace(new=self.engine_revision)

    @property
    def address(self) -> str:
        """Return host and port as gRPC writes them."""
        return join_address(self.host, self.port)


def join_address(host: str, port: int) -> str:
    """Return `host:port`, an IPv6 address in brackets."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def is_loopback(host: str) -> bool:
    """Tell whether only this machine can reach `host`; any name but `localhost` counts as no."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


GRPC_OPTIONS: tuple[tuple[str, int], ...] = (
    ("grpc.so_reuseport", 0),  # else a forgotten server shares the port unnoticed
    ("grpc.max_concurrent_streams", 128),  # the defence against rapid resets
    ("grpc.max_receive_message_length", 64 << 10),
    ("grpc.max_send_message_length", 64 << 20),  # records of long matches
    ("grpc.max_metadata_size", 8 << 10),
    ("grpc.http2.bdp_probe", 0),  # else streams that are not read may hold megabytes each
    ("grpc.absolute_max_metadata_size", 16 << 10),
    ("grpc.server_handshake_timeout_ms", 10_000),
    ("grpc.keepalive_time_ms", 60_000),
    ("grpc.keepalive_timeout_ms", 20_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_ping_interval_without_data_ms", 20_000),
    ("grpc.http2.max_ping_strikes", 2),
    ("grpc.max_connection_idle_ms", 5 * 60_000),
    ("grpc.max_connection_age_ms", 30 * 60_000),
    ("grpc.max_connection_age_grace_ms", 60_000),
)
"""Limits of every connection, for all ports alike."""

STREAM_AGE_SECONDS = 25 * 60.0
"""Streams end themselves before the connection's age cuts them (with its spread of 10 %)."""
