"""What holds for every small database, and for every proof."""

from datetime import date

import pytest
import sqlglot
from sqlglot.optimizer.optimizer import optimize

from goldsuite.diagnosis.coincidence.answers import Answers, Difference
from goldsuite.diagnosis.coincidence.databases import Generator, TinyDatabase, keeps_references
from goldsuite.diagnosis.coincidence.distinguisher import Distinguisher
from goldsuite.diagnosis.coincidence.domains import domains_of
from goldsuite.diagnosis.coincidence.examine import Bounds, Examiner
from goldsuite.diagnosis.coincidence.hints import read_hints
from goldsuite.diagnosis.coincidence.kinds import Kind, kind_of
from goldsuite.diagnosis.coincidence.minimise import minimise
from goldsuite.diagnosis.coincidence.proof import canonical_text
from goldsuite.diagnosis.coincidence.shape import Shape, TableKeys, shape_of
from goldsuite.diagnosis.coincidence.subject import Subject, TableFinder, read_subject
from goldsuite.model.coincidence import CoincidenceVerdict
from goldsuite.model.result_set import Cell, Column, ResultSet
from goldsuite.warehouse.base import Catalog, CatalogColumn, CatalogTable, ForeignKey
from tests.diagnosis.coincidence.cinema import PAIRS

FILMS = CatalogTable(
    name="films",
    schema=None,
    kind="table",
    columns=(
        CatalogColumn(name="film_id", type="INTEGER", nullable=False),
        CatalogColumn(name="title", type="VARCHAR", nullable=False),
        CatalogColumn(name="genre", type="VARCHAR", nullable=True, values=("drama", "noir")),
        CatalogColumn(name="minutes", type="INTEGER", nullable=False),
    ),
    primary_key=("film_id",),
)
TICKETS = CatalogTable(
    name="tickets",
    schema=None,
    kind="table",
    columns=(
        CatalogColumn(name="ticket_id", type="INTEGER", nullable=False),
        CatalogColumn(name="film_id", type="INTEGER", nullable=False),
        CatalogColumn(name="sold_at", type="TIMESTAMP", nullable=False),
        CatalogColumn(name="price", type="DECIMAL(8, 2)", nullable=False),
        CatalogColumn(name="seat", type="VARCHAR", nullable=True),
        CatalogColumn(name="is_free", type="BOOLEAN", nullable=False),
        CatalogColumn(name="part_of", type="INTEGER", nullable=True),
    ),
    primary_key=("ticket_id",),
    foreign_keys=(
        ForeignKey(columns=("film_id",), table="films", referred_columns=("film_id",)),
        ForeignKey(columns=("part_of",), table="tickets", referred_columns=("ticket_id",)),
    ),
)
CATALOG = Catalog(tables=(FILMS, TICKETS))
GOLD = """select sum(t.price) from tickets t join films f on f.film_id = t.film_id
    left join tickets whole on whole.ticket_id = t.part_of
    where f.genre = 'noir' and t.sold_at >= '2025-01-01' and t.price > 12.5"""


def _subject(sql: str) -> Subject:
    return read_subject(sql, "duckdb", whose="gold", find=TableFinder(CATALOG), as_of=None)


def _generator(sql: str) -> tuple[Generator, Shape]:
    subjects = [_subject(sql)]
    keys = TableKeys(CATALOG, dialect="duckdb")
    hints = read_hints(subjects, keys.keys)
    shape = shape_of(subjects, keys, hints.links)
    return Generator(shape, domains_of(shape, hints), hints, seed="a"), shape


def test_every_database_keeps_to_types_keys_and_what_is_never_null() -> None:
    generator, shape = _generator(GOLD)
    for database in generator.keeping(120):
        assert keeps_references(database, shape)
        for table in shape.tables:
            rows = database.rows[table.name]
            for place, column in enumerate(table.columns):
                cells = [row[place] for row in rows]
                assert column.nullable or None not in cells
                if (column.name,) == table.key:
                    assert len(set(cells)) == len(cells)


def test_broken_references_break_nothing_else() -> None:
    generator, shape = _generator(GOLD)
    broken = generator.breaking(40)
    assert broken
    assert not any(keeps_references(database, shape) for database in broken)
    tickets = next(table for table in shape.tables if table.name == "tickets")
    place = tickets.place("ticket_id")
    assert place is not None
    for database in broken:
        keys = [row[place] for row in database.rows["tickets"]]
        assert len(set(keys)) == len(keys)


