"""A query taken apart says the same for every way of writing it."""

import pytest

from goldsuite.sqltext.shape import QueryShape, read_shape


def shape_of(sql: str, dialect: str = "duckdb") -> QueryShape:
    shape = read_shape(sql, dialect)
    assert shape is not None
    return shape


def predicates_of(sql: str, dialect: str = "duckdb") -> list[str]:
    return sorted(p.text for p in shape_of(sql, dialect).predicates)


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("select 1 from loans l", ["loans"]),
        ("select 1 from Live.Loans", ["live.loans"]),
        ("select 1 from loans, members", ["loans", "members"]),
        ("with c as (select 1 from loans) select 1 from c", ["loans"]),
        ("with loans as (select 1 from members) select 1 from loans", ["members"]),
        ("select 1 from (select 1 from loans) t", ["loans"]),
        ("select 1 from loans where a in (select b from fines)", ["fines", "loans"]),
        ("select (select max(b) from fines) from loans", ["fines", "loans"]),
        ("select 1 from loans union select 1 from fines", ["fines", "loans"]),
        ("with recursive r as (select a from t union all select a from r) select 1 from r", ["t"]),
        ("select 1", []),
    ],
)
def test_tables_are_the_real_ones(sql: str, expected: list[str]) -> None:
    assert list(shape_of(sql).tables) == expected


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("l.kind = 'x'", ["loans.kind = 'x'"]),
        ("kind = 'x'", ["loans.kind = 'x'"]),
        ("'x' = kind", ["loans.kind = 'x'"]),
        ("(kind = 'x')", ["loans.kind = 'x'"]),
        ("kind in ('x')", ["loans.kind = 'x'"]),
        ("kind = 'y' or kind = 'x'", ["loans.kind IN ('x', 'y')"]),
        ("kind in ('y', 'x')", ["loans.kind IN ('x', 'y')"]),
        ("not kind = 'x'", ["loans.kind <> 'x'"]),
        ("kind != 'x'", ["loans.kind <> 'x'"]),
        ("kind not in ('y', 'x')", ["loans.kind NOT IN ('x', 'y')"]),
        ("kind is not null", ["loans.kind IS NOT NULL"]),
        ("not (kind is null)", ["loans.kind IS NOT NULL"]),
        ("open = true", ["loans.open"]),
        ("open is true", ["loans.open"]),
        ("open", ["loans.open"]),
        ("open = false", ["NOT loans.open"]),
        ("open <> true", ["NOT loans.open"]),
        ("not open", ["NOT loans.open"]),
        ("fee between 1 and 9", ["loans.fee <= 9", "loans.fee >= 1"]),
        ("9 >= fee and fee >= 1", ["loans.fee <= 9", "loans.fee >= 1"]),
        ("a = 1 and (b = 2 and c = 3)", ["loans.a = 1", "loans.b = 2", "loans.c = 3"]),
        ("not (a = 1 or b = 2)", ["loans.a <> 1", "loans.b <> 2"]),
        ("true", []),
    ],
)
def test_a_condition_reads_the_same_however_it_is_written(
    condition: str, expected: list[str]
) -> None:
    assert predicates_of(f"select 1 from loans l where {condition}") == expected


def test_conditions_are_found_wherever_they_stand() -> None:
    sql = """
        with c as (select *, fee * 2 as double from loans where a = 1)
        select k, count(*) filter (where b = 2), sum(case when d = 4 then fee end)
        from c join branches s on s.id = c.branch_id and s.open
        where double > 10 and exists (select 1 from fines f where f.loan_id = c.id and f.e = 5)
        group by k having count(*) > 6
    """
    assert predicates_of(sql) == [
        "(loans.fee * 2) > 10",
        "COUNT(*) >= 7",
        "branches.open",
        "fines.e = 5",
        "loans.a = 1",
        "loans.b = 2",
        "loans.d = 4",
    ]


def test_a_condition_in_the_on_of_an_outer_join_is_told_from_a_filter() -> None:
    on = shape_of("select 1 from a left join b on b.x = a.x and b.y = 1").predicates
    where = shape_of("select 1 from a left join b on b.x = a.x where b.y = 1").predicates
    inner = shape_of("select 1 from a join b on b.x = a.x and b.y = 1").predicates
    assert [(p.text, p.outer_join) for p in on] == [("b.y = 1", "b")]
    assert [(p.text, p.outer_join) for p in where + inner] == [("b.y = 1", None)] * 2


def test_what_ties_two_tables_is_no_condition() -> None:
    for sql in (
        "select 1 from a join b on a.x = b.y",
        "select 1 from a, b where b.y = a.x",
        "select 1 from b join a on cast(b.y as int) = a.x",
    ):
        shape = shape_of(sql)
        assert shape.predicates == ()
        ends = {(table, column) for _, table, column in shape.blocks[0].equalities[0].sides}
        assert ends == {("a", "x"), ("b", "y")}


