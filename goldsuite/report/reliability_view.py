"""What reliability found, as text, Markdown and JSON; of held-out cases ids and verdicts alone."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from goldsuite.comparison.reliability import CaseReliability, PassRate, Reliability, Stability
from goldsuite.report.deltas import percent_range
from goldsuite.report.figures import ABSENT, counted, percent, printable, shorten
from goldsuite.report.markdown import markdown_table, markdown_text
from goldsuite.report.text_table import text_table

__all__ = ["reliability_json", "reliability_markdown", "reliability_text"]

_HEADS = ("case", "verdict", "agree", "passed", "mean", "cv", "dictionary", "values")
_VERDICT = {
    Stability.STABLE: "STABLE",
    Stability.DRIFT: "DRIFT",
    Stability.DEFINITIONS_DIFFER: "definitions differ",
    Stability.UNKNOWN: "UNKNOWN",
}
_HOW = {"exact": " (exact)", "within_tolerance": " (within 2 %)", None: ""}


_UNKNOWN = (
    "note: UNKNOWN where fewer than two answers, or fewer than half, could be read; answers that "
    "are rows are in no record"
)


def reliability_text(found: Reliability) -> str:
    """At most a line a case, and what they come to."""
    lines = [*_summary(found), "", *text_table(_HEADS, [_cells(case) for case in found.cases])]
    lines += _ending(found)
    return "".join(f"{printable(line).rstrip()}\n" for line in lines)


def reliability_markdown(found: Reliability) -> str:
    """The same as Markdown; what agents said is escaped."""
    rows = [tuple(map(markdown_text, _cells(case))) for case in found.cases]
    lines = ["# Reliability", ""]
    for line in _summary(found):
        lines += [markdown_text(line), ""]
    lines += [markdown_table(_HEADS, rows), *map(markdown_text, _ending(found))]
    return "\n".join(lines) + "\n"


def reliability_json(found: Reliability) -> str:
    """Every figure as a number, what was not measured as null."""
    plain = {
        "runs": found.runs,
        "counts": {kind.value: count for kind, count in found.counts().items()},
        "exact": _how(found, "exact"),
        "within_tolerance": _how(found, "within_tolerance"),
        "agreement": found.agreement,
        "agreement_interval": _ends(found.agreement_interval),
        "pass_rates": [
            {
                "k": rate.k,
                "cases": rate.cases,
                "pass_at_k": rate.pass_at,
                "pass_at_k_interval": _ends(rate.pass_at_interval),
                "pass_hat_k": rate.pass_hat,
                "pass_hat_k_interval": _ends(rate.pass_hat_interval),
            }
            for rate in found.rates
        ],
        "flaky": [case.id for case in found.cases if case.is_flaky],
        "cases": [_case_json(case) for case in found.cases],
    }
    return json.dumps(plain, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


_SHOWN = frozenset({"id", "split", "trials", "left_out", "stability", "how", "graded", "passed"})
"""What is told of a held-out case."""


def _case_json(case: CaseReliability) -> dict[str, Any]:
    plain = asdict(case) | {"flaky": case.is_flaky}
    if case.split != "test":
        return plain
    return {name: value for name, value in plain.items() if name in _SHOWN or name == "flaky"}


def _ends(interval: Any) -> tuple[float, float] | None:
    return None if interval is None else (interval.low, interval.high)


def _how(found: Reliability, how: str) -> int:
    return sum(case.how == how for case in found.cases)


def _summary(found: Reliability) -> Iterator[str]:
    counts = found.counts()
    yield f"reliability of {counted(len(found.cases), 'case')} ({', '.join(found.runs)})"
    exact, close = _how(found, "exact"), _how(found, "within_tolerance")
    yield (
        f"{counts[Stability.STABLE]} STABLE ({exact} exact, {close} within 2 %), "
        f"{counts[Stability.DRIFT]} DRIFT, "
        f"{counts[Stability.DEFINITIONS_DIFFER]} definitions differ, "
        f"{counts[Stability.UNKNOWN]} UNKNOWN"
    )
    if found.agreement is not None and found.agreement_interval is not None:
        ends = percent_range(found.agreement_interval.low, found.agreement_interval.high)
        yield f"agreement {percent(found.agreement)} (95 % interval {ends}, clustered by case)"
    for rate in _shown_rates(found.rates):
        yield _rate(rate)


def _shown_rates(rates: Sequence[PassRate]) -> Sequence[PassRate]:
    """The first and the last k: one try, and all of them."""
    return rates if len(rates) < 3 else (rates[0], rates[-1])


def _rate(rate: PassRate) -> str:
    at, hat = rate.pass_at_interval, rate.pass_hat_interval
    return (
        f"pass@{rate.k} {percent(rate.pass_at)} ({percent_range(at.low, at.high)}), "
        f"pass^{rate.k} {percent(rate.pass_hat)} ({percent_range(hat.low, hat.high)}), "
        f"{counted(rate.cases, 'case')}"
    )


def _cells(case: CaseReliability) -> tuple[str, ...]:
    held_out = case.split == "test"
    passed = f"{case.passed}/{case.graded}" if case.graded else ABSENT
    source = f"{case.used_dictionary}/{case.told_definition}" if case.told_definition else ABSENT
    return (
        shorten(case.id, 28),
        f"{_VERDICT[case.stability]}{_HOW[case.how]}",
        ABSENT if held_out or case.agreement is None else percent(case.agreement),
        passed,
        ABSENT if held_out or case.mean is None else f"{case.mean:,.6g}",
        ABSENT if held_out or case.variation is None else f"{case.variation:.3f}",
        ABSENT if held_out else source,
        "held out" if held_out else shorten(_values(case), 48) or ABSENT,
    )


def _values(case: CaseReliability) -> str:
    return ", ".join(
        f"{shorten(value.value, 20)}{f' ×{value.count}' if value.count > 1 else ''}"
        for value in case.values
    )


def _ending(found: Reliability) -> list[str]:
    lines = []
    flaky = [f"{c.id} ({c.passed}/{c.graded})" for c in found.cases if c.is_flaky]
    if flaky:
        lines += ["", f"flaky, right in some trials and not in others: {', '.join(flaky)}"]
    left_out = sum(case.left_out for case in found.cases)
    if left_out:
        trials = counted(left_out, "trial")
        lines += ["", f"note: {trials} left out, in which the analyst's service failed"]
    if any(case.stability is Stability.UNKNOWN for case in found.cases):
        lines += ["", _UNKNOWN]
    return lines
