"""Which queries leave their result to chance."""

import pytest

from goldsuite.sqltext.chance import depends_on_chance

ROWS = (
    ("select random() from t", "duckdb", True),
    ("select a from t order by rand() limit 3", "mysql", True),
    ("select gen_random_uuid()", "postgres", True),
    ("select a from t using sample 10", "duckdb", True),
    ("select any_value(a) from t", "duckdb", True),
    ("select a from t limit 3", "sqlite", True),
    ("select sum(a) from (select a from t limit 3)", "sqlite", True),
    ("select a from t order by a limit 3", "sqlite", False),
    ("select max(a) from t", "sqlite", False),
    ("select 'random()' from t", "duckdb", False),
    ("select random from t", "duckdb", False),
    ("no sql at all (", "duckdb", False),
)


@pytest.mark.parametrize(("sql", "dialect", "expected"), ROWS)
def test_chance_is_seen_in_the_parsed_query(sql: str, dialect: str, expected: bool) -> None:
    assert depends_on_chance(sql, dialect) is expected
