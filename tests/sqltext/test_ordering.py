"""Whether a query orders its rows is seen in its tree, never in its text."""

import pytest

from goldsuite.sqltext.shape import orders_at_top_level


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("select a from t order by a", True),
        ("SELECT a FROM t ORDER\n  BY 1 DESC", True),
        ("select a from t order by a limit 5", True),
        ("with c as (select a from t) select a from c order by a", True),
        ("select a from t union all select a from u order by a", True),
        ("(select a from t) order by a", True),
        ("(select a from t order by a)", True),
        ("((select a from t order by a))", True),
        ("from t order by a", True),
        ("select a from t", False),
        ("select 'order by' from t", False),
        ('select "order by" from t', False),
        ("select a from t -- order by a", False),
        ("select row_number() over (order by a) from t", False),
        ("select string_agg(a, ',' order by a) from t", False),
        ("select a from (select a from t order by a) u", False),
        ("with c as (select a from t order by a) select a from c", False),
        ("select a from t where b in (select b from u order by b limit 3)", False),
        ("(select a from t order by a limit 1) union all select a from u", False),
        ("select a from t limit 5", False),
        ("select a from", None),
        ("select 1; select 2 order by 1", None),
        ("", None),
    ],
)
def test_only_an_order_by_of_the_outermost_query_orders(sql: str, expected: bool | None) -> None:
    assert orders_at_top_level(sql, "duckdb") is expected
