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
    """Return a table with a line for each scenario, what each is below it, and notes."""
    head = ("fault", *_FIGURES, "promise", "", "s")
    rows = [head, *((line.name, *_cells(line)) for line in lines)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    notes = [f"{line.name}: {_said(line)}" for line in lines]
    return "\n".join([*(_row(row, widths) for row in rows), "", *notes])


def row(line: Line) -> str:
    """Return a line of its own for a scenario that has ended, with its note unless it is good."""
    outcome = line.outcome
    if outcome is None:
        return f"{line.name}: {_note(line)}"
    figures = outcome._asdict()
    counted = ", ".join(f"{figures[name]:,} {name}" for name in _FIGURES)
    note = "" if outcome.good else f"; {outcome.note}"
    return f"{line.name}: {outcome.verdict}, {counted}, {line.seconds:.0f} s{note}"


def as_json(lines: Sequence[Line], seed: int) -> str:
    """Return everything as one JSON object."""
    return json.dumps({"seed": seed, "scenarios": list(map(_plain, lines))}, indent=2)


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    """Return a row: texts to the left, figures to the right, two spaces between columns."""
    texts = {0, len(_FIGURES) + 1, len(_FIGURES) + 2}
    sides = ["<" if number in texts else ">" for number in range(len(cells))]
    return "  ".join(map(_cell, cells, sides, widths)).rstrip()


def _cell(text: str, side: str, width: int) -> str:
    return f"{text:{side}{width}}"


def _said(line: Line) -> str:
    """Return what was done, and the note."""
    if line.outcome is None:
        return _note(line)
    return "; ".join(filter(None, (line.outcome.fault, line.outcome.note)))


def _cells(line: Line) -> list[str]:
    """Return the figures of a line, its verdict and how long it took."""
    if line.outcome is None:
        return [*("" for _ in _FIGURES), "", "skipped", ""]
    figures = line.outcome._asdict()
    cells = [f"{figures[name]:,}" for name in _FIGURES]
    return [*cells, line.outcome.promise, line.outcome.verdict, f"{line.seconds:.0f}"]


def _note(line: Line) -> str:
    return line.outcome.note if line.outcome else f"skipped: {line.reason}"


def _plain(line: Line) -> Mapping[str, object]:
    """Return a line as plain values."""
    if line.outcome is None:
        return {"name": line.name, "skipped": line.reason}
    verdict = {"verdict": line.outcome.verdict, "seconds": round(line.seconds, 1)}
    return {"name": line.name, **line.outcome._asdict(), **verdict}
