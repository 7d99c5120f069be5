"""
How does a sheet speak a language?

Every sentence is a message of `messages/LANGUAGE.toml`, by its dotted key; placeholders in braces
are filled in. All languages have the same keys and the same placeholders.
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, Final

LANGUAGES: Final = ("sv", "nb", "da", "en")
"""Swedish, Norwegian bokmål, Danish, English."""


class Words:
    """The messages of one language."""

    def __init__(self, language: str, messages: Mapping[str, str]) -> None:
        self.language = language
        self.messages = messages

    def say(self, key: str, **values: object) -> str:
        """Return a message with its placeholders filled."""
        return self.messages[key].format_map(values)

    def counted(self, key: str, n: int, **values: object) -> str:
        """Return the message for one or for several, with `n` filled in."""
        return self.say(f"{key}.{'one' if n == 1 else 'other'}", n=n, **values)

    def listed(self, items: Sequence[str]) -> str:
        """Return items as a sentence lists them; the items must not be empty."""
        *first, last = items
        return self.say("list.and", first=", ".join(first), last=last) if first else last


@cache
def words(language: str) -> Words:
    """Return the words of one of LANGUAGES."""
    file = resources.files(__package__) / "messages" / f"{language}.toml"
    return Words(language, dict(_flat(tomllib.loads(file.read_text(encoding="utf-8")))))


def _flat(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for name, value in table.items():
        if isinstance(value, str):
            yield prefix + name, value
        else:
            yield from _flat(value, f"{prefix}{name}.")
