"""Trying what is suggested against a cluster of failures, before anyone edits the context.

The suggestion is laid over a copy of the context, and the cluster's cases are asked again with a
sample of those that passed, so that both what it mends and what it breaks is seen. Train cases
alone: a held-out case that was tried on is held out no more.
"""

import hashlib
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from goldsuite.analysts.spec import read_spec
from goldsuite.context.overlay import Addition, lay_over
from goldsuite.errors import ConfigurationError, UsageError
from goldsuite.pipeline.asking import Display, RunRequest
from goldsuite.pipeline.evaluate import evaluate_suite
from goldsuite.pipeline.session import read_context
from goldsuite.pipeline.settings import Settings
from goldsuite.records.fix import Fix, read_fix
from goldsuite.records.outcomes import RunOutcomes, read_outcomes
from goldsuite.records.runs_dir import find_record
from goldsuite.runner.limits import Limits

__all__ = ["DEFAULT_GUARD", "TryRequest", "TryResult", "try_fix"]

DEFAULT_GUARD = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class TryRequest:
    """What to try, in the user's words."""

    run: str | None
    """Run id or path of a record; None for the latest."""
    cluster: str
    guard: int = DEFAULT_GUARD
    """How many of the cases that passed are asked again, at most."""
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, kw_only=True, slots=True)
class TryResult:
    """What became of the cases; every case asked is in exactly one of the five lists."""

    cluster: str
    of_run: str
    run_id: str
    """Of the partial run that the try was."""
    record: Path
    analyst: str
    file: str
    entry: str
    fixed: tuple[str, ...]
    still_failing: tuple[str, ...]
    broken: tuple[str, ...]
    """Passed before, and does not now."""
    kept: tuple[str, ...]
    errors: tuple[str, ...]
    """Ended in an error, so nothing is known of them."""
    total_cost: float | None
    """US dollars; None where not measured."""


def try_fix(settings: Settings, request: TryRequest, display: Display) -> TryResult:
    """Ask the cluster's cases, and a sample of those that passed, with the suggestion in place.

    Raises:
        UsageError: there is nothing to try, or nobody to ask.
        ConfigurationError: there is no context to lay anything over.
        GoldsuiteError: whatever else stops a run.
    """
    _check_asked(settings)
    fix = read_fix(find_record(request.run, settings.runs_dir), request.cluster)
    guard = _guard(fix, request.guard)
    context = read_context(settings, refresh=True)
    if context.resolved is None:
        raise ConfigurationError("no context: there is nothing to lay a definition over")
    with tempfile.TemporaryDirectory(prefix="goldsuite-try-") as folder:
        addition = Addition(file=fix.file, entry=fix.entry, metric=fix.metric)
        overlay = lay_over(context.resolved, Path(folder), addition)
        display.say(f"trying {fix.cluster}: {fix.file} of a copy of the context has it")
        path = evaluate_suite(
            replace(settings, context=overlay),
            RunRequest(
                split="train",
                cases=(*fix.cases, *guard),
                changelog=f"try {fix.cluster}",
                trying=f"{fix.cluster} of {fix.run_id}",
                limits=request.limits,
            ),
            display,
        )
    return _result(fix, guard, path, display)


def _check_asked(settings: Settings) -> None:
    spec = None if settings.analyst is None else read_spec(settings.analyst)
    if spec is not None and spec.kind == "replay":
        raise UsageError("a replay answers as before, whatever the context says: name an analyst")


def _guard(fix: Fix, size: int) -> tuple[str, ...]:
    """The same sample for the same run and cluster, so that a second try can be compared."""

    def draw(case: str) -> str:
        return hashlib.sha256(f"{fix.run_id}\0{fix.cluster}\0{case}".encode()).hexdigest()

    drawn = set(sorted(fix.passed, key=draw)[:size])
    return tuple(case for case in fix.passed if case in drawn)


def _result(fix: Fix, guard: Sequence[str], path: Path, display: Display) -> TryResult:
    # The questions are answered: what holds gold may be read from here on.
    from goldsuite.records.file import read_record

    record = read_record(path)
    if record.analyst != fix.analyst:
        display.say(
            f"warning: {record.analyst} was asked, and {fix.analyst} in run {fix.run_id}: what "
            "differs may be the analyst"
        )
    outcomes = read_outcomes(path)
    errors = set(outcomes.errors)
    return TryResult(
        cluster=fix.cluster,
        of_run=fix.run_id,
        run_id=record.run_id,
        record=path,
        analyst=record.analyst,
        file=fix.file,
        entry=fix.entry,
        fixed=_which(fix.cases, outcomes, errors, passed=True),
        still_failing=_which(fix.cases, outcomes, errors, passed=False),
        broken=_which(guard, outcomes, errors, passed=False),
        kept=_which(guard, outcomes, errors, passed=True),
        errors=outcomes.errors,
        total_cost=record.aggregate.total_cost,
    )


def _which(
    cases: Sequence[str], outcomes: RunOutcomes, errors: set[str], *, passed: bool
) -> tuple[str, ...]:
    got = {row[0]: row[2] for row in outcomes.cases}
    return tuple(case for case in cases if case not in errors and got.get(case) is passed)
