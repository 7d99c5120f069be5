"""
What is the name of a player, a table or a key, and which texts show all that they hold?

A name stands in tables, logs and records beside others': it must show all that it holds, and must
not change how the text around it reads.
"""

import unicodedata
from typing import Final

LONGEST: Final = 32
"""Characters of a name, after normalisation."""
WANTED: Final = "1 to 32 letters and digits that can be seen, spaces inside, or the marks _ . -"
"""What a name must be, for the sentence that refuses one."""
_MARKS: Final = " _.-"
_BLANK: Final = "\u115f\u1160\u3164\uffa0\u2800"
"""The fillers of Hangul and Braille's blank: letters and signs for which nothing is drawn."""


def is_name(text: str) -> bool:
    """
    Tell whether a text is a name: 1 to 32 letters, digits, spaces, `_`, `.`, `-`, in form NFC.

    Letters and digits of every script count, spaces inside too. What is drawn as nothing or turns
    the direction of writing is none of them: fillers, variation selectors, marks of zero width,
    controls of direction.
    """
    shown = all((mark.isalnum() and mark not in _BLANK) or mark in _MARKS for mark in text)
    normal = unicodedata.is_normalized("NFC", text)
    return shown and normal and 1 <= len(text) <= LONGEST and text == text.strip()


def is_shown(text: str) -> bool:
    """Tell whether a text has nothing that controls how it is written, and no filler."""
    return text.isprintable() and not set(text) & set(_BLANK)
