"""The lines of a report on how an analyst worked, and on what a judge made of it."""

from collections.abc import Iterator

from goldsuite.model.process import ProcessFigures
from goldsuite.model.run import CaseRecord, RunRecord
from goldsuite.report.figures import ABSENT, counted, money, percent

__all__ = ["judge_lines", "process_lines", "score_text"]

_PARTS = (
    ("tools", "tool_accuracy"),
    ("triggers", "trigger_accuracy"),
    ("arguments", "argument_accuracy"),
    ("turns", "turn_efficiency"),
    ("steps", "step_efficiency"),
)
_MOST_MISSING = 20


def score_text(score: float | None) -> str:
    """A judge's score, `4.25`."""
    return ABSENT if score is None else f"{score:.2f}"


def process_lines(record: RunRecord) -> tuple[str, ...]:
    """The figures, each target, and which cases lacked a tool or skill; empty without scores."""
    figures = record.aggregate.process
    if figures is None:
        return ()
    return (
        _process(figures, record.process_preset),
        *_targets(figures),
        *_missing(record.cases),
    )


def _process(figures: ProcessFigures, preset: str | None) -> str:
    measured = ((name, getattr(figures, field)) for name, field in _PARTS)
    parts = ", ".join(f"{name} {percent(v)}" for name, v in measured if v is not None)
    trials = counted(figures.trials, "trial")
    score = f"score {percent(figures.score)} ({preset or 'mean'})"
    rate = "" if figures.pass_rate is None else f", {percent(figures.pass_rate)} pass"
    return f"{score}{rate} over {trials}: {parts or 'no part was told'}"


def _targets(figures: ProcessFigures) -> Iterator[str]:
    for name, target in figures.targets.items():
        judge = "" if target.judge_score is None else f", judge {score_text(target.judge_score)}"
        yield (
            f"target {name}: {counted(target.cases, 'case')}, triggers "
            f"{percent(target.trigger_accuracy)}, score {percent(target.score)}{judge}"
        )


def _missing(cases: tuple[CaseRecord, ...]) -> Iterator[str]:
    lacking = [
        f"{case.id} ({', '.join((*case.process.missing_tools, *case.process.missing_skills))})"
        for case in cases
        if case.process and (case.process.missing_tools or case.process.missing_skills)
    ]
    names = list(dict.fromkeys(lacking))
    if names:
        more = f" and {len(names) - _MOST_MISSING} more" if len(names) > _MOST_MISSING else ""
        yield f"expected and not used: {', '.join(names[:_MOST_MISSING])}{more}"


def judge_lines(record: RunRecord) -> tuple[str, ...]:
    """The judge's figures, and a line for each trial that it did not pass or failed on."""
    info, figures = record.judge, record.aggregate.judge
    if info is None or figures is None:
        return ()
    composite = (
        ""
        if figures.avg_composite is None
        else f", composite {percent(figures.avg_composite)} where its parts were measured"
    )
    errors = f", {counted(figures.errors, 'error')} of the judge" if figures.errors else ""
    summary = (
        f"{info.model}: {figures.passed} of {figures.judged} pass (score {info.pass_at:g} or more)"
        f"{errors}; mean score {score_text(figures.avg_score)} of 5{composite}; "
        f"cost {money(figures.total_cost)}, apart from the analyst's"
    )
    return (summary, *_remarks(record))


def _remarks(record: RunRecord) -> Iterator[str]:
    several = any(case.trial > 1 for case in record.cases)
    for case in record.cases:
        result = case.judge
        if result is None or result.passed:
            continue
        name = f"{case.id} (trial {case.trial})" if several else case.id
        if result.error is not None:
            yield f"{name}: not judged: {result.error}"
            continue
        said = f": {result.feedback}" if result.feedback else ""
        yield f"{name}: {score_text(result.score)} {result.verdict}{said}"
