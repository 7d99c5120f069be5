"""How does the server prove who it is? Certificate and key from files, checked before use."""

import ssl
from pathlib import Path

import grpc

from lastcard_server.config import Config, ConfigError


def credentials_of(config: Config) -> grpc.ServerCredentials | None:
    """
    Return what the main port serves TLS with; None = it serves without.

    Raises:
        ConfigError: the files cannot be read, are no certificate and key, or do not fit together.

    """
    if config.tls_cert is None or config.tls_key is None:
        return None
    cert, key = _read(config.tls_cert), _read(config.tls_key)
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(config.tls_cert, config.tls_key)
    except ssl.SSLError:
        raise ConfigError(
            f"{config.tls_cert} and {config.tls_key} are not a certificate and its key in PEM form."
        ) from None
    return grpc.ssl_server_credentials([(key, cert)])


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ConfigError(
            f"{path} cannot be read: {(error.strerror or str(error)).lower()}."
        ) from None
