"""
Does a file say what does not belong in it? Registry hosts, machine paths, vague names.

Patterns are spelt so that this file does not match itself.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from tools.files import is_generated, own

FORBIDDEN = {
    "a registry host": re.compile(
        r"(?:pypi|pythonhosted|npmjs|yarnpkg|crates|debian)\.(?:org|io|com)\b"
        r"|(?:proxy|sum)\.golang\b|maven\.(?:org|apache)\b|repo[12]?\.maven\b"
    ),
    "a path of one machine": re.compile(
        r"(?<![\w.~$}-])/(?:work|root|opt/wheels)\b(?!-)|[.]pyenv\b"
    ),
    "a word about how it was made": re.compile(
        r"\b(?:(?:this|next|previous|earlier|later) session|issue #?\d|as an[ ]AI|language[ ]model"
        r"|co-authored[-]by|(?:the|this) brief\b|coding[ ]agent|[c]laude\b|ch[a]tgpt)",
        re.IGNORECASE,
    ),
    "a document that is not here": re.compile(
        r"\u00a7|(?<![\w-])(?:cases|design|matrix)[.]md\b|\bdesign \d"
    ),
}
VAGUE = {"data", "handler", "helper", "helpers", "info", "manager", "util", "utils"}
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def texts(path: Path) -> Iterator[str]:
    """Yield one sentence for each line of the file that names what is forbidden."""
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), start=1):
        for what, pattern in FORBIDDEN.items():
            if found := pattern.search(line):
                yield f"{path}:{number}: {what}: {found[0].strip()}"


def is_vague(name: str) -> bool:
    """Tell whether a name of ours holds a word that says nothing, or begins with `process`."""
    words = _words(name)
    return not VAGUE.isdisjoint(words) or words[:1] == ["process"]


def _words(name: str) -> list[str]:
    return [word.lower() for word in WORD.findall(name)]


def vague_names(path: Path) -> Iterator[str]:
    """Yield one sentence for each module, class, function, attribute whose name says nothing."""
    if is_vague(path.stem):
        yield f"{path}: a module name that says nothing"
    for node in ast.walk(ast.parse(path.read_text())):
        match node:
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef() if is_vague(node.name):
                yield f"{path}:{node.lineno}: a name that says nothing: {node.name}"
            case ast.Attribute(attr=name, ctx=ast.Store()) if not VAGUE.isdisjoint(_words(name)):
                yield f"{path}:{node.lineno}: an attribute's name that says nothing: {name}"


def findings(path: Path) -> Iterator[str]:
    """Yield every finding in a file; bytes that are no text are not looked into."""
    if b"\0" in path.read_bytes():
        return
    yield from texts(path)
    if path.suffix == ".py":
        yield from vague_names(path)


if __name__ == "__main__":
    chosen = [path for path in own(*sys.argv[1:]) if not is_generated(path)]
    sys.exit("\n".join(finding for path in chosen for finding in findings(path)) or 0)
