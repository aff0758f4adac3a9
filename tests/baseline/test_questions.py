"""Questions to four invented companies, on DuckDB and on SQLite, with answers worked out by eye."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TypeAlias

import pytest

from goldsuite.analysts.baseline import BaselineSource
from goldsuite.model.answer import Reply
from goldsuite.model.question import Prompt
from goldsuite.model.result_set import Cell
from goldsuite.warehouse.engines import OpenWarehouse, open_warehouse
from tests.baseline import domains

TODAY = date(2025, 4, 15)
DEFINED, OWN = "metric dictionary", "my own choice"

Row: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Desk:
    """Where questions about one company are asked."""

    source: BaselineSource
    warehouse: OpenWarehouse

    def ask(self, question: str, today: date | None = TODAY) -> Reply:
        prompt = Prompt(token="t", text=question, as_of=today)
        return asyncio.run(self.source.fresh().answer(prompt))

    def rows(self, reply: Reply) -> list[Row]:
        assert reply.query is not None, reply.declined
        result = self.warehouse.analyst.execute(reply.query).result
        assert result is not None
        return [tuple(map(plain, row)) for row in result.rows]


def plain(cell: Cell) -> str:
    """Numbers without trailing zeros, so that 24, 24.0 and 24.00 are one."""
    try:
        return format(Decimal(str(cell)).normalize(), "f")
    except InvalidOperation:
        return str(cell)


def open_desk(domain: domains.Domain, engine: str, folder: Path) -> Desk:
    warehouse = open_warehouse(domains.build(domain, engine, folder))
    source = BaselineSource(
        dictionary=domain.dictionary, catalog=warehouse.catalog(), door=warehouse.analyst
    )
    return Desk(source=source, warehouse=warehouse)


COMPANIES = {
    "library": domains.LIBRARY,
    "clinic": domains.CLINIC,
    "logistics": domains.LOGISTICS,
    "saas": domains.SAAS,
}


@pytest.fixture(scope="module", params=["duckdb", "sqlite"])
def desks(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, Desk]]:
    opened = {
        name: open_desk(domain, request.param, tmp_path_factory.mktemp(name))
        for name, domain in COMPANIES.items()
    }
    yield opened
    for desk in opened.values():
        desk.warehouse.close()


LIBRARY = [
    ("How many books do we have?", "4", OWN),
    ("How many members joined in 2024?", "2", OWN),
    ("How many active members are there?", "3", OWN),
    ("How many inactive members are there?", "2", OWN),
    ("How many loans were made in January 2025?", "2", OWN),
    # 4.50 + 0 + 2.50 + 0: by the day of return, as defined.
    ("What were late fees in Q1 2025?", "7", DEFINED),
    # 0 + 2.50 + 6 + 0 + 1: by the day of the loan, which nobody defined.
    ("What was the total fine amount in 2025?", "9.5", OWN),
    ("What is the average number of pages?", "290", OWN),
    ("What is the median number of pages?", "300", OWN),
    ("What is the highest price of a book?", "24", OWN),
    ("Which book has the highest price?", "Roots", OWN),
    ("Which book has the fewest pages?", "Roots", OWN),
    ("Which branch has the most members?", "Hillside", OWN),  # 2 like Market Square: by name
    ("What is the overdue rate?", "0.375", OWN),
    ("What percentage of loans were overdue?", "0.375", OWN),
    ("What share of members are students?", "0.4", OWN),
    ("How many loans of crime fiction were there in March 2025?", "2", OWN),
    ("How many loans by students in York?", "2", OWN),
    ("How many members older than 30?", "3", OWN),
    ("How many books with more than 300 pages?", "2", OWN),
    ("How many books between 200 and 350 pages?", "2", OWN),
    ("How many members with more than 1 loan?", "3", OWN),
    ("What is the average number of loans per member?", "2", OWN),  # 8 loans of 4 members
    ("When was the last loan?", "2025-04-01", OWN),
    ("When was the first loan?", "2024-11-05", OWN),
    ("How many loans last month?", "2", OWN),
    ("How many loans in the last 30 days?", "2", OWN),  # from 17 March to 15 April
    ("What was the growth in loans from Q4 2024 to Q1 2025?", "1.5", OWN),  # 2 to 5
    ("What is the difference in loans between Q4 2024 and Q1 2025?", "3", OWN),
    ("How many cities have a branch?", "2", OWN),
    ("What were average daily loans in January 2025?", "1", OWN),
    ("What is the most common genre?", "crime fiction", OWN),
    ("What is the average age of senior members?", "71", OWN),
    ("How many distinct genres are there?", "3", OWN),
    ("How many loans in the week of 2025-01-09?", "1", OWN),
    ("How many loans in January and April 2025?", "3", OWN),
    ("How many loans before 2025?", "2", OWN),
    ("How many loans of books other than crime fiction?", "3", OWN),
    ("What is the fine income of member 1?", "4.5", DEFINED),
]

CLINIC = [
    ("How many consultations were there in Q1 2025?", "4", DEFINED),
    # A fiscal year from April 2024 to March 2025 is fiscal 2025.
    ("How many consultations in fiscal Q4 2025?", "4", DEFINED),
    ("How many consultations in FY2025?", "4", DEFINED),
    ("How many consultations in fiscal year 2026?", "0", DEFINED),
    ("How many consultations yesterday?", "0", DEFINED),
    ("What was the average fee in February 2025?", "40", DEFINED),
    ("What was the growth in consultations from January 2025 to February 2025?", "-0.5", DEFINED),
    (
        "How did consultations change in February 2025 compared to the previous month?",
        "-0.5",
        DEFINED,
    ),
    ("How many home visits were there?", "2", OWN),
    ("How many visits were cancelled?", "1", OWN),
    ("How many visits were not cancelled?", "5", OWN),
    ("How many visits were completed or cancelled?", "5", OWN),
    ("What is the no-show rate?", "0.166666666667", OWN),
    ("What is the cancellation rate?", "0.166666666667", OWN),
    ("How many patients, excluding test patients?", "3", OWN),
    ("How many female patients do we have?", "2", OWN),
    ("How many visits by men?", "2", OWN),
    ("What percentage of visits were online?", "0.166666666667", OWN),
    ("What was the average satisfaction score?", "4", OWN),
    ("How many cardiology visits were there in 2025?", "5", OWN),
    ("Which specialty has the highest total fees?", "cardiology", OWN),
    ("Which doctor had the most visits?", "Okafor", OWN),
    ("How many patients registered in January 2025?", "1", OWN),  # a minute before February
    ("How many visits on 2025-02-28?", "1", OWN),  # half an hour before midnight
    ("How many patients are insured by Northcare?", "2", OWN),
    ("How many visits from Self Pay patients?", "2", OWN),
    ("What was the longest visit duration?", "45", OWN),
    ("Which insurer has the fewest patients?", "Alba Health", OWN),
    ("How many visits took at least 20 minutes?", "3", OWN),
    ("What was revenue in 2025?", "290", OWN),
    ("When did the first patient register?", "2024-02-01 09:00:00", OWN),
    ("What is the median duration of completed visits?", "25", OWN),  # 15, 20, 30, 45
    ("What is the average number of visits per patient?", "2", OWN),
]

LOGISTICS = [
    ("What was the tonnage in May 2025?", "0.06", DEFINED),
    ("What was express freight in 2025?", "50", DEFINED),
    ("How many shipments were damaged?", "1", OWN),
    ("How many shipments were not damaged?", "3", OWN),
    ("What is the damage rate?", "0.25", OWN),
    ("What is the delivery rate?", "0.75", OWN),  # one shipment has no day of delivery
    ("Which region shipped the most weight?", "North", OWN),
    ("Which carrier has the lowest average freight cost?", "FastCo", OWN),
    ("How many orders did Acme place?", "2", OWN),
    ("How many express orders in May 2025?", "1", OWN),
    ("How many retail orders?", "2", OWN),
    ("How many shipments were delivered in May 2025?", "2", OWN),
    ("Average weight of shipments from the North region", "50.8333333333", OWN),
    ("What was the total weight shipped by FastCo?", "20", OWN),
    ("How many shipments over 30 kg?", "2", OWN),
    ("How many orders with more than 1 shipment?", "1", OWN),
    ("What was the freight cost of order 100?", "50", OWN),
    ("What was shipping spend in Q2 2025?", "125", OWN),
]

SAAS = [
    ("What were billings in FY2025?", "1150", DEFINED),  # 1 February 2024 to 31 January 2025
    ("What were billings in fiscal Q1 2026?", "1100", DEFINED),
    ("What were billings in Q1 2025?", "2150", DEFINED),  # the calendar's
    ("What were billings between January and February 2025?", "1950", DEFINED),
    ("What were billings last quarter?", "2150", DEFINED),
    ("What were billings since February 2025?", "1100", DEFINED),
    ("What were average monthly billings?", "562.5", DEFINED),  # (100 + 1050 + 900 + 200) / 4
    ("How much did billings grow from January 2025 to February 2025?", "-0.142857142857", DEFINED),
    ("Which industry has the highest billings?", "health", DEFINED),
    ("How many accounts in Germany?", "2", OWN),
    ("How many seats do we have?", "67", OWN),
    ("What is the maximum number of seats?", "50", OWN),
    ("What is the churn rate?", "0.5", OWN),
    ("How many churned subscriptions?", "2", OWN),
    ("What was revenue in January 2025?", "1050", OWN),
    ("What is the total amount of paid invoices?", "1350", OWN),
    ("How many paid invoices over 120?", "3", OWN),
    ("What is the average monthly price?", "302.5", OWN),
    ("How many pro subscriptions with at least 5 seats?", "1", OWN),
    # The naive join counts each account once per paid invoice: three of Birch, one of Cedar.
    ("How many accounts have paid invoices?", "4", OWN),
]

VALUES = [
    (company, *row)
    for company, table in (
        ("library", LIBRARY),
        ("clinic", CLINIC),
        ("logistics", LOGISTICS),
        ("saas", SAAS),
    )
    for row in table
]


@pytest.mark.parametrize(("company", "question", "value", "definition_source"), VALUES)
def test_a_question_for_one_value_is_answered_by_plain_lookup(
    desks: dict[str, Desk], company: str, question: str, value: str, definition_source: str
) -> None:
    reply = desks[company].ask(question)
    assert reply.declined is None
    assert (plain(reply.value), reply.definition_source) == (value, definition_source)


TABLES: list[tuple[str, str, list[Row]]] = [
    (
        "library",
        "How many loans by genre?",
        [("crime fiction", "5"), ("gardening", "1"), ("science", "2")],
    ),
    (
        "library",
        "Number of loans per month in 2025",
        [("2025-01-01", "2"), ("2025-02-01", "1"), ("2025-03-01", "2"), ("2025-04-01", "1")],
    ),
    ("library", "Top 2 members by number of loans", [("Ada Bell", "3"), ("Ben Cole", "2")]),
    ("library", "List all genres", [("crime fiction",), ("gardening",), ("science",)]),
    ("library", "Which members joined in 2025?", [("Di East",), ("Ed Ford",)]),
    (
        "library",
        "How many loans did each member take?",
        [("Ada Bell", "3"), ("Ben Cole", "2"), ("Cy Dunn", "1"), ("Di East", "2")],
    ),
    ("library", "What are fines collected by city?", [("Leeds", "5.5"), ("York", "2.5")]),
    ("clinic", "Total fees by specialty", [("cardiology", "240"), ("dermatology", "50")]),
    ("clinic", "Average duration of home visits by doctor", [("Okafor", "30"), ("Tran", "45")]),
    ("clinic", "consultations by channel", [("in person", "3"), ("remote", "1")]),
    ("clinic", "consultations by week in February 2025", [("2025-02-10", "1")]),
    ("logistics", "Total freight cost by carrier", [("FastCo", "50"), ("SlowCo", "75")]),
    ("logistics", "tonnage by quarter", [("2025-04-01", "0.16")]),
    ("logistics", "orders broken down by group", [("retail", "2"), ("trade", "1")]),
    ("logistics", "List the depots", [("A1",), ("B2",), ("C3",)]),
    (
        "logistics",
        "How many shipments by region and carrier?",
        [("North", "FastCo", "1"), ("North", "SlowCo", "2"), ("South", "FastCo", "1")],
    ),
    ("saas", "billed amount by country", [("France", "1800"), ("Germany", "450")]),
    ("saas", "Top 2 accounts by billings", [("Cedar", "1800"), ("Birch", "450")]),
    ("saas", "invoices in France by month", [("2025-01-01", "1"), ("2025-02-01", "1")]),
    (
        "saas",
        "What is the average monthly price by plan?",
        [("basic", "30"), ("enterprise", "900"), ("pro", "140")],
    ),
]


@pytest.mark.parametrize(("company", "question", "rows"), TABLES)
def test_a_question_for_rows_is_answered_by_the_rows_of_its_sql(
    desks: dict[str, Desk], company: str, question: str, rows: list[Row]
) -> None:
    reply = desks[company].ask(question)
    assert desks[company].rows(reply) == rows


DECLINED = [
    ("library", "What is the weather tomorrow?", "weather tomorrow"),
    ("library", "How many members have never borrowed?", "'never'"),
    ("library", "How many loans by moon phase?", "'moon phase'"),
    ("library", "How many loans on 30 February 2025?", "is no date"),
    ("library", "What is loan growth?", "which two periods"),
    ("library", "How many loans in 2025 of members that joined in 2024?", "several periods"),
    ("library", "", ""),
    ("clinic", "How many appointments were there?", "appointments"),
    ("clinic", "consultations by fiscal quarter", "fiscal"),
    ("clinic", "consultations growth by channel from Q1 2025 to Q2 2025", "one value over time"),
    ("logistics", "What is the ghost?", "no table 'nowhere'"),
    ("logistics", "What is the garbled total?", "cannot read 'sum(('"),
    ("saas", "What is our MRR?", "mrr"),
    ("saas", "How many customers do we have?", "customers"),
]


@pytest.mark.parametrize(("company", "question", "reason"), DECLINED)
def test_what_cannot_be_read_is_declined_with_the_reason(
    desks: dict[str, Desk], company: str, question: str, reason: str
) -> None:
    reply = desks[company].ask(question)
    assert (reply.value, reply.query, reply.error) == (None, None, None)
    assert reply.declined is not None
    assert reason in reply.declined


def test_a_metric_that_only_prose_defines_counts_as_the_analysts_own_choice(
    desks: dict[str, Desk],
) -> None:
    reply = desks["library"].ask("What was shelf turnover in 2025?")
    assert reply.definition_source == OWN


def test_without_a_date_today_is_the_latest_one_in_the_column(desks: dict[str, Desk]) -> None:
    # The last loan was on 1 April 2025, so last month is March.
    reply = desks["library"].ask("How many loans last month?", today=None)
    assert (reply.value, reply.tools) == ("2", ("run_sql", "run_sql"))


def test_with_a_date_one_statement_is_run(desks: dict[str, Desk]) -> None:
    reply = desks["library"].ask("How many loans last month?")
    assert (reply.tools, reply.turns) == (("run_sql",), 1)


def test_the_same_question_gives_the_same_reply_from_every_analyst(desks: dict[str, Desk]) -> None:
    for company, question, *_ in VALUES[::5]:
        assert desks[company].ask(question) == desks[company].ask(question)


def test_names_that_need_it_are_quoted_and_the_query_is_one_line(desks: dict[str, Desk]) -> None:
    query = desks["logistics"].ask("How many retail orders?").query
    assert query == 'SELECT COUNT(*) FROM "order" WHERE "order"."group" = \'retail\''
