"""
The Python SDK: a bot is a function of a turn, and `lastcard.play(bot)` plays it.

`Client` makes the other calls of the contract; `lastcard.v1` holds the generated messages.
"""

from lastcard.answer import Bot, Choice, Reply
from lastcard.client import Client
from lastcard.errors import (
    BadReply,
    BadSetting,
    Error,
    Interrupted,
    Refused,
    Replaced,
    Revoked,
    UnknownEvent,
    Unreachable,
)
from lastcard.player import Player
from lastcard.playing import Result, Tally, play
from lastcard.turn import Turn

__all__ = [
    "BadReply",
    "BadSetting",
    "Bot",
    "Choice",
    "Client",
    "Error",
    "Interrupted",
    "Player",
    "Refused",
    "Replaced",
    "Reply",
    "Result",
    "Revoked",
    "Tally",
    "Turn",
    "UnknownEvent",
    "Unreachable",
    "play",
]
