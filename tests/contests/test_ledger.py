"""Does a ledger notice every change?"""

import json
from typing import Any

import pytest

from lastcard_server.contests.ledger import Game, LedgerError, chained, genesis, line, read
from tests.contests.games import a_game


def a_ledger(games: int = 4) -> tuple[list[Game], list[str]]:
    """Return games and their lines."""
    played = [a_game(number, faults=({"late": 1}, {})) for number in range(games)]
    chain, lines = genesis("c"), []
    for game in played:
        chain = chained(chain, game)
        lines.append(line(game, chain))
    return played, lines


def test_what_is_written_is_read_again() -> None:
    """Lines and games are each other's inverse."""
    games, lines = a_ledger()
    assert list(read(lines)) == games


def test_the_first_chain_hash_is_fixed() -> None:
    """The byte layout never changes: the hash of a given first game is this."""
    game = a_game(0)
    canonical = (
        '{"actions":40,"attempt":0,"block":0,"contest":"c","end_us":1700000000000000,'
        '"faults":[{},{}],"game":0,"leg":0,"match":"m0","places":[1,2],"points":[20,0],'
        f'"record":"{"5a" * 32}","seats":["ann","bob"]}}'
    )
    assert line(game, b"\1") == canonical.replace('"contest"', '"chain":"01","contest"')
    assert chained(genesis("c"), game).hex() == (
        "daedc59a7b890f6c1a4369ade3249c0da19032f2a0ff0bcfdbec950836433d50"
    )


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("points", [21, 0]),
        ("places", [2, 1]),
        ("seats", ["bob", "ann"]),
        ("match", "m9"),
        ("faults", [{}, {}]),
        ("end_us", 1),
        ("attempt", 1),
        ("chain", "00" * 32),
    ],
)
def test_every_changed_field_is_named(field: str, value: Any) -> None:
    """A changed field breaks the chain at its own line."""
    _, lines = a_ledger()
    lines[2] = json.dumps({**json.loads(lines[2]), field: value})
    with pytest.raises(LedgerError, match="line 3: game 2 does not match its chain hash"):
        list(read(lines))


def test_a_line_that_is_missing_doubled_or_moved_is_named() -> None:
    """Every game stands once, at its place."""
    _, lines = a_ledger()
    with pytest.raises(LedgerError, match="line 2: holds game 2 where game 1 is due"):
        list(read([lines[0], *lines[2:]]))
    with pytest.raises(LedgerError, match="line 2: holds game 0 where game 1 is due"):
        list(read([lines[0], lines[0]]))


def test_a_line_of_another_contest_is_named() -> None:
    """All games belong to the contest of the first."""
    _, lines = a_ledger()
    other = a_game(1, contest="d")
    with pytest.raises(LedgerError, match="line 2: belongs to contest d, not c"):
        list(read([lines[0], line(other, b"")]))


@pytest.mark.parametrize("text", ["", "{}", "[]", "nonsense", '{"chain":"zz"}', "3", "null"])
def test_a_line_that_is_no_game_is_named(text: str) -> None:
    """Garbage is refused with its line, without a traceback of its own."""
    _, lines = a_ledger()
    with pytest.raises(LedgerError, match="line 5: is no game of a ledger"):
        list(read([*lines, text]))


def test_unknown_fields_are_refused() -> None:
    """A line with a field that no ledger has is no game."""
    _, lines = a_ledger()
    with pytest.raises(LedgerError, match="line 1: is no game"):
        list(read([json.dumps({**json.loads(lines[0]), "extra": 1})]))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("contest", "c\x1b[2J"),
        ("contest", ["c"]),
        ("match", {}),
        ("game", False),
        ("game", 0.0),
        ("leg", None),
        ("seats", ["ann", "b\u202eb"]),
        ("seats", "ab"),
        ("places", [[1], 2]),
        ("points", [True, 0]),
        ("faults", [1, 2]),
        ("faults", [{"late": "1"}, {}]),
        ("faults", [{"\x1b[2J": 1}, {}]),
        ("end_us", "yesterday"),
        ("record", "5A" * 32),
    ],
)
def test_a_field_of_another_type_is_refused_whatever_its_chain(field: str, value: Any) -> None:
    """A chain that follows does not make a game of what is none."""
    game = a_game(0)._replace(**{field: value})
    with pytest.raises(LedgerError, match="line 1: is no game of a ledger"):
        list(read([line(game, chained(genesis("c"), game))]))


def test_deep_and_endless_json_is_no_game() -> None:
    """JSON that Python itself gives up on is refused like any other."""
    for text in ("[" * 100_000, '{"a":' * 100_000, '{"game": ' + "9" * 5000 + "}"):
        with pytest.raises(LedgerError, match="line 1: is no game of a ledger"):
            list(read([text]))
