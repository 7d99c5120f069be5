"""Do the examples in the engine's docstrings come out as written, and does its benchmark run?"""

import doctest
import importlib
import pkgutil

import pytest

import lastcard_engine
from loadtest.bench_engine import run_engine
from loadtest.build import build

MODULES = [module.name for module in pkgutil.iter_modules(lastcard_engine.__path__)]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    """Each example is executed."""
    result = doctest.testmod(importlib.import_module(f"lastcard_engine.{name}"))
    assert result.failed == 0


@pytest.mark.skipif(build() == "compiled", reason="compiled functions show no examples")
def test_there_are_examples() -> None:
    """So that the test above tests something."""
    tried = [
        doctest.testmod(importlib.import_module(f"lastcard_engine.{name}")) for name in MODULES
    ]
    assert sum(result.attempted for result in tried) >= 3


def test_the_benchmark_plays() -> None:
    """It makes decisions and counts them."""
    rate = run_engine(0.02)
    assert 0 < rate.decisions < rate.turns
    assert rate.per_second > 0
