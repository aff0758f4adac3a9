"""An audit of a suite as text and as Markdown: what to mend first, then what the numbers are."""

from collections.abc import Iterator, Sequence

from goldsuite.audit.findings import CaseAudit, SuiteAudit
from goldsuite.report.figures import counted, percent, printable
from goldsuite.report.text_table import text_table

__all__ = ["audit_json", "audit_markdown", "audit_text"]

_SHOWN = 5
"""Survivors of one case in the text; all of them are in the JSON."""
_OF_DICTIONARY = "of the dictionary"


def audit_text(audit: SuiteAudit) -> str:
    """For the terminal."""
    return "".join(f"{printable(line)}\n" for line in _lines(audit))


def audit_markdown(audit: SuiteAudit) -> str:
    """The same as a document."""
    return "".join(f"{line}\n" for line in _markdown(audit))


def audit_json(audit: SuiteAudit) -> dict[str, object]:
    """As plain values, the scores with it."""
    from dataclasses import asdict

    plain = asdict(audit)
    for row, case in zip(plain["cases"], audit.cases, strict=True):
        row["weak"] = case.is_weak
        if case.strength is not None:
            row["strength"]["score"] = case.strength.score
    return {"suite": plain.pop("suite"), "score": audit.score, "sound": audit.is_sound, **plain}


def _lines(audit: SuiteAudit) -> Iterator[str]:
    yield f"suite      {audit.suite}: {counted(len(audit.cases), 'case')}"
    yield f"golds      {_golds(audit)}"
    for case in audit.cases:
        yield from (f"  {case.id}: {fault.code}: {fault.message}" for fault in case.faults)
    yield f"strength   {_strength(audit)}"
    for case in _weakest(audit.cases):
        yield f"  {case.id}: {_told(case)}"
        yield from (f"    passes: {line}" for line in _survivors(case))
        yield from (f"    mend: {line}" for line in _suggestions(case))
    for title, lines in _sections(audit):
        yield f"{title:<10} {'none found' if not lines else ''}".rstrip()
        yield from (f"  {line}" for line in lines)


def _markdown(audit: SuiteAudit) -> Iterator[str]:
    yield from (f"# Audit of {_escaped(audit.suite)}", "")
    yield f"- Golds: {_golds(audit)}"
    yield f"- Strength: {_strength(audit)}"
    faulty = [case for case in audit.cases if case.faults]
    if faulty:
        yield from (
            "",
            "## Golds to look at",
            "",
            "| case | finding | what |",
            "| --- | --- | --- |",
        )
        for case in faulty:
            for fault in case.faults:
                cells = map(_escaped, (case.id, fault.code, fault.message))
                yield f"| {' | '.join(cells)} |"
    weak = _weakest(audit.cases)
    if weak:
        yield from ("", "## Weak cases", "", "| case | told apart | passes | what would help |")
        yield "| --- | --- | --- | --- |"
        for case in weak:
            passes, mend = "; ".join(_survivors(case)), " ".join(_suggestions(case))
            cells = map(_escaped, (case.id, _told(case), passes, mend))
            yield f"| {' | '.join(cells)} |"
    for title, lines in _sections(audit):
        yield from ("", f"## {title.capitalize()}", "")
        yield from (f"- {_escaped(line)}" for line in lines or ["none found"])


def _golds(audit: SuiteAudit) -> str:
    faults = sum(bool(case.faults) for case in audit.cases)
    return f"{counted(faults, 'case')} with a finding" if faults else "nothing found"


def _strength(audit: SuiteAudit) -> str:
    tried = sum(case.strength.tried for case in audit.cases if case.strength)
    weak = sum(case.is_weak for case in audit.cases)
    return (
        f"{percent(audit.score)} of faulty queries are told apart, mean over cases; "
        f"{tried:,} tried; cases that let one pass: {weak}"
    )


def _weakest(cases: Sequence[CaseAudit]) -> list[CaseAudit]:
    """Those that let a fault pass, the weakest first."""
    weak = [case for case in cases if case.is_weak]
    return sorted(weak, key=lambda case: (case.strength and case.strength.score) or 0.0)


def _told(case: CaseAudit) -> str:
    strength = case.strength
    return "" if strength is None else f"{strength.told_apart} of {strength.tried} told apart"


def _survivors(case: CaseAudit) -> list[str]:
    strength = case.strength
    if strength is None or case.hidden:
        return ["held out: see it with --reveal"] if case.hidden else []
    shown = [
        f"{each.kind and each.kind.value}: {each.what} ({_closeness(is_same=each.is_same)})"
        for each in strength.survivors[:_SHOWN]
    ]
    more = len(strength.survivors) - _SHOWN
    return [*shown, *([f"and {more} more"] if more > 0 else [])]


def _closeness(*, is_same: bool) -> str:
    return "same value" if is_same else "within tolerance"


def _suggestions(case: CaseAudit) -> tuple[str, ...]:
    return case.strength.suggestions if case.strength else ()


def _sections(audit: SuiteAudit) -> Iterator[tuple[str, list[str]]]:
    yield (
        "duplicates",
        [
            f"{pair.first} and {pair.second} ask nearly the same ({percent(pair.likeness)})"
            for pair in audit.near_duplicates
        ],
    )
    yield (
        "leakage",
        [
            f"train {', '.join(each.train)} and test {', '.join(each.test)}: "
            f"{'the same gold query' if each.same else 'the same gold query but for literals'}"
            for each in audit.shared_golds
        ],
    )
    yield "leaks", list(audit.leaks)
    yield "coverage", list(_gaps(audit))
    yield "power", list(_power(audit))


def _gaps(audit: SuiteAudit) -> Iterator[str]:
    gaps = audit.coverage
    named = (
        ("tables that no gold reads", gaps.tables),
        (f"metrics {_OF_DICTIONARY} without a case", gaps.metrics),
        (f"dimensions {_OF_DICTIONARY} without a case", gaps.dimensions),
        ("metrics of cases that the dictionary does not define", gaps.undefined_metrics),
        ("kinds of answer that no case asks for", gaps.kinds),
    )
    yield from (f"{what}: {', '.join(names)}" for what, names in named if names)


def _power(audit: SuiteAudit) -> Iterator[str]:
    rows = [
        [
            split.split,
            counted(split.cases, "case"),
            "no gain at all would be shown"
            if split.detectable_gain is None
            else f"a gain of {100 * split.detectable_gain:.0f} points is shown 4 times out of 5",
        ]
        for split in audit.power
    ]
    yield from text_table(None, rows)


def _escaped(text: str) -> str:
    return printable(text).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")
