"""Fields of requests are checked as proto/ says, and what is wrong is never repeated."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastcard_server import fields
from lastcard_server.errors import Reason, Refusal
from lastcard_server.keys import Caller, Role


@given(st.text(max_size=40))
def test_a_name_is_kept_in_normal_form_or_refused(text: str) -> None:
    """Whatever is accepted is printable, 1 to 32 long, and its own normal form."""
    try:
        name = fields.name(text)
    except Refusal as refusal:
        message = refusal.message
    else:
        assert 1 <= len(name) <= 32
        assert name.isprintable()
        assert fields.name(name) == name
        return
    assert len(text) < 3 or text not in message


@pytest.mark.parametrize("name", ["Åse", "B.o-b_3", "李小龙", "a", "x" * 32, "\uff21"])
def test_names_of_every_script_are_accepted(name: str) -> None:
    """Letters and digits of any script count."""
    assert fields.name(name)


@pytest.mark.parametrize("text", ["", "a b", "a/b", "ä", "x" * 65, "a\n", "\n"])
def test_tokens_hold_plain_characters_alone(text: str) -> None:
    """A request_id or instance of anything else is BAD_FIELD."""
    with pytest.raises(Refusal) as refused:
        fields.token(text)
    assert refused.value.reason is Reason.BAD_FIELD


@pytest.mark.parametrize("text", ["", "a" * 25, "a" * 27, "A" * 26, "a" * 25 + "\n", "../" * 9])
def test_ids_that_cannot_be_are_ids_that_are_not(text: str) -> None:
    """What is no match id is refused as a match that does not exist."""
    with pytest.raises(Refusal) as refused:
        fields.match_id(text)
    assert refused.value.message == fields.no_such("match").message


def test_numbers_lie_between_their_ends() -> None:
    """Ends are included; 0 is the default where there is one, else a number like any other."""
    assert [fields.between(n, 1, 3, "n") for n in (1, 3)] == [1, 3]
    assert fields.between(0, 1, 3, "n", default=2) == 2
    for wrong in (0, 4, -(2**31)):
        with pytest.raises(Refusal, match="n must be 1 to 3"):
            fields.between(wrong, 1, 3, "n")


@pytest.mark.parametrize("text", ["x", "-1", "1" * 16, "\u0661", " 1", "1.0"])
def test_page_tokens_are_those_of_a_page_before(text: str) -> None:
    """Anything else is BAD_FIELD; an empty one is the first page."""
    assert fields.page_number("") is None
    assert fields.page_number("17") == 17
    with pytest.raises(Refusal):
        fields.page_number(text)


def test_a_role_is_that_of_a_key() -> None:
    """A seat token has no role beyond its seat."""
    fields.require_role(Caller("key:a", Role.BOT, "a"), Role.ORGANISER, Role.BOT)
    token = Caller("seat:m:0", Role.BOT, None, ("m", 0))
    for caller in (Caller("key:a", Role.SPECTATOR, "a"), token):
        with pytest.raises(Refusal) as refused:
            fields.require_role(caller, Role.ORGANISER, Role.BOT)
        assert refused.value.reason is Reason.FORBIDDEN
