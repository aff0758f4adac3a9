"""Answers that are ready together are written together, and none is lost."""

import asyncio
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from goldsuite.errors import RecordError
from goldsuite.model.answer import Answer, Reply
from goldsuite.runner.desk import Desk


def _answer(number: int) -> Answer:
    return Answer(id=f"q{number}", trial=1, reply=Reply())


def test_what_comes_in_while_one_group_is_written_is_the_next_group() -> None:
    groups: list[list[str]] = []

    async def run() -> None:
        desk = Desk(lambda answers: groups.append([answer.id for answer in answers]))
        await asyncio.gather(*(desk.put(_answer(number)) for number in range(3)))
        await desk.put(_answer(3))

    asyncio.run(run())
    assert groups == [["q0", "q1", "q2"], ["q3"]]


def test_whoever_waits_for_a_group_that_fails_gets_the_error_and_later_ones_do_not() -> None:
    written: list[Answer] = []

    def record(answers: Sequence[Answer]) -> None:
        if answers[0].id == "q0":
            raise RecordError("disk full")
        written.extend(answers)

    async def run() -> list[object]:
        desk = Desk(record)
        first = await asyncio.gather(
            desk.put(_answer(0)), desk.put(_answer(1)), return_exceptions=True
        )
        await desk.put(_answer(2))
        return list(first)

    assert [str(error) for error in asyncio.run(run())] == ["disk full", "disk full"]
    assert [answer.id for answer in written] == ["q2"]


def test_an_answer_whose_waiter_is_cancelled_is_written_all_the_same() -> None:
    written: list[Answer] = []

    async def run() -> None:
        desk = Desk(written.extend)
        desk.put(_answer(0)).cancel()
        await desk.close()

    asyncio.run(run())
    assert [answer.id for answer in written] == ["q0"]


def test_a_desk_that_nothing_was_put_on_closes() -> None:
    written: list[Answer] = []

    async def run() -> None:
        await Desk(written.extend).close()

    asyncio.run(run())
    assert written == []


def test_analysts_that_hang_in_threads_do_not_keep_answers_from_being_written() -> None:
    written: list[Answer] = []
    released = threading.Event()

    async def run() -> None:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(max_workers=1))
        hanging = asyncio.create_task(asyncio.to_thread(released.wait))
        await asyncio.sleep(0)
        desk = Desk(written.extend)
        try:
            await asyncio.wait_for(desk.put(_answer(0)), timeout=30)
        finally:
            released.set()
            await hanging
            await desk.close()

    asyncio.run(run())
    assert [answer.id for answer in written] == ["q0"]
