"""Two runs at once, question by question."""

import asyncio

from goldsuite.runner.alternation import Alternation


def _order(counts: tuple[int, int], *, lanes: int) -> list[str]:
    """In which order two runs of so many questions begin them, with so many lanes each."""
    begun: list[str] = []

    async def run(turns: Alternation, side: int) -> None:
        todo = iter(range(counts[side]))
        gate = turns.gate(side)

        async def lane() -> None:
            for _ in todo:
                await gate()
                begun.append("AB"[side])
                # One side is much quicker than the other.
                await asyncio.sleep(0.01 if side else 0)

        await asyncio.gather(*(lane() for _ in range(lanes)))
        await turns.end(side)

    async def both() -> None:
        turns = Alternation()
        await asyncio.gather(run(turns, 0), run(turns, 1))

    asyncio.run(both())
    return begun


def test_two_runs_take_turns_in_going_first() -> None:
    assert "".join(_order((4, 4), lanes=1)) == "ABBAABBA"


def test_several_questions_at_once_keep_the_order() -> None:
    assert "".join(_order((6, 6), lanes=3)) == "ABBAABBAABBA"


def test_a_run_that_has_ended_holds_the_other_one_back_no_longer() -> None:
    assert "".join(_order((2, 5), lanes=1)) == "ABBABBB"