def test_two_readings_of_one_table_are_tied_too() -> None:
    shape = shape_of("select 1 from people p join people boss on boss.id = p.boss_id")
    (tie,) = shape.blocks[0].equalities
    assert sorted(column for _, _, column in tie.sides) == ["boss_id", "id"]
    assert shape.predicates == ()


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("sum(fee)", ["SUM(loans.fee)"]),
        ("sum(l.fee)::double", ["SUM(loans.fee)"]),
        ("sum(cast(fee as double))", ["SUM(loans.fee)"]),
        ("count(*)", ["COUNT(*)"]),
        ("count(1)", ["COUNT(*)"]),
        ("count(*) filter (where open)", ["COUNT(*)"]),
        ("sum(case when open then 1 else 0 end)", ["COUNT(*)"]),
        ("count(case when open then 1 end)", ["COUNT(*)"]),
        ("count(case when a then 1 else 0 end)", ["COUNT(CASE WHEN loans.a THEN 1 ELSE 0 END)"]),
        ("sum(case when open then fee else 0 end)", ["SUM(loans.fee)"]),
        ("avg(case when open then fee end)", ["AVG(loans.fee)"]),
        ("avg(case when a then b else 0 end)", ["AVG(CASE WHEN loans.a THEN loans.b ELSE 0 END)"]),
        ("avg(case when open then 1.0 else 0 end)", ["COUNT(*)", "COUNT(*)"]),
        ("count(distinct case when open then a end)", ["COUNT(DISTINCT loans.a)"]),
        ("sum(fee) / nullif(count(distinct a), 0)", ["SUM(loans.fee)", "COUNT(DISTINCT loans.a)"]),
        ("(select max(paid) from fines)", ["MAX(fines.paid)"]),
        ("sum(fee) over (partition by a)", []),
        ("fee", []),
    ],
)  # fmt: skip
def test_measures_are_aggregates_without_their_conditions(
    expression: str, expected: list[str]
) -> None:
    assert [m.text for m in shape_of(f"select {expression} from loans l").measures] == expected


def test_a_derived_measure_is_put_in_where_it_is_used() -> None:
    sql = "select avg(s) from (select k, sum(fee) as s from loans group by k) t"
    shape = shape_of(sql)
    assert [m.text for m in shape.measures] == ["AVG(SUM(loans.fee))"]
    assert [b.grain for b in shape.blocks] == [("loans.k",), ()]


@pytest.mark.parametrize(
    "sql",
    [
        "select k, count(*) from loans group by k",
        "select l.k, count(*) from loans as l group by 1",
        "select k as key, count(*) from loans group by key",
        "with c as (select k as j from loans) select j, count(*) from c group by j",
        "select distinct k from loans",
        "select k, count(*) from loans group by all",
    ],
)
def test_one_grouping_reads_the_same_by_name_position_and_alias(sql: str) -> None:
    assert [b.grain for b in shape_of(sql).blocks if b.grain] == [("loans.k",)]


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("select a from t order by a", [("ORDER BY t.a", False)]),
        ("select a as b from t order by b desc limit 3", [("ORDER BY t.a DESC LIMIT 3", True)]),
        ("select a from t limit 3 offset 1", [("LIMIT 3 OFFSET 1", True)]),
        ("select a from (select a from t order by a) u", []),
        ("select a from (select a from t order by a limit 1) u", [("ORDER BY t.a LIMIT 1", True)]),
        ("select row_number() over (order by a) from t", []),
    ],
)
def test_an_order_counts_at_the_top_or_with_a_limit(
    sql: str, expected: list[tuple[str, bool]]
) -> None:
    assert [(o.text, o.cuts) for o in shape_of(sql).orderings] == expected


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("select sum(f.paid) from loans l join fines f on f.loan_id = l.id", "fines"),
        ("select count(*) from loans l join fines f on f.loan_id = l.id", "loans"),
        ("select count(*) from (select * from loans) t", "loans"),
        ("select name from members", "members"),
        ("select 1", None),
    ],
)
def test_the_main_table_is_what_is_measured_else_read_first(sql: str, expected: str | None) -> None:
    assert shape_of(sql).main_table == expected


def test_an_alias_used_twice_cannot_be_taken_apart() -> None:
    assert read_shape("select 1 from a x join b x on x.i = x.j", "duckdb") is None


def test_one_table_can_be_read_as_another() -> None:
    sql = "select sum(old.fee) from old join members m on m.id = old.member_id where old.open"
    shape = read_shape(sql, "duckdb", rename={"old": "loans"})
    assert shape is not None
    assert shape.tables == ("loans", "members")
    assert [m.text for m in shape.measures] == ["SUM(loans.fee)"]
    assert [p.text for p in shape.predicates] == ["loans.open"]


def test_a_derived_column_does_not_grow_without_end() -> None:
    ctes = ["c0 as (select a from t)"]
    ctes += [f"c{i} as (select a + a as a from c{i - 1})" for i in range(1, 60)]
    shape = shape_of(f"with {', '.join(ctes)} select sum(a) from c59")
    assert len(shape.measures[0].text) < 10_000
