"""Does the time of matches go on evenly, whatever the wall clock does?"""

from lastcard_server.clock import StoreClock


def test_the_clock_starts_at_the_stores_time_and_goes_on_by_the_monotonic_one() -> None:
    """A store's clock that jumps after the start moves nothing."""
    store_us, monotonic_ns = 1_800_000_000_000_000, 5_000_000
    clock = StoreClock(lambda: store_us, lambda: monotonic_ns)
    assert clock.now_us() == 1_800_000_000_000_000
    monotonic_ns += 1_234_000
    store_us -= 10**12
    assert clock.now_us() == 1_800_000_000_001_234
