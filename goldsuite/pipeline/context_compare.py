"""Two configurations over the same questions in one go: asked in turns, locked, then graded.

Nothing of the key is opened before the answers of both are locked.
"""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

from goldsuite.analysts.spec import kind_of
from goldsuite.errors import UsageError
from goldsuite.pipeline.analyst_sources import OpenAnalyst, open_analyst
from goldsuite.pipeline.asking import (
    Display,
    RunRequest,
    StartedRun,
    ask_outstanding,
)
from goldsuite.pipeline.evaluate import Answerer, begun_run, grade_and_record
from goldsuite.pipeline.held_out_run import HeldOutRun
from goldsuite.pipeline.session import (
    AnalystContext,
    open_session_warehouse,
    read_context,
)
from goldsuite.pipeline.settings import Settings
from goldsuite.runner.alternation import Alternation
from goldsuite.runner.lock import AnswersLock
from goldsuite.runner.progress import Progress
from goldsuite.runner.throttle import Throttle
from goldsuite.suite.intake import Intake, take_in
from goldsuite.warehouse.engines import OpenWarehouse

__all__ = ["Configuration", "run_both"]

_SHARED = (
    "suite", "warehouse", "warehouse_base", "runs_dir", "tolerance", "as_of", "query_timeout",
    "max_rows", "max_bytes", "allow_functions", "allow_paths", "luck_budget", "strict",
)  # fmt: skip
"""Settings that decide what is asked and what is right: they are no part of a comparison."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Configuration:
    """One of the two."""

    name: str
    """As the user knows it, for messages."""
    settings: Settings


@dataclass(frozen=True, kw_only=True, slots=True)
class _Side:
    """One configuration, opened."""

    name: str
    settings: Settings
    request: RunRequest
    run: StartedRun
    context: AnalystContext
    analyst: OpenAnalyst
    door: HeldOutRun
    throttle: Throttle


def run_both(
    configurations: tuple[Configuration, Configuration], request: RunRequest, display: Display
) -> tuple[Path, Path]:
    """Ask both the same questions, in turns, and write a record for each.

    Returns the paths of the records.

    Raises:
        UsageError: the two are not held to the same golds, or one of them asks nobody.
        GoldsuiteError: whatever stops one of them; the other one is stopped too, and both can be
            resumed as any run.
        KeyboardInterrupt: the same.
    """
    _check(configurations)
    with ExitStack() as stack:
        warehouse = stack.enter_context(open_session_warehouse(configurations[0].settings))
        display.say(f"warehouse {warehouse.masked_url}: {warehouse.engine} answers")
        intake = take_in(configurations[0].settings.suite, dialect=warehouse.dialect)
        first, second = (
            stack.enter_context(_opened(each, request, warehouse, intake))
            for each in configurations
        )
        for side in (first, second):
            display.started(side.run.run_id)
            display.say(f"run {side.run.run_id}: {side.name}, {side.analyst.name}")
        locks = asyncio.run(_ask((first, second), display))
        display.say("answers of both locked; opening the key")
        one, two = (
            _record(side, lock, warehouse, intake)
            for side, lock in zip((first, second), locks, strict=True)
        )
        return one, two


def _check(configurations: Sequence[Configuration]) -> None:
    first, second = configurations
    for name in _SHARED:
        if getattr(first.settings, name) != getattr(second.settings, name):
            raise UsageError(
                f"{first.name} and {second.name} differ in {name.removesuffix('_base')!r}, so "
                "their answers could not be compared; set it once, in goldsuite.toml or as an "
                "option, and leave it out of both"
            )
    for each in configurations:
        if kind_of(each.settings.analyst or "") == "replay":
            raise UsageError(
                f"{each.name}: a replay asks nobody. Grade both files, then name the two records: "
                "goldsuite compare FIRST SECOND"
            )
    own = [
        f.name
        for f in fields(Settings)
        if f.name not in {"origin", "root"}
        and getattr(first.settings, f.name) != getattr(second.settings, f.name)
    ]
    if not own:
        raise UsageError(f"{first.name} and {second.name} say the same: nothing is compared")


@contextmanager
def _opened(
    configuration: Configuration,
    request: RunRequest,
    warehouse: OpenWarehouse,
    intake: Intake,
) -> Iterator[_Side]:
    settings = configuration.settings
    context = read_context(settings, refresh=True)
    throttle = Throttle(limit=settings.concurrency)
    own = replace(request, changelog=request.changelog or f"compare --run {configuration.name}")
    with (
        open_analyst(settings, warehouse, context, pace=throttle) as analyst,
        begun_run(settings, own, warehouse, intake, context, analyst) as (run, door),
    ):
        yield _Side(
            name=configuration.name,
            settings=settings,
            request=own,
            run=run,
            context=context,
            analyst=analyst,
            door=door,
            throttle=throttle,
        )


async def _ask(sides: tuple[_Side, _Side], display: Display) -> list[AnswersLock]:
    turns = Alternation()
    board = _BothDisplays(display)

    async def one(number: int, side: _Side) -> AnswersLock:
        try:
            return await ask_outstanding(
                side.run,
                side.analyst.source,
                side.settings,
                board.of(number),
                limits=side.request.limits,
                throttle=side.throttle,
                now=_now,
                gate=turns.gate(number),
            )
        finally:
            await turns.end(number)

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(*numbered)) for numbered in enumerate(sides)]
    except ExceptionGroup as failures:
        raise failures.exceptions[0] from None
    return [task.result() for task in tasks]


def _record(side: _Side, lock: AnswersLock, warehouse: OpenWarehouse, intake: Intake) -> Path:
    return grade_and_record(
        side.settings,
        side.run,
        lock,
        warehouse,
        intake,
        side.context,
        Answerer.asked(side.analyst),
        door=side.door,
        limits={"max_cost": str(limit)} if (limit := side.request.limits.max_cost) else {},
    )


class _BothDisplays:
    """Shows two runs as one: their questions together."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self._seen: dict[int, Progress] = {}

    def of(self, number: int) -> "_OneDisplay":
        return _OneDisplay(self, number)

    def say(self, message: str) -> None:
        self._display.say(message)

    def show(self, number: int, progress: Progress) -> None:
        self._seen[number] = progress
        if len(self._seen) == 2:
            self._display.progress(_together(*self._seen.values()))


@dataclass(frozen=True, slots=True)
class _OneDisplay:
    both: _BothDisplays
    number: int

    def say(self, message: str) -> None:
        self.both.say(message)

    def started(self, run_id: str) -> None:
        """Told for both before the first question."""

    def progress(self, progress: Progress) -> None:
        self.both.show(self.number, progress)


def _together(one: Progress, two: Progress) -> Progress:
    etas = [each.eta_s for each in (one, two) if each.eta_s is not None]
    return Progress(
        answered=one.answered + two.answered,
        total=one.total + two.total,
        in_flight=one.in_flight + two.in_flight,
        errors=one.errors + two.errors,
        elapsed_s=max(one.elapsed_s, two.elapsed_s),
        eta_s=max(etas, default=None),
        retries=one.retries + two.retries,
        tokens=None if one.tokens is two.tokens is None else (one.tokens or 0) + (two.tokens or 0),
        cost=_sum(one.cost, two.cost),
        eta_cost=_sum(one.eta_cost, two.eta_cost),
    )


def _sum(one: Decimal | None, two: Decimal | None) -> Decimal | None:
    return None if one is None and two is None else (one or Decimal()) + (two or Decimal())


def _now() -> datetime:
    return datetime.now(UTC)
