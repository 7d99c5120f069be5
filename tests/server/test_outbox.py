"""An outbox packs what is pending into messages within their limits, in order, losing nothing."""

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from lastcard_server.outbox import MOST_BYTES, MOST_TURNS, Outbox


def drained(outbox: Outbox) -> list[tuple[bytes, int]]:
    """Return every message that is pending."""
    messages = []
    while (packed := outbox.pack())[0]:
        messages.append(packed)
    return messages


@given(st.lists(st.tuples(st.sampled_from("etu"), st.integers(1, 30_000)), max_size=60))
def test_messages_hold_everything_once_within_their_limits(pending: list[tuple[str, int]]) -> None:
    """No message is too large or holds too many turns, and together they hold all that was put."""
    outbox = Outbox()
    for number, (kind, size) in enumerate(pending):
        element = kind.encode() * size
        if kind == "e":
            outbox.put(element)
        elif kind == "t":
            outbox.put_turn(number, element)
        else:
            outbox.put_update(element)
    messages = drained(outbox)
    assert all(len(message) <= MOST_BYTES for message, _ in messages)
    assert all(turns <= MOST_TURNS for _, turns in messages)
    whole = b"".join(message for message, _ in messages)
    for kind in "etu":
        assert whole.count(kind.encode()) == sum(size for k, size in pending if k == kind)
    assert sum(turns for _, turns in messages) == sum(kind == "t" for kind, _ in pending)


def test_more_turns_than_a_message_holds_follow_in_the_next() -> None:
    """600 turns are 256, 256 and 88, oldest first."""
    outbox = Outbox()
    for number in range(600):
        outbox.put_turn(number, number.to_bytes(2))
    messages = drained(outbox)
    assert [turns for _, turns in messages] == [256, 256, 88]
    assert b"".join(m for m, _ in messages) == b"".join(n.to_bytes(2) for n in range(600))


def test_an_element_beyond_the_limit_goes_alone() -> None:
    """Something larger than a message still leaves."""
    outbox = Outbox()
    outbox.put(b"a" * (MOST_BYTES + 1))
    outbox.put(b"b")
    assert [len(message) for message, _ in drained(outbox)] == [MOST_BYTES + 1, 1]


def test_a_turn_that_was_not_sent_can_be_taken_back() -> None:
    """A withdrawn turn never leaves; one that has left cannot be taken back."""
    outbox = Outbox()
    outbox.put_turn("a", b"aa")
    outbox.put_turn("b", b"bb")
    assert outbox.withdraw("a")
    assert not outbox.withdraw("a")
    assert drained(outbox) == [(b"bb", 1)]
    assert not outbox.withdraw("b")


def test_too_many_updates_are_dropped_together() -> None:
    """Where too much is pending all updates go; outcomes and turns stay."""
    outbox = Outbox()
    outbox.put(b"outcome")
    assert all(outbox.put_update(b"u") for _ in range(1_024))
    assert not outbox.put_update(b"u")
    assert drained(outbox) == [(b"outcome", 0)]


async def test_waiting_ends_with_what_comes_next() -> None:
    """Whoever waits is woken by an element, a turn, an update or a bare wake."""
    outbox = Outbox()
    for put in (
        lambda: outbox.put(b"x"),
        lambda: outbox.put_turn(1, b"x"),
        lambda: outbox.put_update(b"x"),
        outbox.wake,
    ):
        waiting = asyncio.create_task(outbox.wait())
        await asyncio.sleep(0)
        assert not waiting.done()
        put()
        await asyncio.wait_for(waiting, 1)
        outbox.pack()


async def test_room_comes_back_as_messages_leave() -> None:
    """A reader that got ahead waits until enough has been packed."""
    outbox = Outbox()
    for _ in range(5):
        outbox.put(bytes(MOST_BYTES))
    waiting = asyncio.create_task(outbox.room())
    await asyncio.sleep(0)
    assert not waiting.done()
    outbox.pack()
    await asyncio.wait_for(waiting, 1)


async def test_gathering_ends_when_enough_turns_are_pending() -> None:
    """Whoever gathers turns is woken by the one that makes them enough and by no element before."""
    outbox = Outbox()
    gathering = asyncio.ensure_future(outbox.gather(2, 60))
    await asyncio.sleep(0)
    outbox.put(b"x")
    await asyncio.sleep(0)
    outbox.put_turn("a", b"a")
    await asyncio.sleep(0)
    assert not gathering.done()
    outbox.put_turn("b", b"b")
    await asyncio.wait_for(gathering, 5)


async def test_gathering_ends_at_a_wake_and_after_its_time() -> None:
    """A stream that ends does not wait for turns, and one that gathers does not wait for long."""
    outbox = Outbox()
    await outbox.gather(2, 0.001)
    gathering = asyncio.ensure_future(outbox.gather(2, 60))
    await asyncio.sleep(0)
    outbox.wake()
    await asyncio.wait_for(gathering, 5)
