"""Does the size check count what it says it counts, and object over each limit?"""

from pathlib import Path

import pytest

from tools import sizes


def python_file(folder: Path, bodies: list[int], name: str = "module.py") -> Path:
    """Write a file with one function for each number of body lines."""
    functions = [f"def f{n}():\n" + "    pass\n" * count for n, count in enumerate(bodies)]
    path = folder / name
    path.write_text("".join(functions))
    return path


def test_the_docstring_is_not_the_body(tmp_path: Path) -> None:
    """A function's length is its body from the first statement after the docstring."""
    path = tmp_path / "documented.py"
    path.write_text(
        'def f():\n    """\n    Say.\n\n    More.\n    """\n    a = 1\n\n    return a\n'
    )
    assert sizes.functions(path) == [(3, f"{path}:1 f")]


@pytest.mark.parametrize(
    ("bodies", "objection"),
    [
        ([1, 2, 60], ""),
        ([1, 2, 61], "61 lines, limit 60"),
        ([6, 6, 7], ""),
        ([7, 7, 1], "function median 7, limit 6"),
        ([1] * 17 + [26] * 3, "function p90 26, limit 25"),
        ([1] * 18 + [26] * 2, "function p90 26, limit 25"),
        ([1] * 19 + [26], ""),
    ],
)
def test_function_limits(tmp_path: Path, bodies: list[int], objection: str) -> None:
    """The longest, the median and the ninth decile of function bodies have limits."""
    found = "\n".join(sizes.measure([python_file(tmp_path, bodies)]))
    assert objection in found
    assert objection or len(bodies) == 3 or not found


def test_file_limits(tmp_path: Path) -> None:
    """A file of 400 lines is the longest allowed, and half of the files have 150 at most."""
    long = tmp_path / "long.py"
    long.write_text("def f():\n    pass\n" + "x = 1\n" * 398)
    assert sizes.measure([long]) == ["file median 400, limit 150"]
    long.write_text(long.read_text() + "x = 1\n")
    assert f"{long}: 401 lines, limit 400" in sizes.measure([long])


def test_other_languages_answer_for_their_length(tmp_path: Path) -> None:
    """A long file of another language is named as well."""
    contract = tmp_path / "long.proto"
    contract.write_text("//\n" * 401)
    assert sizes.measure([contract]) == [f"{contract}: 401 lines, limit 400"]


def test_a_test_answers_for_its_length_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Functions of tests may be long; their files may not."""
    monkeypatch.chdir(tmp_path)
    Path("tests").mkdir()
    path = python_file(Path("tests"), [70])
    assert sizes.measure([path]) == []
