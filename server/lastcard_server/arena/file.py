"""
What does a contest file say?

A contest file is TOML: what is played, and by whom. Nothing is guessed: an unknown key, a wrong
type, a doubled name or a command that does not exist is refused with one sentence. Whether the
server plays such rules is for the server to say; the file must never know the contract's messages.
"""

import shlex
import shutil
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from lastcard_engine.names import WANTED
from lastcard_engine.options import shortened
from lastcard_engine.rules import Rules
from lastcard_engine.teams import PAIRED_SEATS
from lastcard_server.keys import KeyNameError, normal_name

ROUND_ROBIN = "round_robin"
NUMBERS = ("seats", "blocks", "concurrency", "restart_pause_ms")
SETTINGS_TEXT = ("reactions", "absence_policy")
_MOST = {"action_cap": 100_000, "max_rounds": 1_000}
SETTINGS_NUMBER = tuple(_MOST)
SETTINGS_MS = (
    "start_limit_ms",
    "move_limit_ms",
    "bank_ms",
    "increment_ms",
    "network_margin_ms",
    "reaction_ms",
    "reaction_limit_ms",
    "reaction_hold_ms",
)


_Read = TypeVar("_Read")
_USUAL = Rules()
LARGEST = 2**31 - 1
"""The largest number a setting or an override may be."""
LARGEST_FILE = 64 * 1024
"""Bytes of a file; it holds hundreds of bots."""
LONGEST_LINE = 8_000
"""Characters of a line; a custom rule with all that it may hold fits."""


class ContestFileError(ValueError):
    """A contest file that cannot be played; the message is one sentence with the file's name."""


@dataclass(frozen=True)
class Bot:
    """One entrant: a command that is run, or a strategy of the house. Exactly one is set."""

    name: str
    command: tuple[str, ...] = ()
    """Program and arguments; the program is a path that exists."""
    house: str = ""


@dataclass(frozen=True)
class ContestFile:
    """A contest as its file describes it."""

    path: Path
    name: str
    preset: str
    overrides: Mapping[str, str]
    """Options by name, values in text."""
    settings: Mapping[str, str | int]
    """Settings by name; those not named take the server's default."""
    bots: tuple[Bot, ...]
    seats: int
    blocks: int
    concurrency: int
    """Most games at once; 0 = the server's default."""
    restart_pause_ms: int
    """The pause before a command that ended is first started again; it doubles each time."""
    custom_rules: tuple[Mapping[str, Any], ...] = ()
    """What is written on custom wilds, fields as in the file; types are right, no more is known."""
    schedule: str = ROUND_ROBIN
    """How tables are formed; which names there are, the contract says."""
    duplicate_deals: bool = False
    """In a tournament, whether the deals of a round at a table have the same cards."""

    @property
    def folder(self) -> Path:
        """The folder the file lies in, where bots run."""
        return self.path.resolve().parent


@dataclass(frozen=True)
class RulesFile:
    """The rules of a file, be it one of rules alone or a whole contest file."""

    name: str
    """What the table or contest is called; empty if the file gives no name."""
    preset: str
    overrides: Mapping[str, str]
    """Options by name, values in text."""
    custom_rules: tuple[Mapping[str, Any], ...]
    """What is written on custom wilds, fields as in the file; types are right, no more is known."""


def search_path(environment: Mapping[str, str]) -> str:
    """Return the PATH of bots: this installation's programs, then those of the environment."""
    return f"{Path(sys.executable).parent}:{environment.get('PATH', '')}"


def load(path: Path, path_variable: str) -> ContestFile:
    """
    Return the contest a file describes.

    Args:
        path: the file.
        path_variable: the PATH in which programs of bots are looked up; a relative program with a
            slash is looked up from the file's folder.

    Raises:
        ContestFileError: the file cannot be read or says something that cannot be played.

    """
    return _loaded(path, lambda table: _contest(path, table, _finder(path, path_variable)))


def load_rules(path: Path) -> RulesFile:
    """
    Return the rules a file describes: a preset, and overrides in a table of that name.

    A contest file will do as well; what it says besides of bots and settings is not looked at.

    Raises:
        ContestFileError: the file cannot be read or says something else.

    """
    return _loaded(path, _rules)


