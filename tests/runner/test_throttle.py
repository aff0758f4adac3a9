"""Requests to a service: how many at once, how often again, and who pays for the waiting."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from goldsuite.errors import AnalystError, ServiceError, SpendLimitError
from goldsuite.runner.meter import Meter, measured
from goldsuite.runner.throttle import Throttle


class Time:
    """A clock that only moves when someone sleeps."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds
        await asyncio.sleep(0)


def _longest(_low: float, high: float) -> float:
    return high


def _shortest(low: float, _high: float) -> float:
    return low


def _throttle(
    time: Time,
    *,
    limit: int = 8,
    start: int = 4,
    uniform: Callable[[float, float], float] = _longest,
) -> Throttle:
    return Throttle(limit=limit, start=start, clock=time, sleep=time.sleep, uniform=uniform)


def _failing(
    times: int, error: Callable[[], Exception], seen: list[int]
) -> Callable[[], Awaitable[str]]:
    async def request() -> str:
        seen.append(1)
        if len(seen) <= times:
            raise error()
        return "done"

    return request


def test_waits_double_up_to_a_cap_and_end_after_the_last_try() -> None:
    time, seen = Time(), list[int]()
    down = _failing(99, lambda: ServiceError("down"), seen)
    with pytest.raises(ServiceError, match="down"):
        asyncio.run(_throttle(time).send(down))
    assert len(seen) == 8
    assert time.slept == [1, 2, 4, 8, 16, 32, 60]


def test_the_jitter_is_full() -> None:
    time, seen = Time(), list[int]()
    asyncio.run(
        _throttle(time, uniform=_shortest).send(_failing(3, lambda: ServiceError("x"), seen))
    )
    assert time.slept == [0, 0, 0]


@pytest.mark.parametrize(("asked", "waited"), [(7.0, 7.0), (3600.0, 120.0), (-5.0, 0.0)])
def test_the_services_own_wait_is_honoured_up_to_a_cap(asked: float, waited: float) -> None:
    time, seen = Time(), list[int]()
    busy = _failing(1, lambda: ServiceError("busy", retry_after_s=asked), seen)
    assert asyncio.run(_throttle(time, uniform=_shortest).send(busy)) == "done"
    assert time.slept == [waited]


@pytest.mark.parametrize("error", [AnalystError("bad"), SpendLimitError("spent"), KeyError("x")])
def test_what_is_no_fault_of_the_service_is_not_tried_again(error: Exception) -> None:
    time, seen = Time(), list[int]()
    with pytest.raises(type(error)):
        asyncio.run(_throttle(time).send(_failing(1, lambda: error, seen)))
    assert (len(seen), time.slept) == (1, [])


def test_at_once_grows_by_one_a_success_then_halves_then_grows_by_one_a_round() -> None:
    time, throttle = Time(), _throttle(Time(), limit=100, start=2)

    async def fine() -> None:
        return

    async def busy() -> None:
        raise ServiceError("429", overloaded=True)

    async def run() -> list[int]:
        seen = [throttle.window]
        for _ in range(4):
            await throttle.send(fine)
        seen.append(throttle.window)
        with pytest.raises(ServiceError):
            await throttle._try(busy, Meter(time, max_wait_s=9))
        seen.append(throttle.window)
        for _ in range(4):
            await throttle.send(fine)
        seen.append(throttle.window)
        return seen

    # 2, then 2 + 4; half of it; then 3, 3.33, 3.63, 3.91, 4.16 after four successes.
    assert asyncio.run(run()) == [2, 6, 3, 4]


def test_requests_that_fail_together_cut_once() -> None:
    time = Time()
    throttle = _throttle(time, limit=8, start=8, uniform=_shortest)
    gate = asyncio.Event()
    first_round: list[int] = []

    async def busy_once() -> str:
        first_round.append(1)
        if len(first_round) <= 8:
            await gate.wait()
            raise ServiceError("529", overloaded=True)
        return "done"

    async def run() -> int:
        tasks = [asyncio.create_task(throttle.send(busy_once)) for _ in range(8)]
        await asyncio.sleep(0)  # all eight are sent,
        gate.set()
        await asyncio.sleep(0)  # and all eight fail
        after = throttle.window
        await asyncio.gather(*tasks)
        return after

    assert asyncio.run(run()) == 4


