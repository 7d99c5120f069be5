"""Does the word check find what does not belong, and leave alone what does?"""

from pathlib import Path

import pytest

from tools import words

FORBIDDEN = [
    "see https://" + "py" + "pi.org/project/x",
    "registry." + "npm" + "js.org",
    "proxy." + "golang.org",
    "cd /" + "work/main",
    "'/" + "root/.cache'",
    "as in the next" + " session",
    "fixes issue" + " #7",
    "as in \N{SECTION SIGN}1.4",
    "see " + "matrix" + ".md",
]
ALLOWED = [
    "google.golang.org/grpc v1.85.0",
    "docker.io, from Debian",
    "WORKDIR /app/work",
    "./work/x and ~/root/y",
    "a TLS session may be resumed",
    "the network issues a warning",
    "docs/explanation/field-cases.md",
]


@pytest.mark.parametrize("line", FORBIDDEN)
def test_what_does_not_belong_is_found(tmp_path: Path, line: str) -> None:
    """A registry's host, a path of one machine, a word about the making: each is named."""
    path = tmp_path / "notes.md"
    path.write_text(f"fine\n{line}\n")
    (finding,) = words.findings(path)
    assert finding.startswith(f"{path}:2: a ")


@pytest.mark.parametrize("line", ALLOWED)
def test_what_belongs_is_left_alone(tmp_path: Path, line: str) -> None:
    """Words that only look alike are no findings."""
    path = tmp_path / "notes.md"
    path.write_text(f"{line}\n")
    assert list(words.findings(path)) == []


@pytest.mark.parametrize(
    ("name", "vague"),
    [
        ("GameManager", True),
        ("card_utils", True),
        ("process_turn", True),
        ("ViewData", True),
        ("server_process", False),
        ("metadata", False),
        ("Database", False),
        ("information", False),
    ],
)
def test_names_that_say_nothing(name: str, vague: bool) -> None:  # noqa: FBT001 - a column
    """Whole words of a name count, not letters inside one."""
    assert words.is_vague(name) is vague


def test_names_in_code_are_found(tmp_path: Path) -> None:
    """Modules, classes, functions and attributes are looked at; bytes that are no text are not."""
    path = tmp_path / "helpers.py"
    path.write_text(
        "class TurnHandler:\n    async def process(self) -> None:\n        self.data = self.info\n"
    )
    assert [finding.rsplit(":", 1)[-1].strip() for finding in words.findings(path)] == [
        "a module name that says nothing",
        "TurnHandler",
        "process",
        "data",
    ]
    binary = tmp_path / "image.bin"
    binary.write_bytes(b"/" + b"work/\0")
    assert list(words.findings(binary)) == []