def test_the_literals_and_their_neighbours_are_among_the_values() -> None:
    subjects = [_subject(GOLD)]
    keys = TableKeys(CATALOG, dialect="duckdb")
    hints = read_hints(subjects, keys.keys)
    domains = domains_of(shape_of(subjects, keys, hints.links), hints)
    prices = {float(str(value)) for value in domains["tickets", "price"]}
    assert {11.5, 12.5, 12.51, 13.5} <= prices
    moments = {str(value) for value in domains["tickets", "sold_at"]}
    assert {
        "2024-12-31 23:59:59", "2025-01-01 00:00:00", "2025-01-01 00:00:01", "2024-12-31 00:00:00",
        "2025-01-02 00:00:00",
    } <= moments  # fmt: skip
    assert {"noir", "NOIR", "drama"} <= set(domains["films", "genre"])


def test_only_columns_that_the_queries_name_are_made_up() -> None:
    _, shape = _generator("select count(*) from films where genre = 'noir'")
    assert [table.names for table in shape.tables] == [("genre",)]


def test_a_star_names_all_columns_but_not_in_a_count() -> None:
    _, shape = _generator("select * from films")
    assert len(shape.tables[0].columns) == 4
    _, shape = _generator("select count(*) from films")
    assert shape.tables[0].names == ("film_id",)


def test_minimising_keeps_the_parent_of_what_is_left() -> None:
    _, shape = _generator("select count(*) from tickets t join films f on f.film_id = t.film_id")
    films, tickets = ("films", ((1,), (2,), (3,))), ("tickets", ((2,), (3,), (3,)))
    by_name = dict([films, tickets])
    assert [t.name for t in shape.tables] == ["films", "tickets"]
    database = TinyDatabase(by_name)

    def has_a_three(found: list[TinyDatabase]) -> list[bool]:
        return [(3,) in each.rows["tickets"] for each in found]

    smallest = minimise(
        database,
        shape,
        lambda found: has_a_three(list(found)),
        keep_references=True,
    )
    assert smallest.rows == {"films": ((3,),), "tickets": ((3,),)}


SAME_FORM = (
    (
        "select count(*) from films where 5 < minutes",
        "select count(*) from films f where minutes > 5",
    ),
    (
        "select film_id from films where not genre = 'a'",
        "select film_id from films where genre <> 'a'",
    ),
    (
        "select count(*) from films where minutes between 5 and 9",
        "select count(*) from films where minutes <= 9 and minutes >= 5",
    ),
)
OTHER_FORM = (
    (
        (
            "select count(*) from films f where exists (select 1 from tickets t "
            "where t.film_id = f.film_id)"
        ),
        (
            "select count(*) from films f where exists (select 1 from tickets t "
            "where t.film_id = t.film_id)"
        ),
    ),
    (
        "select count(*) from films f left join tickets t on t.film_id = f.film_id and t.price > 5",
        (
            "select count(*) from films f left join tickets t on t.film_id = f.film_id "
            "where t.price > 5"
        ),
    ),
    (
        "select a.minutes from films a, films b where a.film_id = b.minutes",
        "select b.minutes from films a, films b where a.film_id = b.minutes",
    ),
    ("select count(genre) from films", "select count(*) from films"),
    ("select title from films", "select distinct title from films"),
    ("select title, genre from films", "select genre, title from films"),
)


@pytest.mark.parametrize(("one", "other"), SAME_FORM)
def test_queries_of_one_form(one: str, other: str) -> None:
    assert canonical_text(_subject(one)) == canonical_text(_subject(other)) is not None


@pytest.mark.parametrize(("one", "other"), OTHER_FORM)
def test_queries_of_two_forms(one: str, other: str) -> None:
    assert canonical_text(_subject(one)) != canonical_text(_subject(other))


KNOWN: dict[str, object] = {
    table.name: {c.name: c.type for c in table.columns} for table in CATALOG.tables
}


def test_no_query_is_refuted_by_its_own_optimised_form() -> None:
    queries = {
        sql
        for pair in PAIRS
        for sql in (pair.gold, pair.analyst)
        if pair.verdict != "not_applicable" and "members" not in sql and "calendar" not in sql
    }
    examiner = Examiner(CATALOG, dialect="duckdb", bounds=Bounds(databases=48, deadline_s=120))
    wrong = []
    for sql in sorted(queries):
        tree = sqlglot.parse_one(sql, dialect="duckdb")
        optimised = optimize(tree, schema=KNOWN, dialect="duckdb").sql("duckdb")
        found = examiner.examine(sql, optimised)
        if found.verdict.value.startswith("refuted"):
            wrong.append((sql, optimised))
    examiner.close()
    assert wrong == []


