"""SQL over the records of a folder: `runs` and `cases` in a DuckDB of its own, in memory.

The rows are loaded first, from the files; then nothing but them can be reached: no file, no
network, no extension, no setting. Of held-out cases only what a report shows of them is loaded, so
that no SQL can get at more.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goldsuite.errors import UsageError
from goldsuite.records.file import read_plain
from goldsuite.records.header import FIGURES, RunHeader
from goldsuite.records.load_runs import RUN_COLUMNS, run_row

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

__all__ = ["CASE_COLUMNS", "SHOWN_OF_HELD_OUT", "QueryResult", "query_runs"]

_CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "enable_external_access": "false",
    "allow_community_extensions": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "python_enable_replacements": "false",
    "temp_directory": "",
}
_TEXT, _WHOLE, _NUMBER, _TRUTH, _LIST = "varchar", "bigint", "double", "boolean", "varchar[]"
_RUN_TYPES = (
    dict.fromkeys(RUN_COLUMNS, _WHOLE)
    | dict.fromkeys(FIGURES, _NUMBER)
    | dict.fromkeys(("accuracy_low", "accuracy_high"), _NUMBER)
    | dict.fromkeys(("partial", "altered"), _TRUTH)
    | dict.fromkeys(
        ("run_id", "split", "selection", "suite", "suite_sha256", "warehouse", "analyst", "model",
         "changelog", "context_sha256"),
        _TEXT,
    )
    | {"started_at": "timestamptz"}
)  # fmt: skip
CASE_COLUMNS = {
    "run_id": _TEXT, "id": _TEXT, "trial": _WHOLE, "split": _TEXT, "question": _TEXT,
    "tags": _LIST, "difficulty": _TEXT, "kind": _TEXT, "must_pass": _TRUTH, "verdict": _TEXT,
    "passed": _TRUTH, "matched": _TEXT, "reason": _TEXT, "failure_mode": _TEXT,
    "gold_value": _TEXT, "analyst_value": _TEXT, "gold_sql": _TEXT, "analyst_query": _TEXT,
    "query_diff": _TEXT, "query_similarity": _NUMBER, "exact_match": _TRUTH,
    "execution_match": _TRUTH, "faithfulness": _TEXT, "definition_source": _TEXT,
    "flags": _LIST, "latency_ms": _NUMBER, "waited_ms": _NUMBER, "input_tokens": _WHOLE,
    "output_tokens": _WHOLE, "cost": _NUMBER, "turns": _WHOLE, "tools": _LIST, "error": _TEXT,
    "error_source": _TEXT, "process_score": _NUMBER, "judge_score": _NUMBER,
}  # fmt: skip
"""Columns of `cases` with their types; one row for each trial."""
SHOWN_OF_HELD_OUT = frozenset({
    "run_id", "id", "trial", "split", "question", "tags", "difficulty", "kind", "must_pass",
    "verdict", "passed", "query_similarity", "latency_ms", "waited_ms", "input_tokens",
    "output_tokens", "cost", "turns", "error", "error_source", "process_score", "judge_score",
})  # fmt: skip
"""What is loaded of a held-out case; all else is NULL."""
_BATCH = 5_000
"""Rows that are handed over at once."""


@dataclass(frozen=True, kw_only=True, slots=True)
class QueryResult:
    """What one query returned."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


def query_runs(sql: str, runs: Sequence[RunHeader], runs_dir: Path) -> QueryResult:
    """Run one query over `runs`, whose records stand in `runs_dir`.

    Records are read for their cases only where the query names `cases`.

    Raises:
        UsageError: it is no single query, or DuckDB refuses it.
        RecordError: a record cannot be read.
    """
    import duckdb

    with duckdb.connect(":memory:", config=_CONFIG) as connection:
        try:
            _check(connection, sql)
            _create(connection, "runs", _RUN_TYPES)
            _create(connection, "cases", CASE_COLUMNS)
            _fill(connection, "runs", _RUN_TYPES, map(run_row, runs))
            if _names_cases(connection, sql):
                _fill(connection, "cases", CASE_COLUMNS, _case_rows(runs, runs_dir))
            connection.execute("set lock_configuration = true")
            found = connection.execute(sql)
            columns = tuple(str(column[0]) for column in found.description or ())
            return QueryResult(columns=columns, rows=tuple(map(tuple, found.fetchall())))
        except duckdb.Error as error:
            raise UsageError(f"the query failed: {error}") from None


def _check(connection: "DuckDBPyConnection", sql: str) -> None:
    import duckdb

    statements = connection.extract_statements(sql)
    if len(statements) != 1:
        raise UsageError(f"one query is expected, not {len(statements)} statements")
    if statements[0].type not in {duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN}:
        raise UsageError(
            f"only a query is run, not a statement of type {statements[0].type.name}: the records "
            "stay as they are"
        )


def _names_cases(connection: "DuckDBPyConnection", sql: str) -> bool:
    import duckdb

    try:
        return "cases" in {name.lower() for name in connection.get_table_names(sql)}
    except duckdb.Error:
        # Some queries run that this cannot read (2.0.1: a join with USING); reading too many
        # records is no fault.
        return True


def _create(connection: "DuckDBPyConnection", table: str, types: Mapping[str, str]) -> None:
    columns = ", ".join(f'"{name}" {kind}' for name, kind in types.items())
    connection.execute(f"create table {table} ({columns})")


def _fill(
    connection: "DuckDBPyConnection",
    table: str,
    types: Mapping[str, str],
    rows: Iterable[Mapping[str, Any]],
) -> None:
    values = ", ".join(f"unnest(?::{kind}[])" for kind in types.values())
    waiting = iter(rows)
    while batch := list(islice(waiting, _BATCH)):
        # Names and types are ours; every value is bound.
        connection.execute(
            f"insert into {table} select {values}",
            [[row[name] for row in batch] for name in types],
        )


def _case_rows(runs: Iterable[RunHeader], runs_dir: Path) -> Iterator[dict[str, Any]]:
    for run in runs:
        for case in read_plain(runs_dir / run.file)["cases"]:
            row = _case_row(run.run_id, case)
            if case["split"] == "train":
                yield row
            else:
                yield {name: row[name] if name in SHOWN_OF_HELD_OUT else None for name in row}


def _case_row(run_id: str, case: Mapping[str, Any]) -> dict[str, Any]:
    tokens, gold = case.get("tokens") or {}, case.get("gold_value")
    made = {
        "run_id": run_id,
        "gold_value": None if gold is None else str(gold),
        "input_tokens": tokens.get("input"),
        "output_tokens": tokens.get("output"),
        "process_score": (case.get("process") or {}).get("score"),
        "judge_score": (case.get("judge") or {}).get("score"),
    }
    return {name: made[name] if name in made else case.get(name) for name in CASE_COLUMNS}
