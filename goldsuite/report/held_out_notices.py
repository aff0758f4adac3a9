"""What to know of the held-out cases: looks, leaks, suspicious traces, train against test.

Nothing here shows a gold: cases are named by id, places in the context by file and line.
"""

from collections.abc import Collection, Iterator
from statistics import fmean

from goldsuite.model.grade import OUTSIDE
from goldsuite.model.held_out import HeldOutInfo, TrainAgainstTest
from goldsuite.model.run import CaseRecord, RunRecord
from goldsuite.report.figures import counted, percent

__all__ = ["held_out_notices"]

_NAMED = 8


def held_out_notices(record: RunRecord) -> Iterator[str]:
    """One sentence each; none for a run with nothing to tell."""
    if record.held_out is not None:
        yield from _looks(record.held_out)
    yield from _leaks(record)
    yield from _suspicions(record)
    if record.train_against_test is not None:
        yield _generalisation(record.train_against_test, own=record.run_id)


def _looks(info: HeldOutInfo) -> Iterator[str]:
    if info.look is not None:
        together = (
            f", shared by the {info.configurations} analysts of one command"
            if info.configurations > 1
            else ""
        )
        reason = f"; peeked: {info.peek}" if info.peek else ""
        yield (
            f"look {info.look} at this held-out set, for release {info.release!r} ({info.basis})"
            f"{together}{reason}"
        )
    elif info.looks:
        times = counted(info.looks, "time")
        yield f"the held-out cases of this suite were looked at {times} so far"
    for problem in info.problems:
        yield f"LEDGER TAMPERED WITH: {problem}"


def _leaks(record: RunRecord) -> Iterator[str]:
    for split, name in (("train", "train"), ("test", "held-out")):
        leaks = [leak for leak in record.leaks if leak.split == split]
        if not leaks:
            continue
        cases = dict.fromkeys(leak.case for leak in leaks)
        places = "; ".join(f"{x.case}: {x.kind} in {x.file}:{x.line}" for x in leaks[:_NAMED])
        more = f"; and {len(leaks) - _NAMED} more" if len(leaks) > _NAMED else ""
        text = f"the context held parts of {counted(len(cases), f'{name} case')} ({places}{more})"
        if asked := [case for case in record.cases if case.split == split and case.id in cases]:
            without = _accuracy(record.cases, leave_out={case.id for case in asked})
            text += f"; accuracy {percent(_accuracy(record.cases))}, and {percent(without)} without"
        yield text


def _accuracy(cases: Collection[CaseRecord], *, leave_out: Collection[str] = ()) -> float | None:
    """Mean over cases of the share of their trials that passed; None where nothing is left."""
    trials: dict[str, list[bool]] = {}
    for case in cases:
        if case.id not in leave_out and case.verdict not in OUTSIDE:
            trials.setdefault(case.id, []).append(case.passed)
    return fmean(fmean(passed) for passed in trials.values()) if trials else None


def _suspicions(record: RunRecord) -> Iterator[str]:
    found = [case for case in record.cases if case.suspicions]
    if found:
        told = "; ".join(f"{case.id}: {' '.join(case.suspicions)}" for case in found[:_NAMED])
        more = f"; and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
        yield (
            f"{counted(len(found), 'answer')} with a trace that looks as if the key had been seen, "
            f"to be read by a person: {told}{more}"
        )


def _generalisation(found: TrainAgainstTest, *, own: str) -> str:
    train = _score(found.train_passed, found.train_gradable)
    test = _score(found.test_passed, found.test_gradable)
    low, high = (100 * end for end in found.interval)
    run = "" if found.train_run == own else f" (run {found.train_run})"
    verdict = "overfit likely" if found.overfit_likely else "cannot claim overfit"
    other = "" if found.same_context else "; the train run read another context"
    return (
        f"train {train}{run} less test {test}: {100 * found.difference:+.0f} points, 95 % interval "
        f"{low:+.0f} to {high:+.0f}, Fisher p {found.p:.3f}: {verdict}{other}"
    )


def _score(passed: int, gradable: int) -> str:
    return f"{passed} of {gradable}"
