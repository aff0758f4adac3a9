"""Judging a finished run: its locked answers and the suite's rubrics go to a judge, and what that
makes of them is added to the record. No verdict changes.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from goldsuite.analysts.prices import read_prices
from goldsuite.comparison.process import judge_figures, process_figures
from goldsuite.errors import (
    ConfigurationError,
    Fault,
    RecordError,
    RefusedError,
    SuiteError,
    UsageError,
)
from goldsuite.grading.process import parts_of, rescore
from goldsuite.grading.process_presets import COMPOSITE, DEFAULT_PRESET, PRESETS, combine
from goldsuite.judging.instructions import instructions_sha256
from goldsuite.judging.material import Material, material_of
from goldsuite.judging.spec import JudgeSpec, read_judge
from goldsuite.model.grade import Verdict
from goldsuite.model.judge import DEFAULT_PASS_AT, JudgeInfo, JudgeResult
from goldsuite.model.key import Criterion, GoldSuite
from goldsuite.model.process import Preset
from goldsuite.model.run import CaseRecord, RunRecord
from goldsuite.pipeline.settings import Settings
from goldsuite.records.file import read_record, write_record
from goldsuite.records.runs_dir import answers_path, keep_earlier
from goldsuite.report.figures import counted
from goldsuite.runner.journal import read_journal
from goldsuite.runner.lock import LockState, verify_lock
from goldsuite.runner.throttle import Throttle
from goldsuite.suite.key import load_key

if TYPE_CHECKING:
    from goldsuite.judging.judge import Judge

__all__ = ["DEFAULT_LAST_MESSAGES", "WITHOUT_RUBRIC", "JudgeRequest", "judge_record"]

DEFAULT_LAST_MESSAGES = 40

WITHOUT_RUBRIC = Criterion(
    criterion="The question is answered: the final answer is what was asked for, and the work that "
    "is shown supports it.",
    weight=Decimal(1),
)
"""By which a case is judged that has no rubric of its own."""

_Trial: TypeAlias = tuple[str, int]
"""A case's id and the number of the trial."""


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgeRequest:
    """What to have judged, in the user's words."""

    every_case: bool = False
    """Also cases without a rubric of their own."""
    also_failed: bool = False
    """Also trials that the deterministic checks failed."""
    pass_at: float = DEFAULT_PASS_AT
    last_messages: int = DEFAULT_LAST_MESSAGES
    again: bool = False
    """Also what this judge has judged already."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Task:
    """One trial to be judged."""

    trial: _Trial
    material: Material
    criteria: tuple[Criterion, ...]


def judge_record(
    settings: Settings, path: Path, request: JudgeRequest, *, say: Callable[[str], None]
) -> RunRecord:
    """Judge the run whose record stands at `path`, and write the record anew.

    The record that was there is kept beside the answers. What was judged stays where the judging is
    stopped in the middle; the next time only the rest is judged.

    Raises:
        RefusedError: the answers are not those that were locked.
        RecordError: the record or its answers cannot be read.
        SuiteError: the suite has faults, or no longer asks what the run asked.
        ConfigurationError: no judge is named, or there are no credentials for it.
        SpendLimitError: the account can spend no more.
    """
    if settings.judge is None:
        raise ConfigurationError(
            'no judge: give --judge MODEL, or write `judge = "..."` in goldsuite.toml '
            f"({settings.origin})"
        )
    spec = read_judge(settings.judge)
    record = read_record(path)
    _verify(path, record)
    suite = load_key(settings.suite)
    info = _info(spec, request, suite)
    kept = {} if request.again else _kept(record, suite, info)
    chosen = _chosen(record, suite, request)
    todo = _tasks(path, record, {t: c for t, c in chosen.items() if t not in kept}, request)
    done = {trial: result for trial, result in kept.items() if trial in chosen}
    say(
        f"judge {info.model}: {counted(len(todo), 'trial')} to judge"
        + (f", {len(done)} judged before" if done else "")
        + f"; {len(record.cases) - len(chosen)} of {len(record.cases)} not for the judge"
    )
    settled = record.judge is not None and record.judge.pass_at == info.pass_at
    if not chosen or (not todo and settled):
        return record
    judge = _open(settings, spec)
    info = replace(info, prices=judge.prices)
    before = len(done)
    try:
        asyncio.run(_judge_all(judge, settings, info, todo, done, say))
    finally:
        # Also where it was interrupted, or the account ran dry: what was judged is paid for.
        if len(done) > before or not todo:
            record = _with_results(record, done, info)
            keep_earlier(path)
            write_record(record, path)
    return record


def _open(settings: Settings, spec: JudgeSpec) -> "Judge":
    from goldsuite.judging.judge import Judge

    name = spec.options.get("prices")
    prices = None if name is None else settings.judge_base / Path(name).expanduser()
    throttle = Throttle(limit=settings.concurrency)
    return Judge.open(spec, pace=throttle, prices=read_prices(prices))


def _verify(path: Path, record: RunRecord) -> None:
    state = verify_lock(answers_path(path), sha256=record.answers_sha256)
    if state is LockState.CHANGED:
        raise RefusedError(
            f"{answers_path(path)}: has changed since it was locked, so it is no longer what the "
            "analyst said; it is not judged"
        )
    if state is LockState.MISSING:
        raise RecordError(
            f"{answers_path(path)}: there is no such file. The judge reads what the analyst did "
            "there: put it back beside the record."
        )


def _info(spec: JudgeSpec, request: JudgeRequest, suite: GoldSuite) -> JudgeInfo:
    return JudgeInfo(
        model=spec.model,
        options=dict(spec.options),
        judged_at=datetime.now(UTC),
        pass_at=request.pass_at,
        every_case=request.every_case,
        also_failed=request.also_failed,
        last_messages=request.last_messages,
        suite_sha256=suite.sha256,
        instructions_sha256=instructions_sha256(),
        prices="",
    )


# -- Which trials ----------------------------------------------------------------------------------


def _chosen(
    record: RunRecord, suite: GoldSuite, request: JudgeRequest
) -> dict[_Trial, tuple[Criterion, ...]]:
    """The trials that are for the judge, with their criteria."""
    preset = _preset(record)
    found = {}
    for case in record.cases:
        criteria = _criteria(case, suite, every_case=request.every_case)
        if criteria and case.error is None and (request.also_failed or _passed(case, preset)):
            found[case.id, case.trial] = criteria
    return found


def _criteria(case: CaseRecord, suite: GoldSuite, *, every_case: bool) -> tuple[Criterion, ...]:
    gold = suite.by_id.get(case.id)
    if gold is None or gold.question != case.question:
        what = "is not in it" if gold is None else "asks something else there"
        message = f"case {case.id!r} of the run {what}. Name the run's own suite with --suite."
        raise SuiteError(
            [Fault(file=suite.file, line=None if gold is None else gold.line, message=message)]
        )
    return gold.rubric or ((WITHOUT_RUBRIC,) if every_case else ())


def _passed(case: CaseRecord, preset: Preset) -> bool:
    """Whether everything that can be checked without a judge was fulfilled."""
    right = case.passed or case.verdict is Verdict.NO_GOLD
    # Without an earlier judge's score, which may stand in the record's.
    process = case.process and rescore(case.process, preset)
    return right and (process is None or process.passed is not False)


def _preset(record: RunRecord) -> Preset:
    name = record.process_preset or DEFAULT_PRESET
    if name not in PRESETS:
        raise UsageError(f"run {record.run_id}: its preset {name!r} is not known to this version")
    return PRESETS[name]


def _kept(record: RunRecord, suite: GoldSuite, info: JudgeInfo) -> dict[_Trial, JudgeResult]:
    """What this very judge made of the same trials by the same rubrics; errors are no result."""
    before = record.judge
    same = before is not None and (
        (before.model, before.options, before.instructions_sha256, before.last_messages)
        == (info.model, info.options, info.instructions_sha256, info.last_messages)
    )
    kept = {}
    for case in record.cases if same else ():
        result = case.judge
        if result is None or result.score is None:
            continue
        judged_by = [(each.criterion, each.weight) for each in result.criteria]
        criteria = _criteria(case, suite, every_case=True)
        if judged_by == [(each.criterion, float(each.weight)) for each in criteria]:
            passed = result.score >= info.pass_at - 1e-9
            kept[case.id, case.trial] = replace(result, passed=passed)
    return kept


def _tasks(
    path: Path,
    record: RunRecord,
    chosen: Mapping[_Trial, tuple[Criterion, ...]],
    request: JudgeRequest,
) -> list[_Task]:
    if not chosen:
        return []
    answers = {(each.id, each.trial): each.reply for each in read_journal(answers_path(path))}
    asked = {(case.id, case.trial): case.paraphrase or case.question for case in record.cases}
    return [
        _Task(
            trial=trial,
            material=material_of(asked[trial], answers[trial], last=request.last_messages),
            criteria=criteria,
        )
        for trial, criteria in chosen.items()
    ]


# -- Judging ---------------------------------------------------------------------------------------


async def _judge_all(
    judge: "Judge",
    settings: Settings,
    info: JudgeInfo,
    tasks: Sequence[_Task],
    done: dict[_Trial, JudgeResult],
    say: Callable[[str], None],
) -> None:
    """Judge every task into `done`."""
    places = asyncio.Semaphore(settings.concurrency)
    deadline_s = settings.timeout + settings.max_wait

    async def one(task: _Task) -> None:
        async with places:
            try:
                async with asyncio.timeout(deadline_s):
                    result = await judge.judge(task.material, task.criteria, pass_at=info.pass_at)
            except TimeoutError:
                result = JudgeResult(error=f"the judge gave no result within {deadline_s:g} s")
        done[task.trial] = result
        if result.error is not None:
            say(f"warning: {task.trial[0]}: not judged: {result.error}")

    try:
        async with asyncio.TaskGroup() as group:
            for task in tasks:
                group.create_task(one(task))
    except ExceptionGroup as failures:
        raise failures.exceptions[0] from None
    finally:
        await judge.aclose()


def _with_results(
    record: RunRecord, results: Mapping[_Trial, JudgeResult], info: JudgeInfo
) -> RunRecord:
    preset = _preset(record)
    cases = tuple(
        _judged(case, results.get((case.id, case.trial)), preset) for case in record.cases
    )
    aggregate = replace(
        record.aggregate, process=process_figures(cases), judge=judge_figures(cases)
    )
    return replace(record, cases=cases, aggregate=aggregate, judge=info)


def _judged(case: CaseRecord, result: JudgeResult | None, preset: Preset) -> CaseRecord:
    score = None if result is None else result.score
    process = case.process and rescore(case.process, preset, judge_score=score)
    if result is not None:
        composite = combine(parts_of(process, score), COMPOSITE).score
        result = replace(result, composite=composite)
    return replace(case, process=process, judge=result)