def test_a_view_that_only_one_query_reads_is_not_judged() -> None:
    view = CatalogTable(name="noirs", schema=None, kind="view", columns=FILMS.columns)
    catalog = Catalog(tables=(FILMS, view))
    examiner = Examiner(catalog, dialect="duckdb", bounds=Bounds(deadline_s=120))
    found = examiner.examine(
        "select count(*) from films where genre = 'noir'", "select count(*) from noirs"
    )
    examiner.close()
    assert found.verdict is CoincidenceVerdict.NOT_APPLICABLE
    assert "'noirs'" in (found.reason or "")


def _result(*cells: Cell) -> ResultSet:
    return ResultSet(columns=(Column(name="x"),), rows=tuple((cell,) for cell in cells))


DIFFERENCES = (
    (_result(1), _result(1), Difference.NONE),
    (_result(1), _result(2), Difference.VALUE),
    (_result(None), _result(), Difference.NONE),
    (_result(float("nan")), _result(None), Difference.NONE),
    (_result(None), _result(0), Difference.NOTHING),
    (_result(), _result(7), Difference.VALUE),
    (_result(0.1 + 0.2), _result(0.3), Difference.NONE),
    (_result("a", "b"), _result("b", "a"), Difference.NONE),
    (_result("a", "a"), _result("a"), Difference.VALUE),
)


@pytest.mark.parametrize(("gold", "analyst", "expected"), DIFFERENCES)
def test_how_two_results_differ(gold: ResultSet, analyst: ResultSet, expected: Difference) -> None:
    assert Answers().differ(gold, analyst) is expected


def test_null_may_be_a_zero_where_the_case_says_so() -> None:
    answers = Answers(null_is_zero=True)
    assert answers.differ(_result(None), _result(0)) is Difference.NONE
    assert answers.differ(_result(None), _result(1)) is Difference.VALUE


KINDS = (
    ("VARCHAR(40)", "postgres", Kind.TEXT),
    ("DECIMAL(12, 2)", "duckdb", Kind.DECIMAL),
    ("DOUBLE_PRECISION", "postgres", Kind.FLOAT),
    ("TINYINT(1)", "mysql", Kind.BOOLEAN),
    ("TINYINT", "mysql", Kind.INTEGER),
    ("ENUM('a','b')", "mysql", Kind.TEXT),
    ("TIMESTAMP WITH TIME ZONE", "duckdb", Kind.TIMESTAMP),
    ("DATE", "sqlite", Kind.DATE),
    ("ANY", "sqlite", Kind.ANY),
    ("JSON", "postgres", Kind.OTHER),
    ("INTEGER[]", "duckdb", Kind.OTHER),
)


@pytest.mark.parametrize(("type_text", "dialect", "expected"), KINDS)
def test_the_kind_of_a_type(type_text: str, dialect: str, expected: Kind) -> None:
    assert kind_of(type_text, dialect) is expected


def test_a_distinguisher_tells_apart_and_remembers() -> None:
    tells = Distinguisher(CATALOG, dialect="duckdb", bounds=Bounds(databases=60, deadline_s=120))
    more, most = "select max(minutes) from films", "select min(minutes) from films"
    assert tells(more, most) is True
    assert tells(more, most) is True
    assert tells(more, more.upper()) is False
    assert tells(more, "select nothing from nowhere") is None
    broken = "select count(*) from tickets join films using (film_id)"
    assert tells("select count(*) from tickets", broken) is False
    tells.close()


def test_the_clock_is_the_same_for_both() -> None:
    examiner = Examiner(
        CATALOG, dialect="duckdb", as_of=date(2025, 3, 31), bounds=Bounds(deadline_s=120)
    )
    month = "select count(*) from tickets where sold_at >= date_trunc('month', current_date)"
    written = "select count(*) from tickets where sold_at >= '2025-03-01'"
    assert examiner.examine(month, written).verdict is CoincidenceVerdict.PROVEN
    other = "select count(*) from tickets where sold_at >= '2025-03-02'"
    assert examiner.examine(month, other).verdict is CoincidenceVerdict.REFUTED
    examiner.close()
