"""Does the benchmark say which bound is missed, and none where the figures lie within?"""

import math
from copy import deepcopy
from importlib.util import find_spec

import pytest

from loadtest.bench import BENCHMARKS, BOUNDS, Bound, missed

WITHIN = {
    "engine": {"ratio": 3.0},
    "server": {"ratio": 3.0, "kib_per_match": 32.0, "start_seconds": 1.5},
    "stores": {"sqlite_ratio": 1.5, "postgres_ratio": 2.0, "pods_gain": 1.5},
    "loading": {"memory_ms": 20.0, "sqlite_ms": 20.0, "postgres_ms": 20.0},
}
"""Every figure at the very end of what is allowed."""


def test_figures_at_the_ends_of_their_bounds_pass() -> None:
    """The ends belong to the bounds, and every bound has its figure."""
    assert missed(WITHIN) == []
    assert {(bound.benchmark, bound.figure) for bound in BOUNDS} == {
        (name, figure) for name, figures in WITHIN.items() for figure in figures
    }


@pytest.mark.parametrize("bound", BOUNDS, ids=lambda bound: f"{bound.benchmark}-{bound.figure}")
def test_a_figure_beyond_its_bound_is_named(bound: Bound) -> None:
    """Just below or above, the sentence names benchmark, figure, value and what it should be."""
    figures = deepcopy(WITHIN)
    beyond = bound.high + 0.01 if math.isfinite(bound.high) else bound.low - 0.01
    figures[bound.benchmark][bound.figure] = beyond
    sentence = f"{bound.benchmark} {bound.figure} is {beyond:.2f}: it should be {bound.words}"
    assert missed(figures) == [sentence]


def test_whatever_has_a_bound_is_measured() -> None:
    """Each benchmark that a bound names is run, and is there to be run."""
    assert {bound.benchmark for bound in BOUNDS} == set(BENCHMARKS)
    assert all(find_spec(module) for module in BENCHMARKS.values())


def test_a_figure_that_is_no_number_misses_its_bound() -> None:
    """What could not be measured does not pass."""
    figures = deepcopy(WITHIN)
    figures["server"]["ratio"] = math.nan
    del figures["stores"]["postgres_ratio"]
    assert len(missed(figures)) == 2
