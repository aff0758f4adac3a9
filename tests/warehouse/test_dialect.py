"""Our SQLAlchemy dialect for DuckDB, used as any program would use it."""

from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import NoSuchTableError, ProgrammingError

from goldsuite.warehouse.duckdb_dialect import register


@pytest.fixture
def engine(tmp_path: Path) -> sa.Engine:
    register()
    engine = sa.create_engine(f"duckdb:///{tmp_path}/made.duckdb")
    metadata = sa.MetaData()
    sa.Table(
        "people",
        metadata,
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("name", sa.String, unique=True),
        sa.Column("height", sa.Numeric(5, 2)),
    )
    metadata.create_all(engine)
    return engine


def _count(engine: sa.Engine) -> int:
    with engine.connect() as connection:
        return int(connection.exec_driver_sql("select count(*) from people").scalar_one())


def test_binds_reach_the_engine(engine: sa.Engine) -> None:
    with engine.begin() as connection:
        for row in ((1, "Ann"), (2, "O'Neil; --")):
            connection.exec_driver_sql("insert into people (id, name) values (?, ?)", row)
        found = connection.execute(
            sa.text("select id from people where name = :name"), {"name": "O'Neil; --"}
        )
        assert found.scalar_one() == 2


def test_a_transaction_is_rolled_back_as_a_whole(engine: sa.Engine) -> None:
    with engine.connect() as connection:
        connection.exec_driver_sql("insert into people (id) values (1)")
        connection.exec_driver_sql("create temp table aside as select 1 as x")
        assert connection.exec_driver_sql("select x from aside").scalar_one() == 1
        connection.rollback()
    assert _count(engine) == 0
    with engine.begin() as connection:
        connection.exec_driver_sql("insert into people (id) values (1)")
    assert _count(engine) == 1


def test_a_table_can_be_reflected(engine: sa.Engine) -> None:
    table = sa.Table("people", sa.MetaData(), autoload_with=engine)
    assert [c.name for c in table.columns] == ["id", "name", "height"]
    assert [c.name for c in table.primary_key] == ["id"]
    assert isinstance(table.c.height.type, sa.DECIMAL)
    assert (table.c.height.type.precision, table.c.height.type.scale) == (5, 2)


def test_what_is_not_there_is_told_in_sqlalchemys_words(engine: sa.Engine) -> None:
    inspector = sa.inspect(engine)
    assert inspector.has_table("people")
    assert not inspector.has_table("nobody")
    with pytest.raises(NoSuchTableError):
        inspector.get_columns("nobody")
    with engine.connect() as connection, pytest.raises(ProgrammingError):
        connection.exec_driver_sql("select * from nobody")


def test_parameters_of_the_url_are_settings(tmp_path: Path) -> None:
    register()
    engine = sa.create_engine(f"duckdb:///{tmp_path}/made.duckdb?threads=1")
    with engine.connect() as connection:
        assert connection.exec_driver_sql("select current_setting('threads')").scalar_one() == 1
