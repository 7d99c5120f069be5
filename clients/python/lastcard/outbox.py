"""What waits to be sent on a stream? Whatever is pending goes into one message, never waiting."""

import threading
from collections import deque
from collections.abc import Iterable, Iterator

from lastcard.v1 import play_service_pb2 as play_pb2
from lastcard.v1 import turn_pb2

BATCH = 256
"""Most answers in one message: well below the 64 KiB that the contract allows."""


class Outbox(Iterator[play_pb2.PlayRequest]):
    """The messages of one stream, taken by its sending thread: the hello, then answers."""

    def __init__(self, hello: play_pb2.Hello, answers: Iterable[turn_pb2.Answer]) -> None:
        self._hello: play_pb2.Hello | None = hello
        self._answers = deque(answers)
        self._closed = False
        self._changed = threading.Condition()

    def put(self, answers: Iterable[turn_pb2.Answer]) -> None:
        """Leave answers to be sent."""
        with self._changed:
            self._answers.extend(answers)
            self._changed.notify()

    def close(self) -> None:
        """End the sending half of the stream; what still waits is not sent."""
        with self._changed:
            self._closed = True
            self._changed.notify()

    def __next__(self) -> play_pb2.PlayRequest:
        with self._changed:
            self._changed.wait_for(lambda: self._hello or self._answers or self._closed)
            if self._closed:
                raise StopIteration
            hello, self._hello = self._hello, None
            count = min(BATCH, len(self._answers))
            answers = [self._answers.popleft() for _ in range(count)]
            return play_pb2.PlayRequest(hello=hello, answers=answers)
