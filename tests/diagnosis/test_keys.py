"""What a catalog tells, and what a name tells where there is none."""

import pytest

from goldsuite.context.dictionary import MetricDictionary
from goldsuite.diagnosis.classify import Failure, classify
from goldsuite.diagnosis.keys import Keys
from goldsuite.model.diagnosis import FailureMode
from goldsuite.warehouse.base import Catalog, CatalogColumn, CatalogTable, ForeignKey


def column(name: str, kind: str = "INTEGER", *, nullable: bool = False) -> CatalogColumn:
    return CatalogColumn(name=name, type=kind, nullable=nullable)


def table(
    name: str,
    *columns: CatalogColumn,
    key: tuple[str, ...] = (),
    foreign: tuple[ForeignKey, ...] = (),
) -> CatalogTable:
    return CatalogTable(
        name=name, schema=None, kind="table", columns=columns, primary_key=key, foreign_keys=foreign
    )


CATALOG = Catalog(
    tables=(
        table("Berths", column("code"), column("dock"), key=("code",)),
        table(
            "moorings",
            column("mooring_id"),
            column("berth"),
            column("since", "DATE"),
            column("until", "TIMESTAMP", nullable=True),
            key=("mooring_id",),
            foreign=(ForeignKey(columns=("berth",), table="berths", referred_columns=("dock",)),),
        ),
        table("tides", column("port"), column("day", "DATE"), column("id"), key=("port", "day")),
    )
)
KEYS = Keys.of(CATALOG)


@pytest.mark.parametrize(
    ("name", "columns", "expected"),
    [
        ("berths", {"code"}, True),
        ("BERTHS", {"CODE", "dock"}, True),
        ("berths", {"dock"}, True),
        ("moorings", {"berth"}, False),
        ("moorings", set(), False),
        ("tides", {"day", "port"}, True),
        ("tides", {"day"}, False),
        ("tides", {"id"}, False),
    ],
)
def test_a_declared_key_decides_what_is_unique(
    name: str, columns: set[str], expected: bool
) -> None:
    assert KEYS.are_unique(name, columns) is expected


@pytest.mark.parametrize(
    ("name", "column_name", "expected"),
    [
        ("loans", "id", True),
        ("loans", "loan_id", True),
        ("loan", "loan_id", True),
        ("loans", "LoanID", True),
        ("branches", "branch_id", True),
        ("libraries", "library_id", True),
        ("dim_loans", "loan_key", True),
        ("late_loans", "late_loan_id", True),
        ("loans", "member_id", False),
        ("loans", "identity", False),
        ("loan_items", "loan_id", False),
    ],
)
def test_without_a_catalog_a_key_is_known_by_its_table(
    name: str, column_name: str, expected: bool
) -> None:
    assert Keys().are_unique(name, {column_name}) is expected


def test_columns_are_known_from_the_catalog_alone() -> None:
    assert KEYS.has_column("moorings", "Berth") is True
    assert KEYS.has_column("moorings", "dock") is False
    assert KEYS.has_column("ships", "name") is None
    assert KEYS.dates == {"moorings.since", "tides.day"}
    assert KEYS.never_null("moorings.berth")
    assert not KEYS.never_null("moorings.until")


def failure(gold: str, predicted: str) -> Failure:
    return Failure(
        question="How many?",
        gold_sql=gold,
        predicted_sql=predicted,
        definition_source="metric dictionary",
        reason="The value differs.",
        metric=None,
        dialect="duckdb",
    )


def mode_of(gold: str, predicted: str, catalog: Catalog | None) -> FailureMode:
    answer = classify(failure(gold, predicted), dictionary=MetricDictionary(), catalog=catalog)
    return answer.mode


def test_a_catalog_tells_a_lookup_from_a_repetition() -> None:
    gold = "select count(*) from moorings"
    lookup = "select count(*) from moorings m join berths b on b.code = m.berth"
    assert mode_of(gold, lookup, None) is FailureMode.FAN_OUT
    assert mode_of(gold, lookup, CATALOG) is FailureMode.UNCLASSIFIED


def test_a_catalog_tells_days_from_moments() -> None:
    gold = "select count(*) from moorings where since >= '2025-01-01' and since < '2026-01-01'"
    predicted = "select count(*) from moorings where since between '2025-01-01' and '2025-12-31'"
    assert mode_of(gold, predicted, None) is FailureMode.WRONG_FILTER
    assert mode_of(gold, predicted, CATALOG) is FailureMode.UNCLASSIFIED


def test_a_catalog_tells_whose_a_bare_column_is() -> None:
    gold = "select sum(m.berth) from moorings m join berths b on b.code = m.berth where b.dock = 1"
    predicted = "select sum(berth) from moorings join berths on code = berth where dock = 1"
    assert mode_of(gold, predicted, CATALOG) is FailureMode.UNCLASSIFIED


def test_beside_another_table_a_condition_it_could_have_had_is_told_too() -> None:
    archive = table("archive", column("mooring_id"), column("berth"))
    catalog = Catalog(tables=(*CATALOG.tables, archive))
    gold = "select count(*) from moorings where berth = 4 and since >= '2025-01-01'"
    answer = classify(
        failure(gold, "select count(*) from archive"),
        dictionary=MetricDictionary(),
        catalog=catalog,
    )
    assert answer.labels == (FailureMode.WRONG_SOURCE, FailureMode.WRONG_FILTER)
    assert any("moorings.berth = 4" in sentence for sentence in answer.evidence)
    assert not any("since" in sentence for sentence in answer.evidence)
