"""Which build of lastcard is measured, plain Python or the compiled one?"""

from importlib.util import find_spec
from pathlib import Path


def build() -> str:
    """Return `compiled` or `plain`, for this process and those it starts."""
    spec = find_spec("lastcard_engine.transition")
    if spec is None or spec.origin is None:
        raise SystemExit("loadtest: lastcard is not installed here")
    return "plain" if Path(spec.origin).suffix == ".py" else "compiled"
