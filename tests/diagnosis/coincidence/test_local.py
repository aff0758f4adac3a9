"""Our own DuckDB for small databases: what cannot be loaded or was stopped is no result."""

import time
from collections.abc import Iterator
from contextlib import closing

import pytest

from goldsuite.diagnosis.coincidence.databases import TinyDatabase
from goldsuite.diagnosis.coincidence.local import LocalEngine, LocalLaboratory
from goldsuite.diagnosis.coincidence.shape import Shape, TableKeys, shape_of
from goldsuite.diagnosis.coincidence.subject import Subject, TableFinder, read_subject
from goldsuite.warehouse.base import Catalog, CatalogColumn, CatalogTable

CATALOG = Catalog(
    tables=(
        CatalogTable(
            name="films",
            schema=None,
            kind="table",
            columns=(
                CatalogColumn(name="film_id", type="INTEGER", nullable=False),
                CatalogColumn(name="title", type="VARCHAR", nullable=False),
            ),
            primary_key=("film_id",),
        ),
    )
)
FITS = TinyDatabase(rows={"films": ((1, "A"), (2, "B"))})
NO_FIT = TinyDatabase(rows={"films": (("one", "A"),)})


@pytest.fixture(scope="module")
def subject() -> Subject:
    sql = "select count(film_id), min(title) from films"
    return read_subject(sql, "duckdb", whose="gold", find=TableFinder(CATALOG), as_of=None)


@pytest.fixture(scope="module")
def shape(subject: Subject) -> Shape:
    return shape_of([subject], TableKeys(CATALOG, dialect="duckdb", execute=None), ())


@pytest.fixture
def engine() -> Iterator[LocalEngine]:
    with closing(LocalEngine()) as engine:
        yield engine


def _laboratory(engine: LocalEngine, shape: Shape) -> LocalLaboratory:
    deadline = time.monotonic() + 600
    return LocalLaboratory(engine, shape, dialect="duckdb", deadline=deadline, executions=50)


def test_a_database_that_does_not_fit_the_columns_gives_no_result(
    engine: LocalEngine, shape: Shape, subject: Subject
) -> None:
    with closing(_laboratory(engine, shape)) as laboratory:
        assert laboratory.batch(subject, [NO_FIT]) == [None]
        assert laboratory.plain(subject, [NO_FIT]) == [None]


def test_what_could_not_be_loaded_leaves_nothing_behind(
    engine: LocalEngine, shape: Shape, subject: Subject
) -> None:
    with closing(_laboratory(engine, shape)) as laboratory:
        for databases in ([FITS], [NO_FIT], [FITS]):
            found = [each and each.rows for each in laboratory.batch(subject, databases)]
            assert found == ([((2, "A"),)] if databases == [FITS] else [None])


def test_a_session_that_is_gone_gives_no_result(
    engine: LocalEngine, shape: Shape, subject: Subject
) -> None:
    laboratory = _laboratory(engine, shape)
    laboratory.close()
    assert laboratory.batch(subject, [FITS]) == [None]
    assert laboratory.plain(subject, [FITS]) == [None]
