"""Keys take turns at being decided, and where nobody waits nobody is held up."""

import asyncio

from lastcard_server.share import MOST_ANSWERS, FairShare


async def ask(share: FairShare, account: str, answers: int, let: list[str]) -> None:
    """Wait for a turn and note it."""
    await share.turn(account, answers)
    let.append(account)


async def test_who_comes_alone_does_not_wait() -> None:
    """A message is let through without a pass of the loop between, and another one passes later."""
    share = FairShare()
    turn = share.turn("a", MOST_ANSWERS)
    try:
        turn.send(None)
    except StopIteration:
        await asyncio.sleep(0)
        await share.turn("a", MOST_ANSWERS)
    else:
        raise AssertionError("it has waited")


async def test_keys_are_served_round_by_round() -> None:
    """Of one key with forty messages and two with one each, these are not the last."""
    share, let = FairShare(), list[str]()
    async with asyncio.TaskGroup() as group:
        for account in ("flood",) * 40 + ("b", "c"):
            group.create_task(ask(share, account, MOST_ANSWERS, let))
    assert let[:4] == ["flood", "flood", "b", "c"]
    assert len(let) == 42
    assert not len(share)


async def test_small_messages_go_together() -> None:
    """A round is counted in answers: of ten small messages all come before the next large one."""
    share, let = FairShare(), list[str]()
    async with asyncio.TaskGroup() as group:
        for _ in range(3):
            group.create_task(ask(share, "large", MOST_ANSWERS, let))
        for _ in range(10):
            group.create_task(ask(share, "small", 1, let))
    assert let == ["large", "large", *["small"] * 10, "large"]


async def test_one_pass_of_the_loop_lets_through_one_full_message() -> None:
    """Whatever waits, the loop gets to look at its sockets after each 256 answers."""
    share, let = FairShare(), list[str]()
    passes = 0
    tasks = [asyncio.create_task(ask(share, "abc"[n % 3], MOST_ANSWERS, let)) for n in range(12)]
    while len(let) < 12:
        before = len(let)
        await asyncio.sleep(0)
        passes += 1
        assert len(let) - before <= 1
    assert passes >= 12
    await asyncio.gather(*tasks)


async def test_who_gives_up_takes_nobodys_turn() -> None:
    """A cancelled wait is passed over."""
    share, let = FairShare(), list[str]()
    tasks = [asyncio.create_task(ask(share, "a", MOST_ANSWERS, let)) for _ in range(9)]
    await asyncio.sleep(0)
    for task in tasks[1:8]:
        task.cancel()
    async with asyncio.timeout(5):
        await asyncio.wait(tasks)
    assert let == ["a", "a"]
    assert not len(share)
