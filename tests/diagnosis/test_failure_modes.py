"""Every mode has failures that it explains, and near misses that it must leave alone."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import yaml

from goldsuite.context.dictionary import Metric, MetricDictionary
from goldsuite.diagnosis.classify import Failure, classify
from goldsuite.model.diagnosis import Diagnosis, FailureMode

TABLE = Path(__file__).parents[2] / "fixtures" / "failure_modes.yml"
ROWS: list[dict[str, Any]] = yaml.safe_load(TABLE.read_text())
KEYS = {
    "name", "question", "metric", "definition_source", "defined", "gold", "predicted", "mode",
    "labels", "says", "never",
}  # fmt: skip


def dictionary_of(names: Iterable[str]) -> MetricDictionary:
    return MetricDictionary(metrics=tuple(Metric(name=name) for name in names))


def diagnose(row: dict[str, Any]) -> Diagnosis:
    return classify(
        Failure(
            question=row["question"],
            gold_sql=row["gold"],
            predicted_sql=row.get("predicted"),
            definition_source=row.get("definition_source", "metric dictionary"),
            reason="The value differs.",
            metric=row.get("metric"),
            dialect="duckdb",
        ),
        dictionary=dictionary_of(row.get("defined", ())),
    )


def test_the_table_is_read_whole() -> None:
    assert [row["name"] for row in ROWS if row.keys() - KEYS] == []
    assert [name for name, count in Counter(row["name"] for row in ROWS).items() if count > 1] == []


@pytest.mark.parametrize("mode", [m for m in FailureMode if m is not FailureMode.UNCLASSIFIED])
def test_every_mode_has_failures_and_near_misses(mode: FailureMode) -> None:
    assert sum(row["mode"] == mode for row in ROWS) >= 3
    assert sum(row.get("never") == mode for row in ROWS) >= 2


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
def test_a_failure_is_diagnosed_as_the_table_says(row: dict[str, Any]) -> None:
    diagnosis = diagnose(row)
    assert diagnosis.mode == row["mode"], diagnosis.evidence
    assert diagnosis.labels[0] is diagnosis.mode
    assert row.get("never") not in diagnosis.labels
    if "labels" in row:
        assert list(diagnosis.labels) == row["labels"], diagnosis.evidence
    told = " ".join(diagnosis.evidence)
    assert [fragment for fragment in row.get("says", ()) if fragment not in told] == []


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
def test_evidence_is_whole_sentences_and_the_same_every_time(row: dict[str, Any]) -> None:
    diagnosis = diagnose(row)
    assert diagnosis.evidence
    assert all(s[0].isupper() and s.endswith(".") for s in diagnosis.evidence)
    assert diagnosis == diagnose(row)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
def test_a_right_query_is_never_given_one_of_the_five_modes(row: dict[str, Any]) -> None:
    same = diagnose({**row, "predicted": row["gold"], "metric": None})
    assert same.mode is FailureMode.UNCLASSIFIED
