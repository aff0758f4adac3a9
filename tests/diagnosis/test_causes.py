"""Every cause has failures that prove it, and near misses that it must leave alone."""

from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import yaml

from goldsuite.context.dictionary import Metric, MetricDictionary
from goldsuite.diagnosis.bench import Bench
from goldsuite.diagnosis.diagnose import diagnose
from goldsuite.diagnosis.failure import Failure
from goldsuite.model.diagnosis import Cause, Diagnosis

FOLDER = Path(__file__).parents[2] / "fixtures" / "causes"
KEYS = {
    "name", "schema", "question", "metric", "defined", "stored", "said", "gold", "predicted",
    "cause", "never", "says",
}  # fmt: skip


def rows() -> Iterable[dict[str, Any]]:
    for path in sorted(FOLDER.glob("*.yml")):
        yield from ({"file": path.stem, **row} for row in yaml.safe_load(path.read_text()))


ROWS = list(rows())


def diagnosis_of(row: dict[str, Any], benches: dict[str, Bench]) -> Diagnosis:
    defined = tuple(Metric(name=name) for name in row.get("defined", ()))
    bench = replace(benches[row["schema"]], dictionary=MetricDictionary(metrics=defined))
    stored = row.get("stored")
    failure = Failure(
        question=row["question"],
        gold_sql=row["gold"],
        predicted_sql=row.get("predicted"),
        definition_source="metric dictionary",
        reason="The value differs.",
        metric=row.get("metric"),
        dialect="duckdb",
        said=row.get("said"),
        gold_stored=None if stored is None else Decimal(stored),
    )
    return diagnose(failure, bench)


def test_there_is_one_file_for_each_cause_and_it_is_read_whole() -> None:
    assert {path.stem for path in FOLDER.glob("*.yml")} == {cause.value for cause in Cause}
    assert [row["name"] for row in ROWS if row.keys() - KEYS - {"file"}] == []


@pytest.mark.parametrize("cause", Cause)
def test_every_cause_has_a_failure_and_a_near_miss(cause: Cause) -> None:
    assert [r["name"] for r in ROWS if r["file"] == cause and r["cause"] == cause]
    assert [r["name"] for r in ROWS if r["file"] == cause and r.get("never") == cause]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['file']}: {row['name']}")
def test_a_failure_has_the_cause_that_its_file_says(
    row: dict[str, Any], benches: dict[str, Bench]
) -> None:
    found = diagnosis_of(row, benches)
    told = " ".join(found.evidence)
    assert found.cause == row["cause"], told
    assert found.causes[0] is found.cause
    assert row.get("never") not in found.causes
    assert [fragment for fragment in row.get("says", ()) if fragment not in told] == []


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['file']}: {row['name']}")
def test_a_repair_gives_what_the_gold_gives(row: dict[str, Any], benches: dict[str, Bench]) -> None:
    found = diagnosis_of(row, benches)
    execute = benches[row["schema"]].execute
    if found.repair is None or execute is None:
        return
    repaired, gold = (execute(sql).result for sql in (found.repair.sql, row["gold"]))
    assert repaired is not None
    assert gold is not None
    ours, theirs = (Decimal(str(result.rows[0][0])) for result in (repaired, gold))
    assert float(ours) == pytest.approx(float(theirs), rel=1e-9)
    assert found.repair.edits
    assert all(edit.endswith(".") for edit in found.repair.edits)