def _loaded(path: Path, read: Callable[[Mapping[str, Any]], _Read]) -> _Read:
    """Return what is read from a file's table; every complaint names the file."""
    try:
        return read(_parse(_text(path)))
    except OSError as error:
        raise ContestFileError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ContestFileError(f"{path}: is not TOML: {error}") from None
    except _Wrong as wrong:
        raise ContestFileError(f"{path}: {wrong}") from None


class _Wrong(ValueError):
    """One sentence on what is wrong, still without the file's name."""


def _text(path: Path) -> str:
    """Return what a file holds, if it is no longer than what people write (0123)."""
    with path.open("rb") as file:
        read = file.read(LARGEST_FILE + 1)
    if len(read) > LARGEST_FILE:
        raise _Wrong(f"is larger than {LARGEST_FILE:,} bytes")
    text = read.decode("utf-8")
    if max(map(len, text.split("\n"))) > LONGEST_LINE:
        raise _Wrong(f"has a line of more than {LONGEST_LINE:,} characters")
    return text


def _parse(text: str) -> dict[str, Any]:
    """Return the table a text holds."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _Wrong(f"is not TOML: {error}") from None
    except RecursionError:
        raise _Wrong("is nested too deeply") from None
    except ValueError:  # Python reads no number of more than some thousand digits
        raise _Wrong("holds a number that is too long") from None


Finder = Callable[[str], str | None]
"""From the name of a program to its path; None where there is none."""


def _finder(path: Path, path_variable: str) -> Finder:
    folder = path.resolve().parent

    def find(program: str) -> str | None:
        named = str(folder / program) if "/" in program else program
        return shutil.which(named, path=path_variable)

    return find


_REQUIRED = {"name": str, "preset": str, "bots": list}
_OPTIONAL = {
    "overrides": dict,
    "settings": dict,
    "custom_rules": list,
    "schedule": str,
    "duplicate_deals": bool,
    **dict.fromkeys(NUMBERS, int),
}


def _rules(table: Mapping[str, Any]) -> RulesFile:
    """Return the rules a table describes."""
    _check_keys(table, {"preset": str}, {**_REQUIRED, **_OPTIONAL}, "the file")
    name = _name(table["name"], "name") if "name" in table else ""
    overrides = _overrides(table.get("overrides", {}))
    written = tuple(_written(table.get("custom_rules", [])))
    return RulesFile(name, table["preset"], overrides, written)


def _contest(path: Path, table: Mapping[str, Any], find: Finder) -> ContestFile:
    """Return the contest a table describes."""
    _check_keys(table, _REQUIRED, _OPTIONAL, "the file")
    bots = tuple(_bot(number, bot, find) for number, bot in enumerate(table["bots"], start=1))
    names = [bot.name for bot in bots]
    if doubled := sorted({name for name in names if names.count(name) > 1}):
        raise _Wrong(f"two bots are named {doubled[0]!r}; every bot needs a name of its own")
    schedule = table.get("schedule", ROUND_ROBIN)
    seats = len(bots) if schedule == ROUND_ROBIN else PAIRED_SEATS
    return ContestFile(
        path=path,
        name=_name(table["name"], "name"),
        preset=table["preset"],
        overrides=_overrides(table.get("overrides", {})),
        custom_rules=tuple(_written(table.get("custom_rules", []))),
        settings=_settings(table.get("settings", {})),
        bots=bots,
        seats=_number(table, "seats", 2, 10, seats),
        blocks=_number(table, "blocks", 1, 100_000, 1),
        concurrency=_number(table, "concurrency", 1, 4096, 0),
        restart_pause_ms=_number(table, "restart_pause_ms", 0, 60_000, 500),
        schedule=schedule,
        duplicate_deals=table.get("duplicate_deals", False),
    )


def _check_keys(
    table: Mapping[str, Any], required: Mapping[str, type], optional: Mapping[str, type], where: str
) -> None:
    """Refuse unknown and missing keys and values of a wrong type."""
    known = {**required, **optional}
    if unknown := [key for key in table if key not in known]:
        raise _Wrong(
            f"unknown key {shortened(unknown[0])} in {where}; known are {', '.join(known)}"
        )
    if missing := [key for key in required if key not in table]:
        raise _Wrong(f"{where} lacks the key {missing[0]!r}")
    for key, value in table.items():
        if type(value) is not known[key]:
            raise _Wrong(f"{key!r} in {where} must be {_TYPES[known[key]]}")


_TYPES = {
    str: "a text",
    int: "a whole number",
    bool: "true or false",
    list: "a list of tables",
    dict: "a table",
}


def _bot(number: int, table: object, find: Finder) -> Bot:
    """Return the bot a table describes; `number` is its place, 1-based."""
    if not isinstance(table, dict):
        raise _Wrong(f"bot {number} must be a table: [[bots]]")
    _check_keys(table, {"name": str}, {"command": str, "house": str}, f"bot {number}")
    name = _name(table["name"], f"the name of bot {number}")
    if ("command" in table) == ("house" in table):
        raise _Wrong(f"bot {name!r} needs either a command or a house strategy")
    if "house" in table:
        return Bot(name, house=table["house"])
    return Bot(name, command=_command(name, table["command"], find))


def _command(name: str, text: str, find: Finder) -> tuple[str, ...]:
    """Return program and arguments of a bot's command."""
    if not text.isprintable():
        raise _Wrong(f"the command of bot {name!r} must hold printable characters alone")
    try:
        program, *arguments = shlex.split(text)
    except ValueError:
        raise _Wrong(f"the command of bot {name!r} is empty or has an open quote") from None
    if (found := find(program)) is None:
        raise _Wrong(f"the command of bot {name!r} does not exist: {program}")
    return found, *arguments


