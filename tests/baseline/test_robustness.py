"""What the baseline does at the edges: odd schemas, broken doors, any words at all."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldsuite.analysts.baseline import BaselineSource
from goldsuite.analysts.baseline.words import word_list
from goldsuite.context.dictionary import Dimension, Metric, MetricDictionary
from goldsuite.model.question import Prompt
from goldsuite.model.result_set import Execution, Problem, ProblemKind
from goldsuite.warehouse.base import Catalog, CatalogColumn, CatalogTable, Limits
from goldsuite.warehouse.engines import OpenWarehouse, open_warehouse
from tests.baseline import domains

TODAY = date(2025, 4, 15)


class BrokenDoor:
    """A door that runs nothing."""

    dialect = "duckdb"

    def __init__(self, kind: ProblemKind) -> None:
        self._kind = kind

    def execute(self, sql: str) -> Execution:
        return Execution(sql=sql, problem=Problem(kind=self._kind, message="no luck today"))


def one_table(*columns: CatalogColumn, name: str = "things") -> Catalog:
    return Catalog(tables=(CatalogTable(name=name, schema=None, kind="table", columns=columns),))


THINGS = one_table(
    CatalogColumn(name="id", type="INTEGER", nullable=False),
    CatalogColumn(name="amount", type="DECIMAL(10, 2)", nullable=True),
)


def prompt(text: str) -> Prompt:
    return Prompt(token="t", text=text, as_of=TODAY)


@pytest.mark.parametrize("kind", ["failed", "refused", "too_large"])
def test_sql_that_does_not_run_is_declined_with_the_reason_and_the_sql(kind: ProblemKind) -> None:
    source = BaselineSource(dictionary=MetricDictionary(), catalog=THINGS, door=BrokenDoor(kind))
    reply = asyncio.run(source.fresh().answer(prompt("How many things?")))
    assert (reply.value, reply.error) == (None, None)
    assert reply.declined == (
        "the composed SQL did not run: no luck today: SELECT COUNT(*) FROM things"
    )


def test_a_timeout_is_an_error_and_no_refusal() -> None:
    source = BaselineSource(
        dictionary=MetricDictionary(), catalog=THINGS, door=BrokenDoor("timed_out")
    )
    reply = asyncio.run(source.fresh().answer(prompt("How many things?")))
    assert (reply.declined, reply.error) == (
        None,
        "the warehouse stopped the query: no luck today",
    )


@pytest.mark.parametrize(
    "catalog",
    [
        Catalog(tables=()),
        one_table(),
        one_table(CatalogColumn(name="", type="", nullable=True), name="?"),
        one_table(CatalogColumn(name="x", type="GEOMETRY[](", nullable=True)),
    ],
    ids=["no table", "no column", "no words", "a type that nobody knows"],
)
def test_a_catalog_without_use_declines_every_question(catalog: Catalog) -> None:
    source = BaselineSource(
        dictionary=MetricDictionary(), catalog=catalog, door=BrokenDoor("failed")
    )
    for text in ("How many orders in 2025?", "revenue by region", "Which x has the most y?"):
        assert asyncio.run(source.fresh().answer(prompt(text))).declined is not None


def test_the_source_says_what_it_is() -> None:
    source = BaselineSource(
        dictionary=MetricDictionary(), catalog=THINGS, door=BrokenDoor("failed")
    )
    assert (source.name, source.model, source.isolation, dict(source.notes)) == (
        "baseline",
        None,
        "in-process",
        {},
    )
    assert source.fresh() is not source.fresh()


SCHEMAS = """
CREATE SCHEMA archive;
CREATE TABLE tickets (
  ticket_id INTEGER PRIMARY KEY, venue VARCHAR, paid DECIMAL(8,2), seen_on DATE);
