"""
Are files and functions as small as we like them? Prints the measures, fails over a limit.

Files count all lines; functions the lines of their body after the docstring. Tests and code that
is not Python answer for the length of the file alone.
"""

import ast
import statistics
import sys
from pathlib import Path

from tools.files import is_generated, own

FILE_MAX, FILE_MEDIAN = 400, 150
FUNCTION_MAX, FUNCTION_MEDIAN, FUNCTION_P90 = 60, 6, 25
SUFFIXES = {".py", ".pyi", ".proto", ".ts", ".js", ".go", ".java", ".rs", ".sh", ".tpl"}


def body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Count the lines of a function's body without its docstring."""
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def functions(path: Path) -> list[tuple[int, str]]:
    """Return length and place of every function of a Python file."""
    nodes = ast.walk(ast.parse(path.read_text()))
    found = [n for n in nodes if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    return [(body_lines(node), f"{path}:{node.lineno} {node.name}") for node in found]


def measure(paths: list[Path]) -> list[str]:
    """Print the measures of the files; return one sentence for each limit that is passed."""
    lengths = {path: len(path.read_text().splitlines()) for path in paths}
    over = [f"{path}: {n} lines, limit {FILE_MAX}" for path, n in lengths.items() if n > FILE_MAX]
    source = [path for path in paths if path.suffix == ".py" and path.parts[0] != "tests"]
    sizes = sorted(size for path in source for size in functions(path))
    if not sizes:
        return over
    counts = [count for count, _ in sizes]
    p90 = counts[len(counts) * 9 // 10]
    median, file_median = statistics.median(counts), statistics.median(lengths[p] for p in source)
    print(f"files: {len(source)}, median {file_median:g}, max {max(lengths[p] for p in source)}")
    print(f"functions: {len(counts)}, median {median:g}, p90 {p90}, max {counts[-1]}")
    over += [f"{at}: {n} lines, limit {FUNCTION_MAX}" for n, at in sizes if n > FUNCTION_MAX]
    bars = (("file", file_median, FILE_MEDIAN), ("function", median, FUNCTION_MEDIAN))
    over += [f"{what} median {found:g}, limit {bar}" for what, found, bar in bars if found > bar]
    return [*over, f"function p90 {p90}, limit {FUNCTION_P90}"] if p90 > FUNCTION_P90 else over


if __name__ == "__main__":
    chosen = [p for p in own(*sys.argv[1:]) if p.suffix in SUFFIXES and not is_generated(p)]
    sys.exit("\n".join(measure(chosen)) or 0)
