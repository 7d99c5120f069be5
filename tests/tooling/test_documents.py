"""Do the documents keep their promises: verbs that exist, links that lead on, true transcripts?"""

import doctest
import re
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from lastcard_server.cli import main
from tools.files import own

VERBS = ["setup", "tools", "proto", "fmt", "lint", "test", "check"]
VERBS += ["oracle", "demo", "bench", "compiled", "load", "golden", "faults", "faults-long"]
DOCUMENTS = own("*.md")
LINK = re.compile(r"\]\((?!\w+:|#)([^)#\s]+)")


def test_make_alone_prints_the_verbs() -> None:
    """Each verb has one line that says what it does."""
    run = subprocess.run(
        ["make", "--no-print-directory"], check=True, capture_output=True, text=True
    )
    lines = dict(line.split(maxsplit=1) for line in run.stdout.splitlines())
    assert list(lines) == ["help", *VERBS]
    assert all(lines.values())


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_is_documented(verb: str) -> None:
    """CONTRIBUTING.md names every verb."""
    assert f"make {verb}" in Path("CONTRIBUTING.md").read_text()


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_links_lead_somewhere(document: Path) -> None:
    """A link to a file of the repository names one that exists."""
    targets = LINK.findall(document.read_text())
    assert [t for t in targets if not (document.parent / t).exists()] == []


def test_transcripts_are_true() -> None:
    """Every line of a transcript in a document prints what the document says, wrapped or not."""
    for document in DOCUMENTS:
        run = doctest.testfile(
            str(document.resolve()),
            module_relative=False,
            optionflags=doctest.NORMALIZE_WHITESPACE,
            encoding="utf-8",
        )
        assert run.failed == 0, document


def test_decisions_are_numbered_once() -> None:
    """No two decision records share a number, and each title carries its own."""
    numbers = [path.name[:4] for path in own("docs/decisions/*.md")]
    assert len(numbers) == len(set(numbers))
    for path in own("docs/decisions/*.md"):
        assert re.match(rf"# {int(path.name[:4])}\. ", path.read_text()), path


def test_what_the_several_servers_take_exists() -> None:
    """Every command of lastcard there has the options it is given, and every variable is read."""
    text = Path("docs/howto/run-several-servers.md").read_text().replace("\\\n", " ")
    commands = re.findall(r"^ +lastcard (.+)$", text, re.MULTILINE)
    assert [line.split()[0] for line in commands] == ["keys", "serve", "keys", "arena", "journal"]
    for line in [*commands, f"serve {' '.join(re.findall(r'`(--[^`]+)`', text))}"]:
        asked = [word for word in line.split() if re.fullmatch("[a-z]+", word)][:2]
        program = asked if asked[0] in {"keys", "journal"} else asked[:1]
        shown = CliRunner().invoke(main, [*program, "--help"])
        assert shown.exit_code == 0, line
        for option in re.findall(r"--[a-z-]+", line):
            assert f"{option} " in shown.output, line
    for name in set(re.findall(r"LASTCARD_\w+", text)):
        sources = (*own("server/*.py"), *own("clients/python/*.py"))
        assert any(name in path.read_text() for path in sources), name
