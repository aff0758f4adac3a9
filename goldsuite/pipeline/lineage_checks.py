"""What the SQL of every answer reads, against the configuration and the analyst's own claim."""

from collections.abc import Sequence
from dataclasses import replace

from goldsuite.context.dictionary import MetricDictionary
from goldsuite.diagnosis.claims import check_claim
from goldsuite.diagnosis.lineage import Finding, check_reads, read_lineage
from goldsuite.diagnosis.lineage_rules import LineageRules
from goldsuite.errors import WarehouseError
from goldsuite.pipeline.case_record import GradedTrial, query_of
from goldsuite.warehouse.base import CatalogTable, Warehouse

__all__ = ["check_lineage"]


def check_lineage(
    trials: Sequence[GradedTrial],
    *,
    rules: LineageRules,
    warehouse: Warehouse,
    dictionary: MetricDictionary,
) -> tuple[GradedTrial, ...]:
    """The same trials, with a flag and a sentence for whatever is not as it should be.

    The catalog is asked for only where there are rules, or a claim that is not borne out.
    """
    columns = _columns(_tables(warehouse)) if rules.given else {}

    def findings(trial: GradedTrial) -> list[Finding]:
        query = query_of(trial.answer.reply)
        if query is None:
            return []
        claim = check_claim(
            question=trial.case.question,
            definition_source=trial.answer.reply.definition_source,
            sql=query,
            dictionary=dictionary,
            dialect=warehouse.dialect,
            columns=columns,
        )
        if claim is not None and _reads_view(query, warehouse):
            claim = None  # what the text lacks may stand in the view
        reads = check_reads(query, rules, dialect=warehouse.dialect, columns=columns)
        return [*reads, *([claim] if claim is not None else [])]

    return tuple(_with(trial, findings(trial)) for trial in trials)


def _reads_view(query: str, warehouse: Warehouse) -> bool:
    views = {table.name.lower() for table in _tables(warehouse) if table.kind == "view"}
    reads = read_lineage(query, warehouse.dialect, {}) or ()
    return any(read.table in views for read in reads)


def _tables(warehouse: Warehouse) -> tuple[CatalogTable, ...]:
    """None where the engine does not tell them: a check of ours must not end the grading."""
    try:
        return warehouse.catalog().tables
    except WarehouseError:
        return ()


def _columns(tables: Sequence[CatalogTable]) -> dict[str, list[str]]:
    """Columns by table; tables of one name in several schemas have those of all of them."""
    found: dict[str, list[str]] = {}
    for table in tables:
        names = found.setdefault(table.name.lower(), [])
        names += [c.name.lower() for c in table.columns if c.name.lower() not in names]
    return found


def _with(trial: GradedTrial, findings: Sequence[Finding]) -> GradedTrial:
    if not findings:
        return trial
    return replace(
        trial,
        flags=tuple(sorted({*trial.flags, *(finding.flag for finding in findings)})),
        lineage=tuple(finding.evidence for finding in findings),
    )
