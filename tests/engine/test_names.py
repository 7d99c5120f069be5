"""Does a name show all that it holds, in the order it is written in?"""

import sys
import unicodedata

import pytest

from lastcard_engine.names import is_name

INVISIBLE = {
    "soft hyphen": "\u00ad",
    "grapheme joiner": "\u034f",
    "arabic letter mark": "\u061c",
    "hangul choseong filler": "\u115f",
    "hangul jungseong filler": "\u1160",
    "khmer inherent vowel": "\u17b4",
    "mongolian variation selector": "\u180b",
    "zero width space": "\u200b",
    "zero width non-joiner": "\u200c",
    "zero width joiner": "\u200d",
    "left-to-right mark": "\u200e",
    "right-to-left override": "\u202e",
    "word joiner": "\u2060",
    "first isolate": "\u2066",
    "last isolate": "\u2069",
    "blank braille": "\u2800",
    "ideographic space": "\u3000",
    "hangul filler": "\u3164",
    "variation selector": "\ufe0f",
    "byte order mark": "\ufeff",
    "half-width hangul filler": "\uffa0",
    "null notehead": "\U0001d159",
    "tag": "\U000e0041",
    "supplementary variation selector": "\U000e0100",
}


@pytest.mark.parametrize("mark", INVISIBLE.values(), ids=INVISIBLE)
def test_what_shows_nothing_or_turns_the_text_is_in_no_name(mark: str) -> None:
    """Neither alone nor within a name, before or after a letter."""
    assert not any(is_name(text) for text in (mark, f"a{mark}", f"{mark}a", f"a{mark}b"))


def test_every_character_of_a_name_can_be_seen() -> None:
    """Of all of Unicode only letters and digits are drawn as themselves, and three marks."""
    allowed = [mark for mark in map(chr, range(sys.maxunicode + 1)) if is_name(mark)]
    assert {unicodedata.category(mark)[0] for mark in set(allowed) - set("_.-")} == {"L", "N"}
    fillers = [mark for mark in allowed if "FILLER" in unicodedata.name(mark, "")]
    assert fillers == []
    assert len(allowed) > 100_000


@pytest.mark.parametrize(
    "name",
    [
        "Åse B. Øst",
        "Дмитрий",
        "Αθηνά",
        "李小龙",
        "さくら",
        "김 민준",
        "אברהם",
        "فاطمة",
        "a  b",
        "_.-",
    ],
)
def test_letters_of_every_script_are_kept(name: str) -> None:
    """Scripts are equal, and a name may hold spaces."""
    assert is_name(name)


@pytest.mark.parametrize("text", ["", " ", " a", "a ", "x" * 33, "a\u0308", "a\tb", "a\u00a0b"])
def test_what_is_no_name(text: str) -> None:
    """Not empty, not long, no space at an end or of another kind, not decomposed."""
    assert not is_name(text)
