"""Dimensions, relationships and the fiscal calendar, and the verified queries."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

import pytest

from goldsuite.context.dictionary import Dimension, MetricDictionary, Relationship
from goldsuite.context.read_dictionary import load_dictionary
from goldsuite.context.resolve import ResolvedContext, resolve_context
from goldsuite.context.verified_queries import VerifiedQuery, verified_queries
from goldsuite.errors import ContextError

Write: TypeAlias = Callable[[Path, Mapping[str, str]], Path]
Commit: TypeAlias = Callable[[Path, Mapping[str, str]], str]
Resolve: TypeAlias = Callable[[Mapping[str, str]], ResolvedContext]

DATASET = ".knowledge/datasets/clinic"


@pytest.fixture
def resolve(tmp_path: Path, write: Write) -> Resolve:
    def resolve_files(files: Mapping[str, str]) -> ResolvedContext:
        write(tmp_path, {".knowledge/active.yaml": "active: clinic\n", f"{DATASET}/schema.md": ""})
        write(tmp_path / DATASET, files)
        return resolve_context(tmp_path)

    return resolve_files


def _notes(resolve: Resolve, **files: str) -> MetricDictionary:
    return load_dictionary(resolve({f"semantic/{name}.yaml": text for name, text in files.items()}))


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        (
            (
                "{name: ward, synonyms: [unit], table: visits, sql: visits.ward,"
                " values: {icu: [intensive care, ICU], er: emergency, no: }}"
            ),
            Dimension(
                name="ward",
                synonyms=("unit",),
                table="visits",
                sql="visits.ward",
                values={"icu": ("intensive care", "ICU"), "er": ("emergency",), "no": ()},
            ),
        ),
        (
            (
                "{dimension: ward, entity: visit, expr: visits.ward, aliases: unit,"
                " sample_values: [icu, true, 012]}"
            ),
            Dimension(
                name="ward",
                synonyms=("unit",),
                table="visits",
                sql="visits.ward",
                values={"icu": (), "true": (), "012": ()},
            ),
        ),
        (
            (
                "{id: ward, entity: visit, column: ward_code,"
                " values: [{value: icu, synonyms: [intensive care]}]}"
            ),
            Dimension(
                name="ward", table="visits", sql="ward_code", values={"icu": ("intensive care",)}
            ),
        ),
        (
            "{name: ward, table: visits}",
            Dimension(name="ward", table="visits", sql="ward", values={}),
        ),
    ],
)
def test_a_dimension_may_be_written_in_several_ways(
    entry: str, expected: Dimension, resolve: Resolve
) -> None:
    entities = "entities: [{entity: visit, logical_table: visits}]"
    notes = _notes(resolve, dims=f"dimensions:\n  - {entry}\n", entities=entities)
    assert notes.dimensions == (expected,)


def test_dimensions_may_be_a_mapping_of_name_to_entry(resolve: Resolve) -> None:
    notes = _notes(resolve, dims="dimensions: {ward: {sql: visits.ward}}")
    assert notes.dimensions == (
        Dimension(name="ward", table="visits", sql="visits.ward", values={}),
    )


def test_a_dimension_without_a_table_is_left_out(resolve: Resolve) -> None:
    notes = _notes(resolve, dims="dimensions: [{name: ward}, {name: x, sql: a.b || c.d}]")
    assert notes.dimensions == ()


@pytest.mark.parametrize(
    "entry",
    [
        "{left: visits.patient_id, right: patients.id}",
        "{from: visits.patient_id, to: patients.id}",
        "{left: visits, right: patients, on: visits.patient_id = patients.id}",
        "{left: visits, right: patients, on: patients.id = visits.patient_id}",
        "{left: visit, right: patient, columns: [{left: patient_id, right: id}]}",
        "{left: patients.id, right: visits.patient_id, cardinality: one-to-many}",
        "{left: visits.patient_id, right: patients.id, cardinality: many_to_one}",
    ],
)
def test_a_relationship_goes_from_many_to_one(entry: str, resolve: Resolve) -> None:
    entities = "entities: {visit: {table: visits}, patient: {table: patients}}"
    notes = _notes(resolve, rels=f"relationships:\n  - {entry}\n", entities=entities)
    assert notes.relationships == (Relationship(left="visits.patient_id", right="patients.id"),)


@pytest.mark.parametrize(
    "entry",
    [
        "{left: a.x, right: b.y, cardinality: many_to_many}",
        "{left: a, right: b, columns: [{left: x, right: x}, {left: y, right: y}]}",
        "{left: a, right: b, on: a.x = b.x and a.y = b.y}",
        "{left: a, right: b}",
    ],
)
def test_what_is_no_plain_relationship_is_left_out(entry: str, resolve: Resolve) -> None:
    assert _notes(resolve, rels=f"relationships:\n  - {entry}\n").relationships == ()


def test_several_files_are_merged_by_name_and_repeats_count_once(resolve: Resolve) -> None:
    notes = _notes(
        resolve,
        b="dimensions: [{name: b, table: t, synonyms: [late]}, {name: c, table: t}]",
        a="dimensions: [{name: b, table: t, synonyms: [early]}]\njoins: [{left: t.x, right: u.x}]",
        c="dimensions: [{name: b, table: other}]",
    )
    found = [(d.name, d.table, d.synonyms) for d in notes.dimensions]
    assert found == [("b", "t", ("early",)), ("c", "t", ()), ("b", "other", ())]
    assert notes.relationships == (Relationship(left="t.x", right="u.x"),)


@pytest.mark.parametrize(
    ("text", "month"),
    [
        ("calendar: {fiscal_year_start_month: 7}", 7),
        ("fiscal_year_start_month: '02'", 2),
        ("calendar: {fiscal_year_start_month: October}", 10),
        ("calendar: {week_start: monday}", 1),
        ("", 1),
    ],
)
def test_the_fiscal_year_starts_in_the_month_told(text: str, month: int, resolve: Resolve) -> None:
    assert _notes(resolve, calendar=text).fiscal_year_start_month == month


@pytest.mark.parametrize("text", ["0", "13", "Juli", "7.5", "-1"])
def test_what_is_no_month_is_an_error(text: str, resolve: Resolve, tmp_path: Path) -> None:
    with pytest.raises(ContextError) as caught:
        _notes(resolve, calendar=f"calendar:\n  fiscal_year_start_month: {text}\n")
    place = f"{tmp_path / DATASET}/semantic/calendar.yaml:2: "
    assert str(caught.value).startswith(f"{place}fiscal_year_start_month {text!r} is no month")


def test_two_different_fiscal_years_are_an_error(resolve: Resolve) -> None:
    with pytest.raises(ContextError, match=r"contradictory: 4 in .*, 7 in "):
        _notes(resolve, a="fiscal_year_start_month: 4", b="fiscal_year_start_month: 7")


def test_verified_queries_are_read_from_both_places(resolve: Resolve) -> None:
    context = resolve(
        {
            "verified_queries.yaml": (
                "verified_queries:\n"
                "  - {name: one, question: How many visits?, sql: select count(*) from visits}\n"
                "  - {question: No SQL yet}\n"
            ),
            "semantic/verified_queries.yaml": (
                "- {question: How many calls?, query: select count(*) from calls}\n"
                "- {question: How many visits?, sql: select count(*) from visits}\n"
            ),
        }
    )
    assert verified_queries(context) == (
        VerifiedQuery(question="How many visits?", sql="select count(*) from visits"),
        VerifiedQuery(question="How many calls?", sql="select count(*) from calls"),
    )


def test_the_older_place_of_the_verified_queries_is_read_from_the_repository_alone(
    resolve: Resolve, commit: Commit, tmp_path: Path
) -> None:
    commit(
        tmp_path / "team",
        {"datasets/clinic/semantic/verified_queries.yaml": "[{question: a, sql: select 1}]"},
    )
    context = resolve(
        {
            "verified_queries.yaml": "[{question: local, sql: select 2}]",
            "../../context-source.yaml": f"source: git\nrepo: {tmp_path}/team\n",
        }
    )
    assert verified_queries(context) == (VerifiedQuery(question="a", sql="select 1"),)


def test_a_context_without_verified_queries_has_none(resolve: Resolve) -> None:
    assert verified_queries(resolve({})) == ()