@pytest.mark.parametrize("start", [1, 3])
def test_never_more_at_once_than_allowed(start: int) -> None:
    throttle = _throttle(Time(), limit=3, start=start)
    now, peak = 0, 0

    async def count() -> None:
        nonlocal now, peak
        now += 1
        peak = max(peak, now)
        for _ in range(3):
            await asyncio.sleep(0)
        now -= 1

    async def run() -> None:
        await asyncio.gather(*(throttle.send(count) for _ in range(20)))

    asyncio.run(run())
    assert peak == 3


def test_one_that_was_told_to_wait_holds_everyone_back() -> None:
    time = Time()
    throttle = _throttle(time, uniform=_shortest)
    sent: list[tuple[str, float]] = []

    async def busy() -> None:
        sent.append(("busy", time.now))
        if len(sent) == 1:
            raise ServiceError("429", overloaded=True, retry_after_s=30)

    async def other() -> None:
        sent.append(("other", time.now))

    async def run() -> None:
        first = asyncio.create_task(throttle.send(busy))
        await asyncio.sleep(0)
        await throttle.send(other)
        await first

    asyncio.run(run())
    assert sent[0] == ("busy", 0.0)
    assert all(at >= 30 for _, at in sent[1:])


def test_waiting_and_retries_are_the_trials_and_working_is_not_waiting() -> None:
    time, seen = Time(), list[int]()
    throttle = _throttle(time)

    async def request() -> None:
        seen.append(1)
        time.now += 5  # 5 s until the service fails or answers
        if len(seen) < 3:
            raise ServiceError("500")

    async def run() -> Meter:
        with measured(Meter(time, max_wait_s=600)) as meter:
            await throttle.send(request)
            return meter

    meter = asyncio.run(run())
    assert meter.retries == 2
    # Two tries in vain of 5 s each, and waits of 1 s and 2 s; the third try is work.
    assert meter.waited_s == 13
    assert time.now == 18


def test_a_trial_that_would_wait_too_long_ends_with_the_services_error() -> None:
    time, seen = Time(), list[int]()
    throttle = _throttle(time)

    async def run() -> None:
        with measured(Meter(time, max_wait_s=10)):
            await throttle.send(_failing(99, lambda: ServiceError("down"), seen))

    with pytest.raises(ServiceError, match="down"):
        asyncio.run(run())
    # 1 + 2 + 4 s are waited, and 8 more would be 15.
    assert time.slept == [1, 2, 4]


def test_whoever_is_cancelled_leaves_no_place_taken() -> None:
    throttle = _throttle(Time(), limit=1, start=1)
    gate = asyncio.Event()

    async def run() -> str:
        holder = asyncio.create_task(throttle.send(gate.wait))
        await asyncio.sleep(0)
        waiting = [asyncio.create_task(throttle.send(gate.wait)) for _ in range(3)]
        await asyncio.sleep(0)
        waiting[1].cancel()
        holder.cancel()  # the place goes to the next in the queue,
        await asyncio.sleep(0)
        waiting[0].cancel()  # who is cancelled in the moment of getting it
        gate.set()
        await asyncio.gather(holder, *waiting, return_exceptions=True)
        assert throttle._requests.inside == 0
        return await throttle.send(_failing(0, KeyError, []))

    assert asyncio.run(run()) == "done"


def test_thousands_of_faults_leave_nothing_behind() -> None:
    time, seen = Time(), list[int]()
    throttle = _throttle(time, limit=50)

    async def flaky() -> str:
        seen.append(1)
        await asyncio.sleep(0)
        if len(seen) % 3:
            raise ServiceError("429", overloaded=len(seen) % 2 == 0, retry_after_s=None)
        return "done"

    async def run() -> list[str | BaseException]:
        results = await asyncio.gather(
            *(throttle.send(flaky) for _ in range(2_000)), return_exceptions=True
        )
        assert len(asyncio.all_tasks()) == 1
        return results

    results = asyncio.run(run())
    assert all(r == "done" or isinstance(r, ServiceError) for r in results)
    assert (throttle._requests.inside, len(throttle._requests._queue)) == (0, 0)
