"""The one view of a comparison that every format draws.

Of a held-out case it holds the id and the verdicts, and nothing else.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from goldsuite.comparison.compare import Comparison, Outcome
from goldsuite.comparison.pairing import CasePair, CaseState
from goldsuite.comparison.partial import is_partial, partial_text
from goldsuite.comparison.score_changes import ScoreChange
from goldsuite.model.run import CaseRecord, RunRecord
from goldsuite.report.compare_wording import TEST_LABEL, TEST_NOTE, changes_of, needed_text
from goldsuite.report.deltas import (
    FIGURE_LABEL,
    change_text,
    figure_text,
    interval_text,
    points,
    signed,
)
from goldsuite.report.figures import ABSENT, counted, percent

__all__ = ["CompareView", "FigureRow", "ModeRow", "PairRow", "view_comparison"]


@dataclass(frozen=True, kw_only=True, slots=True)
class FigureRow:
    label: str
    first: str
    second: str
    change: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ModeRow:
    mode: str
    first: int
    second: int


@dataclass(frozen=True, kw_only=True, slots=True)
class PairRow:
    """One case in both runs."""

    id: str
    state: CaseState
    held_out: bool
    first: str
    """The verdict, or how many trials passed."""
    second: str
    first_answer: str
    """Empty where it is held-out."""
    second_answer: str
    detail: str
    """Failure mode and change of the similarity; or why the case is not compared."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CompareView:
    title: str
    first: str
    second: str
    warnings: tuple[str, ...]
    """Why the two should not be compared; empty where nothing forbids it."""
    changes: tuple[str, ...]
    """What is known to differ between the analysts."""
    outcome: Outcome
    accuracy: str
    counts: str
    meaning: str
    figures: tuple[FigureRow, ...]
    modes: tuple[ModeRow, ...]
    drops: tuple[str, ...]
    stable_but_differ: tuple[str, ...]
    regressions: tuple[PairRow, ...]
    wins: tuple[PairRow, ...]
    rows: tuple[PairRow, ...]
    """Every pair: broken first, then fixed, still failing, not compared, kept."""
    notices: tuple[str, ...]

    def of(self, state: CaseState) -> tuple[PairRow, ...]:
        """The pairs in `state`."""
        return tuple(row for row in self.rows if row.state is state)


_ORDER = (
    CaseState.BROKEN,
    CaseState.FIXED,
    CaseState.STILL_FAILING,
    CaseState.NOT_COMPARED,
    CaseState.KEPT,
)


def view_comparison(found: Comparison) -> CompareView:
    """Build the view of a comparison."""
    held_out = {pair.id for pair in found.pairing.pairs if pair.split == "test"}
    return CompareView(
        title=f"{found.second.suite.name}: {found.second.split}, two runs compared",
        first=_side(found.first),
        second=_side(found.second),
        warnings=tuple(obstacle.text for obstacle in found.obstacles),
        changes=tuple(changes_of(found.first, found.second)),
        outcome=found.outcome,
        accuracy=_accuracy(found),
        counts=_counts(found),
        meaning=_meaning(found),
        figures=tuple(_figures(found)),
        modes=tuple(
            ModeRow(mode=change.mode.value, first=change.first, second=change.second)
            for change in found.modes
        ),
        drops=tuple(_drops(found, held_out)),
        stable_but_differ=tuple(_stable(found)),
        regressions=tuple(map(_row, found.regressions)),
        wins=tuple(map(_row, found.wins)),
        rows=tuple(_row(pair) for state in _ORDER for pair in found.pairing.of(state)),
        notices=tuple(_notices(found)),
    )


def _side(record: RunRecord) -> str:
    parts = [record.run_id, record.analyst, *([record.model] if record.model else [])]
    parts += [f"“{record.changelog}”"] if record.changelog else []
    return " · ".join(parts)


def _accuracy(found: Comparison) -> str:
    accuracy = next(figure for figure in found.figures if figure.name == "accuracy")
    text = f"accuracy {percent(accuracy.first)} → {percent(accuracy.second)}"
    if found.gain is None:
        return text
    interval = ""
    if found.gain_interval is not None:
        low, high = (signed(100 * end, 0) for end in found.gain_interval)
        interval = f", 95 % interval {low} to {high}"
    return f"{text} ({points(found.gain)}{interval})"


def _counts(found: Comparison) -> str:
    pairing = found.pairing
    states = (CaseState.KEPT, CaseState.FIXED, CaseState.BROKEN, CaseState.STILL_FAILING)
    told = ", ".join(f"{len(pairing.of(s))} {s.value.replace('_', ' ')}" for s in states)
    p_value = "" if found.p_value is None else f"; {TEST_LABEL[found.test]} p = {_p(found.p_value)}"
    return f"{counted(len(pairing.compared), 'case')} compared: {told}{p_value}"


