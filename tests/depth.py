"""How much do tests play? Enough by default, all there is where LASTCARD_SEARCH is `deep`."""

import os
from typing import Final, TypeVar

_T = TypeVar("_T")

IS_DEEP: Final = os.environ.get("LASTCARD_SEARCH") == "deep"


def few_or_all(few: _T, every: _T) -> _T:
    """Return what suffices in each run, or all that a deep search plays."""
    return every if IS_DEEP else few
