"""How is the outcome of a run of the suite shown? As a table for people or one JSON object."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from tests.faults.outcome import Outcome

_FIGURES: Final = ("times", "acknowledged", "lost", "duplicated", "forks", "silent", "broken")


class Line(NamedTuple):
    """A scenario and what came of it."""

    name: str
    outcome: Outcome | None
    """None: it was skipped."""
    reason: str
    """Why it was skipped."""
    seconds: float


def is_good(lines: Iterable[Line]) -> bool:
    """Tell whether every scenario that ran is good, and any ran at all."""
    outcomes = [line.outcome for line in lines if line.outcome is not None]
    return bool(outcomes) and all(outcome.good for outcome in outcomes)


def table(lines: Sequence[Line]) -> str:
    """Return a table with a line for each scenario, notes below it."""
    width = max([len("fault"), *(len(_title(line)) for line in lines)])
    head = f"{'fault':{width}}" + "".join(f"{name:>{_wide(name)}}" for name in _FIGURES)
    rows = [f"{_title(line):{width}}{_figures(line)}" for line in lines]
    notes = [f"{_title(line)}: {_note(line)}" for line in lines if _note(line)]
    return "\n".join([f"{head}  {'':10}{'s':>6}", *rows, "", *notes])


def as_json(lines: Sequence[Line], seed: int) -> str:
    """Return everything as one JSON object."""
    return json.dumps({"seed": seed, "scenarios": list(map(_plain, lines))}, indent=2)


def _wide(name: str) -> int:
    return len(name) + 2


def _title(line: Line) -> str:
    return line.outcome.fault if line.outcome else line.name


def _figures(line: Line) -> str:
    """Return the figures of a line, right below the names of their columns."""
    if line.outcome is None:
        return f"{'':{sum(map(_wide, _FIGURES))}}  {'skipped':10}"
    figures = line.outcome._asdict()
    cells = "".join(f"{figures[name]:>{_wide(name)},}" for name in _FIGURES)
    return f"{cells}  {line.outcome.verdict:10}{line.seconds:>6.0f}"


def _note(line: Line) -> str:
    return line.outcome.note if line.outcome else f"skipped: {line.reason}"


def _plain(line: Line) -> Mapping[str, object]:
    """Return a line as plain values."""
    if line.outcome is None:
        return {"name": line.name, "skipped": line.reason}
    verdict = {"verdict": line.outcome.verdict, "seconds": round(line.seconds, 1)}
    return {"name": line.name, **line.outcome._asdict(), **verdict}