INSERT INTO tickets VALUES (1, 'Old Hall', 20, '2025-01-01'), (2, 'Arena', 35, '2025-03-09');
CREATE TABLE archive.tickets (ticket_id INTEGER, venue VARCHAR, paid DECIMAL(8,2), seen_on DATE);
INSERT INTO archive.tickets VALUES (9, 'Old Hall', 7, '2019-01-01');
CREATE TABLE archive.raffles (raffle_id INTEGER, prize_fund DECIMAL(8,2), held_on DATE);
INSERT INTO archive.raffles VALUES (1, 100, '2018-05-05'), (2, 250, '2019-05-05');
CREATE TABLE gates (gate_id INTEGER PRIMARY KEY, thr INTEGER);
COMMENT ON COLUMN gates.thr IS 'Visitors who passed the turnstile';
INSERT INTO gates VALUES (1, 400), (2, 350);
"""


@pytest.fixture(scope="module")
def venue(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenWarehouse]:
    path = tmp_path_factory.mktemp("venue") / "venue.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(SCHEMAS)
    warehouse = open_warehouse(f"duckdb:///{path}", limits=Limits(timeout_s=20))
    yield warehouse
    warehouse.close()


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("How many tickets?", "2"),  # the default schema's
        ("How many archive tickets?", "1"),
        ("What was the total prize fund in 2019?", "250.00"),
        ("Total visitors through the turnstile", "750"),  # only the comment says so
        ("How many tickets for the Old Hall?", "1"),
    ],
)
def test_tables_of_other_schemas_and_comments_are_found(
    venue: OpenWarehouse, question: str, value: str
) -> None:
    source = BaselineSource(
        dictionary=MetricDictionary(), catalog=venue.catalog(), door=venue.analyst
    )
    assert asyncio.run(source.fresh().answer(prompt(question))).value == value


@pytest.mark.parametrize(
    ("metric", "reason"),
    [
        (Metric(name="score", sql="select 1", source="tickets"), "cannot read 'select 1'"),
        (Metric(name="score", sql="sum(paid)", source="sales"), "no table 'sales'"),
        (Metric(name="score", sql="sum(paid)"), "no table None"),
        (
            Metric(name="score", sql="sum(paid)", source="tickets", joins=("gates",)),
            "cannot read the join 'gates'",
        ),
        (
            Metric(name="score", sql="sum(paid)", source="tickets", filters=("paid >",)),
            "cannot read 'paid >'",
        ),
        (
            Metric(name="score", sql="sum(paid)", source="tickets", time_column="1 + 1"),
            "time_column '1 + 1' is no column",
        ),
        (Metric(name="score", sql="sum(nothing)", source="tickets"), "did not run"),
    ],
)
def test_a_broken_definition_is_declined_by_name_and_not_replaced_by_a_guess(
    venue: OpenWarehouse, metric: Metric, reason: str
) -> None:
    source = BaselineSource(
        dictionary=MetricDictionary(metrics=(metric,)),
        catalog=venue.catalog(),
        door=venue.analyst,
    )
    reply = asyncio.run(source.fresh().answer(prompt("What was the score?")))
    assert reply.declined is not None
    assert reason in reply.declined


def test_dimensions_that_the_warehouse_lacks_leave_other_questions_answerable(
    venue: OpenWarehouse,
) -> None:
    lost = Dimension(name="colour", table="paints", sql="colour", values={"red": ("crimson",)})
    source = BaselineSource(
        dictionary=MetricDictionary(dimensions=(lost,)),
        catalog=venue.catalog(),
        door=venue.analyst,
    )
    assert asyncio.run(source.fresh().answer(prompt("How many tickets?"))).value == "2"
    declined = asyncio.run(source.fresh().answer(prompt("How many tickets by colour?"))).declined
    assert declined == "dimension 'colour': the warehouse has no table 'paints'"


VOCABULARY = word_list(
    "how many what which is the total average median number of top 5 by per each monthly in from to"
    " between and since before last year month Q1 2025 March 30 FY25 fiscal over at least more than"
    " 3 not excluding most highest lowest rate share percentage loans members books branch genre"
    " crime fiction student active overdue fine income pages price returned growth compared with"
    " previous list all distinct when first ever week 2025-02-30 ' | % ? \u00e9 \u6570 0 1,000"
)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BaselineSource]:
    folder: Path = tmp_path_factory.mktemp("fuzz")
    warehouse = open_warehouse(domains.build(domains.LIBRARY, "sqlite", folder))
    dictionary = replace(domains.LIBRARY.dictionary, fiscal_year_start_month=7)
    yield BaselineSource(dictionary=dictionary, catalog=warehouse.catalog(), door=warehouse.analyst)
    warehouse.close()


@settings(max_examples=250, deadline=None, derandomize=True)
@given(words=st.lists(st.sampled_from(VOCABULARY), max_size=14))
def test_any_words_get_an_answer_or_a_reason_and_never_broken_sql(
    library: BaselineSource, words: list[str]
) -> None:
    reply = asyncio.run(library.fresh().answer(prompt(" ".join(words))))
    assert (reply.declined is None) != (reply.query is None)
    assert reply.error is None
    assert "did not run" not in (reply.declined or "")


@settings(max_examples=60, deadline=None, derandomize=True)
@given(text=st.text(max_size=80))
def test_any_text_gets_an_answer_or_a_reason(library: BaselineSource, text: str) -> None:
    reply = asyncio.run(library.fresh().answer(prompt(text)))
    assert (reply.declined is None) != (reply.query is None)
