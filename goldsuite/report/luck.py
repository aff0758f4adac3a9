"""Passes that were luck: the small database that tells the two queries apart, as lines of text."""

from collections.abc import Iterator
from dataclasses import dataclass

from goldsuite.model.coincidence import (
    Coincidence,
    CoincidenceVerdict,
    Counterexample,
    ShownCell,
    ShownTable,
)
from goldsuite.model.run import CaseRecord, RunRecord
from goldsuite.report.figures import counted
from goldsuite.report.text_table import text_table

__all__ = ["LuckyPass", "coincidence_lines", "luck_summary", "lucky_passes"]

_LUCKY = (
    CoincidenceVerdict.REFUTED,
    CoincidenceVerdict.REFUTED_ONLY_IF_FK_BREAKS,
)
_METHODS = {
    "canonical_form": "by one canonical form",
    "local": "in a DuckDB of goldsuite's own",
    "warehouse": "in the warehouse",
    "transpiled": "transpiled to DuckDB, whose rules may differ",
}
_MEANING = {
    CoincidenceVerdict.PROVEN: "proven: both queries have one canonical form",
    CoincidenceVerdict.REFUTED: "refuted: right on today's data by luck",
    CoincidenceVerdict.REFUTED_ONLY_IF_FK_BREAKS: (
        "refuted only if a foreign key breaks: the queries differ where a row refers to one that "
        "is not there"
    ),
    CoincidenceVerdict.NOT_REFUTED: "not refuted, which proves nothing",
    CoincidenceVerdict.NOT_APPLICABLE: "not applicable",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class LuckyPass:
    """One right answer whose SQL differs from the gold's on other data."""

    id: str
    question: str
    sentence: str
    """What the two queries return on the small database."""
    lines: tuple[str, ...]
    """The database and both results as tables of plain text."""


def luck_summary(record: RunRecord) -> str:
    """How many passes were examined and what came of it; empty where none was."""
    found = [c.coincidence.verdict for c in record.cases if c.coincidence is not None]
    lucky = record.aggregate.lucky_passes
    if lucky is None:
        return ""
    if not found:
        # Those of held-out cases are hidden one by one; the count stays.
        return _passes(lucky)
    counts = (
        f"{found.count(verdict):,} {words}"
        for verdict, words in (
            (CoincidenceVerdict.PROVEN, "proven the same as the gold"),
            (CoincidenceVerdict.REFUTED, "refuted"),
            (CoincidenceVerdict.REFUTED_ONLY_IF_FK_BREAKS, "refuted only if foreign keys break"),
            (CoincidenceVerdict.NOT_REFUTED, "not refuted"),
            (CoincidenceVerdict.NOT_APPLICABLE, "not applicable"),
        )
        if verdict in found
    )
    strict = "; refuted ones count as failed (--strict)" if record.strict and lucky else ""
    return f"{lucky:,} of {len(found):,} examined: {', '.join(counts)}{strict}"


def _passes(number: int) -> str:
    return "1 pass" if number == 1 else f"{number:,} passes"


def lucky_passes(record: RunRecord) -> tuple[LuckyPass, ...]:
    """Those of `record`, as it may be shown, in the order of its cases; each case once."""
    rows: dict[str, LuckyPass] = {}
    for case in record.cases:
        found = case.coincidence
        if found is not None and found.is_lucky and found.counterexample is not None:
            rows.setdefault(case.id, _lucky(case, found, found.counterexample))
    return tuple(rows.values())


def _lucky(case: CaseRecord, found: Coincidence, example: Counterexample) -> LuckyPass:
    sentence = (
        f"On the smallest database found the gold returns {_returned(example.gold)}, the "
        f"analyst's SQL {_returned(example.analyst)}."
    )
    if found.reason:
        sentence = f"{sentence} {found.reason}"
    return LuckyPass(
        id=case.id,
        question=case.question,
        sentence=sentence,
        lines=tuple(_tables(example)),
    )


def _returned(result: ShownTable) -> str:
    if len(result.rows) == 1 and len(result.columns) == 1:
        return _text(result.rows[0][0])
    return counted(len(result.rows), "row") if result.rows else "no row"


def _tables(example: Counterexample) -> Iterator[str]:
    for table in (*example.tables, example.gold, example.analyst):
        yield f"{table.name}:" if table.rows else f"{table.name}: no rows"
        if table.rows:
            rows = [[_text(cell) for cell in row] for row in table.rows]
            yield from (f"  {line}" for line in text_table(table.columns, rows))


def _text(cell: ShownCell) -> str:
    if cell is None:
        return "NULL"
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return " ".join(str(cell).split()) if isinstance(cell, str) else f"{cell}"


def coincidence_lines(found: Coincidence | None) -> Iterator[str]:
    """All that is known of one pass; nothing where it was not examined."""
    if found is None:
        return
    tried = f" ({counted(found.databases, 'small database')})" if found.databases else ""
    how = f", {_METHODS[found.method]}" if found.method and found.databases else ""
    yield f"{_MEANING[found.verdict]}{tried}{how}"
    if found.reason:
        yield found.reason
    if found.counterexample is not None and found.verdict in _LUCKY:
        yield from _tables(found.counterexample)
