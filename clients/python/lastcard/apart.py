"""
How does Ctrl-C stay out of gRPC? The main thread calls the library in other threads alone.

Python raises KeyboardInterrupt in the main thread between any two instructions. Where that is in
gRPC, or in `threading` below it, a lock has been taken that nobody gives back: gRPC's own threads
wait for it for ever, and whoever closes the channel waits for them. Here the main thread waits in
C, for a queue that needs no such lock, and never holds the last reference to a call, whose end
runs code of the library too. Nothing is asked of the program's signal handlers.
"""

from __future__ import annotations  # queues are generic for type checkers only

import os
import threading
from _thread import start_new_thread  # Thread.start takes locks in the main thread itself
from collections.abc import Callable, Iterator
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Protocol, TypeAlias, TypeVar

import grpc

from lastcard.connection import Connection
from lastcard.errors import from_rpc

CLOSE_SECONDS = 5.0
"""How long the main thread waits for calls and channels to close: what hangs there ends with it."""
SIGNAL_SECONDS = 0.2
"""How long a signal may go unnoticed that the system gave to another thread."""

Made = TypeVar("Made")
Received_co = TypeVar("Received_co", covariant=True)
Told = TypeVar("Told")
Inbox: TypeAlias = "SimpleQueue[Callable[[], Told]]"
"""Where others leave what they have done; whoever takes it from there calls it."""


class Call(Protocol[Received_co]):
    """What gRPC returns for a call that streams."""

    def __next__(self) -> Received_co: ...
    def cancel(self) -> object:
        """End the call; again, or after its end, does nothing."""


class Stream(Iterator[Received_co]):
    """
    What a call brings, one message after another; made, read and cancelled apart.

    The call is made when its first message is wanted.

    Raises:
        Error: While iterating: the call has failed.
    """

    def __init__(self, server: Connection, begin: Callable[[], Call[Received_co]]) -> None:
        self._server = server
        self._begin: Callable[[], Call[Received_co]] | None = begin
        self._call: Call[Received_co] | None = None
        self._ended = False

    def __next__(self) -> Received_co:
        return ask(self._server, self._next)

    def fetch(
        self, inbox: Inbox[Told], tell: Callable[[Received_co | BaseException], Told]
    ) -> None:
        """Begin to wait for the next message; it, or the error instead, is told to an inbox."""
        later(lambda: _ours(self._server, self._next), inbox, tell)

    def cancel(self) -> None:
        """End it; may be called from any thread, and twice."""
        release(self.end)

    def end(self) -> None:
        """End it, in a thread that may call the library."""
        self._ended = True
        call, self._call = self._call, None
        if call is not None:
            call.cancel()

    def _next(self) -> Received_co:
        begin, self._begin = self._begin, None
        if begin is not None:
            self._call = begin()
            if self._ended:  # meanwhile, and `end` may not have seen the call
                self.end()
        call = self._call
        if call is None:
            raise StopIteration
        return next(call)


def ask(server: Connection, work: Callable[[], Made]) -> Made:
    """
    Call a server apart and return what it answers.

    Raises:
        Error: What the library raised, as an error of ours.
    """
    return apart(lambda: _ours(server, work))


def apart(work: Callable[[], Made]) -> Made:
    """Do work where no signal interrupts it, and wait; what it raises is raised here."""
    if threading.current_thread() is not threading.main_thread():
        return work()
    made = _waited(_begun(work))
    if isinstance(made, _Raised):
        try:
            raise made.error
        finally:
            del made  # or the error and this frame hold each other, and with them the caller's
    return made


def later(
    work: Callable[[], Made], inbox: Inbox[Told], tell: Callable[[Made | BaseException], Told]
) -> None:
    """Begin work apart; `tell` is put into the inbox, to be called with what came of it."""

    def put(made: Made | _Raised) -> None:
        outcome = made.error if isinstance(made, _Raised) else made
        inbox.put(lambda: tell(outcome))

    _start(work, put)


def release(work: Callable[[], object]) -> None:
    """Do work that closes something apart, waiting for CLOSE_SECONDS at most."""
    if threading.current_thread() is not threading.main_thread():
        work()
        return
    with suppress(Empty):
        _begun(work).get(timeout=CLOSE_SECONDS)


class _Raised:
    """An error on its way to the thread that waits."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


_Works: TypeAlias = "SimpleQueue[Callable[[], None]]"
_idle: list[_Works] = []
"""The threads that have nothing to do; a list because its `append` and `pop` are pieces of C."""
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_idle.clear)  # a child has none of the threads


def _begun(work: Callable[[], Made]) -> SimpleQueue[Made | _Raised]:
    """Begin work in another thread and return where its outcome will lie."""
    outcome: SimpleQueue[Made | _Raised] = SimpleQueue()
    _start(work, outcome.put)
    return outcome


def _start(work: Callable[[], Made], put: Callable[[Made | _Raised], None]) -> None:
    """Begin work in another thread, which puts its outcome somewhere."""

    def run() -> None:
        try:
            made: Made | _Raised = work()
        except BaseException as error:  # noqa: BLE001 - raised again where it is waited for
            made = _Raised(error.with_traceback(None))  # whose frames hold channels and calls
        _idle.append(works)
        put(made)

    try:
        works = _idle.pop()
    except IndexError:
        works = SimpleQueue()
        start_new_thread(_serve, (works,))
    works.put(run)


def _serve(works: _Works) -> None:
    """Do one work after another; daemon threads end with the program."""
    while True:
        works.get()()


def _waited(outcome: SimpleQueue[Made]) -> Made:
    """Wait as the library does, which wakes for signals: another thread may have received one."""
    while True:
        with suppress(Empty):
            return outcome.get(timeout=SIGNAL_SECONDS)


def _ours(server: Connection, work: Callable[[], Made]) -> Made:
    """Do work; the error of a call is the call itself, of which nothing may get out."""
    try:
        return work()
    except grpc.RpcError as error:
        ours = from_rpc(error, str(server), server.origin)
        error.__traceback__ = None  # whose frames hold the call
    raise ours