def _p(p_value: float) -> str:
    return f"{p_value:.3f}" if p_value >= 0.001 else "below 0.001"


def _meaning(found: Comparison) -> str:
    if found.p_value is None:
        return "No case could be compared by its verdict."
    if found.outcome is Outcome.IMPROVED:
        return "More cases were fixed than chance explains (p < 0.05)."
    if found.outcome is Outcome.REGRESSED:
        return "More cases were broken than chance explains (p < 0.05)."
    return needed_text(found.cases_needed, len(found.pairing.compared))


def _figures(found: Comparison) -> Iterator[FigureRow]:
    for figure in found.figures:
        if figure.first is None and figure.second is None:
            continue
        sides = [
            f"{figure_text(value, figure.unit)}{f' ({ends})' if ends else ''}"
            for value, ends in (
                (figure.first, interval_text(figure.first_interval, figure.unit)),
                (figure.second, interval_text(figure.second_interval, figure.unit)),
            )
        ]
        change = change_text(figure)
        yield FigureRow(
            label=FIGURE_LABEL[figure.name], first=sides[0], second=sides[1], change=change
        )


def _drops(found: Comparison, held_out: set[str]) -> Iterator[str]:
    """Scores that fell by much; of held-out cases their number alone."""
    for figure in found.figure_drops:
        label = FIGURE_LABEL[figure.name]
        yield f"{label} of the run fell: {figure.first:.2f} → {figure.second:.2f}"
    hidden = {change.case for change in found.drops if change.case in held_out}
    for change in found.drops:
        if change.case not in held_out:
            yield f"{change.case}: {_what(change)} {change.first:.2f} → {change.second:.2f}"
    if hidden:
        yield f"{counted(len(hidden), 'held-out case')} with a score that fell"


def _what(change: ScoreChange) -> str:
    if change.kind == "criterion":
        return f"judge on “{change.criterion}”"
    return f"{change.kind} score"


def _stable(found: Comparison) -> Iterator[str]:
    for case in found.stable_but_differ:
        if case.split == "test":
            yield case.case
        else:
            yield f"{case.case}: {case.first} → {case.second}"


def _row(pair: CasePair) -> PairRow:
    held_out = pair.split == "test"
    return PairRow(
        id=pair.id,
        state=pair.state,
        held_out=held_out,
        first=_verdict(pair.first),
        second=_verdict(pair.second),
        first_answer="" if held_out else _answer(pair.first),
        second_answer="" if held_out else _answer(pair.second),
        detail=pair.why_not if pair.why_not or held_out else _detail(pair),
    )


def _verdict(trials: Sequence[CaseRecord]) -> str:
    if not trials:
        return ABSENT
    if len(trials) == 1:
        return trials[0].verdict.value.replace("_", " ")
    return f"{sum(trial.passed for trial in trials)} of {len(trials)} passed"


def _answer(trials: Sequence[CaseRecord]) -> str:
    """What was said: of several trials the first that stands for its side."""
    passed = sum(trial.passed for trial in trials) * 2 > len(trials)
    shown = next((trial for trial in trials if trial.passed is passed), None)
    if shown is None:
        return ABSENT
    return shown.analyst_value or ("rows of its SQL" if shown.analyst_query else ABSENT)


def _detail(pair: CasePair) -> str:
    parts = [mode for mode in (_mode(pair.first), _mode(pair.second)) if mode]
    text = " → ".join(dict.fromkeys(parts))
    similar = [_similarity(pair.first), _similarity(pair.second)]
    if None not in similar and similar[0] != similar[1]:
        shown = " → ".join(f"{value:.2f}" for value in similar if value is not None)
        text += f"{'; ' if text else ''}similarity {shown}"
    return text


def _mode(trials: Iterable[CaseRecord]) -> str | None:
    return next((trial.failure_mode.value for trial in trials if trial.failure_mode), None)


def _similarity(trials: Iterable[CaseRecord]) -> float | None:
    told = [trial.query_similarity for trial in trials if trial.query_similarity is not None]
    return sum(told) / len(told) if told else None


def _notices(found: Comparison) -> Iterator[str]:
    pairing = found.pairing
    for record, only, which in (
        (found.first, pairing.only_first, "first"),
        (found.second, pairing.only_second, "second"),
    ):
        if is_partial(record):
            yield f"the {which} run is partial: {partial_text(record)}"
        if only:
            yield f"{counted(len(only), 'case')} of the {which} run alone: left out"
    if found.test == "sign_flip_midp":
        yield TEST_NOTE
    if any(row.split == "test" for row in pairing.pairs):
        yield "held-out cases: ids and verdicts only. What is tuned on them is held out no longer"
