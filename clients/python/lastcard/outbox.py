"""What waits to be sent on a stream? Whatever is pending goes into one message, never waiting."""

from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from queue import Empty, SimpleQueue

from lastcard.v1 import play_service_pb2 as play_pb2
from lastcard.v1 import turn_pb2

BATCH = 256
"""Most answers in one message: well below the 64 KiB that the contract allows."""


class Outbox(Iterator[play_pb2.PlayRequest]):
    """
    The messages of one stream, taken by its sending thread: the hello, then answers.

    Ctrl-C leaves no lock behind in `put` and `close`: the queue is one piece of C.
    """

    def __init__(self, hello: play_pb2.Hello, answers: Iterable[turn_pb2.Answer]) -> None:
        self._hello: play_pb2.Hello | None = hello
        self._answers = deque(answers)
        self._put: SimpleQueue[Iterable[turn_pb2.Answer]] = SimpleQueue()
        self._closed = False

    def put(self, answers: Iterable[turn_pb2.Answer]) -> None:
        """Leave answers to be sent."""
        self._put.put(answers)

    def close(self) -> None:
        """End the sending half of the stream; what still waits is not sent."""
        self._closed = True
        self._put.put(())

    def __next__(self) -> play_pb2.PlayRequest:
        hello, self._hello = self._hello, None
        if not hello and not self._answers:
            self._answers.extend(self._put.get())
        with suppress(Empty):
            while True:
                self._answers.extend(self._put.get_nowait())
        if self._closed:
            raise StopIteration
        count = min(BATCH, len(self._answers))
        answers = [self._answers.popleft() for _ in range(count)]
        return play_pb2.PlayRequest(hello=hello, answers=answers)