def _name(text: str, what: str) -> str:
    """Return a name as the contract allows it."""
    try:
        return normal_name(text)
    except KeyNameError:
        raise _Wrong(f"{what} must be {WANTED}") from None


def _number(table: Mapping[str, Any], key: str, low: int, high: int, default: int) -> int:
    """Return a number of the file that lies in a range, ends included."""
    value: int = table.get(key, default)
    if key in table and not low <= value <= high:
        raise _Wrong(f"{key!r} is {_shown(value)}; it must be {low:,} to {high:,}")
    return value


def _shown(value: int) -> str:
    """Return a number as messages show it."""
    return f"{value}" if abs(value) <= 10**12 else "beyond all bounds"


def _overrides(table: Mapping[str, Any]) -> dict[str, str]:
    """Return the overrides in text."""
    for option, value in table.items():
        if not isinstance(value, bool | int | str):
            raise _Wrong(
                f"override {shortened(option)} must be a text, a whole number, true or false"
            )
        if isinstance(value, str) and (kind := _kind(option)) in (int, bool):
            raise _Wrong(
                f"override {shortened(option)} must be {_TYPES[kind]}; leave out the quotes"
            )
        if isinstance(value, int) and abs(value) > LARGEST:
            raise _Wrong(
                f"override {shortened(option)} is {_shown(value)}; the most is {LARGEST:,}"
            )
    return {
        option: str(value).lower() if isinstance(value, bool) else str(value)
        for option, value in table.items()
    }


def _kind(option: str) -> type:
    """Return the type of an option's value; that of an unknown option is not known."""
    return type(getattr(_USUAL, option, None))


def _written(tables: Sequence[object]) -> Iterator[Mapping[str, Any]]:
    """Yield the custom rules; whether they can be played is for the server to say."""
    for number, table in enumerate(tables, start=1):
        where = f"custom rule {number}"
        if not isinstance(table, dict):
            raise _Wrong(f"{where} must be a table: [[custom_rules]]")
        ops = table.get("ops")
        if not isinstance(ops, list) or not all(isinstance(op, str) for op in ops):
            raise _Wrong(f"'ops' in {where} must be a list of texts")
        fields = {"text": str, "kind": str, "lose_turn": bool}
        _check_keys(table, {"id": str, "ops": list}, fields, where)
        yield table


def _settings(table: Mapping[str, Any]) -> dict[str, str | int]:
    """Return the settings, each of the type its name demands."""
    numbers = dict.fromkeys((*SETTINGS_NUMBER, *SETTINGS_MS), int)
    _check_keys(table, {}, {**dict.fromkeys(SETTINGS_TEXT, str), **numbers}, "[settings]")
    if negative := [key for key, value in table.items() if isinstance(value, int) and value < 0]:
        raise _Wrong(f"setting {negative[0]!r} must not be negative")
    for key, value in table.items():
        if isinstance(value, int):
            _number(table, key, 0, _MOST.get(key, LARGEST), 0)
    return dict(table)
