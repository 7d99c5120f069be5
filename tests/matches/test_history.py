"""Do histories tell the server all and everybody else nothing?"""

import pytest

from lastcard_engine.actions import PASS
from lastcard_server.errors import Reason
from lastcard_server.matches.deciding import HistoryLost
from lastcard_server.matches.history import TOKEN_BYTES, HistorySeal
from lastcard_server.matches.match import Standing
from tests.matches.table import KEYS, Table, accepted, refused, seal, setup_of


def test_a_token_opens_to_what_was_sealed_and_only_for_its_match() -> None:
    """Version and chain come back; another match, key, length or bit does not open."""
    mine = seal()
    token = mine.seal("match", 77, bytes(range(32)))
    assert len(token) == TOKEN_BYTES
    assert mine.open("match", token) == (77, bytes(range(8)))
    assert mine.open("other", token) is None
    assert HistorySeal(bytes(32), 0).open("match", token) is None
    assert mine.open("match", token[:-1]) is None
    for at in range(TOKEN_BYTES):
        changed = bytearray(token)
        changed[at] ^= 1
        assert mine.open("match", bytes(changed)) is None


def test_tokens_of_one_head_differ_and_servers_with_one_key_understand_each_other() -> None:
    """Nobody can tell from two tokens whether the head has moved."""
    mine, other = seal(), HistorySeal(KEYS.history_key(), 10**6)
    tokens = {mine.seal("match", 5, bytes(32)) for _ in range(50)}
    assert len(tokens) == 50
    assert all(other.open("match", token) == (5, bytes(8)) for token in tokens)


def test_in_an_open_group_every_look_at_the_history_differs() -> None:
    """While a group is open, answered or not, no two tokens are alike; outside they are cached."""
    table = Table(setup_of(4, overrides={"jump_in": "identical"}))
    match = table.match
    assert match.history() == match.history()
    table.play(lambda m: m.group_version == m.version and len(m.turns) == 3)
    opening = match.history()
    accepted(table.answer(min(match.turns), PASS))
    assert match.history() != match.history()
    assert match.standing(opening) is Standing.KNOWN


def test_every_history_the_match_gave_out_is_known_to_it() -> None:
    """Tokens of all versions so far are known, also after a restart."""
    table = Table(setup_of(3))
    tokens: list[bytes] = []
    for _ in range(2):
        table.play(lambda m: m.version > 3 + len(tokens) * 5)
        tokens.append(table.match.history())
    for match in (table.match, table.replayed()):
        assert {match.standing(token) for token in tokens} == {Standing.KNOWN}


def test_a_history_ahead_of_the_log_or_of_another_log_is_lost() -> None:
    """A log that is shorter, or went another way, is noticed; the match decides nothing then."""
    table = Table(setup_of(3))
    table.play(lambda m: m.version > 12 and len(m.turns) == 1)
    token = table.match.history()
    shorter = table.replayed(9)
    assert shorter.standing(token) is Standing.AHEAD
    other = Table(setup_of(3))
    other.clock.advance(1)
    other.play(lambda m: m.version > 20)
    assert other.match.standing(token) is Standing.DIFFERENT
    seat = min(other.match.turns)
    with pytest.raises(HistoryLost):
        other.answer(seat, 0, history=token)


def test_a_history_that_is_not_ours_is_refused() -> None:
    """Garbage is BAD_FIELD and freezes nothing."""
    table = Table(setup_of(3))
    table.ready()
    seat = min(table.match.turns)
    for garbage in (b"x", bytes(TOKEN_BYTES), b"x" * 1000):
        refusal = refused(table.answer(seat, 0, history=garbage))
        assert refusal.reason is Reason.BAD_FIELD
    accepted(table.answer(seat, 0, history=table.match.history()))
