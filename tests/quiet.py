"""How do tests that serve in their own process keep its log out of their output?"""

import structlog


def quiet() -> None:
    """Let what a server logs go nowhere; to draw it for a terminal would cost more than a call."""
    structlog.configure(
        processors=[structlog.processors.JSONRenderer()],
        logger_factory=structlog.ReturnLoggerFactory(),
        cache_logger_on_first_use=False,
    )
