"""Large results are compared as arrays: what is found must be what the plain path finds."""

import random
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from goldsuite.grading.result_sets import ComparisonPolicy, compare_result_sets
from goldsuite.grading.tolerance import Tolerance
from goldsuite.model.result_set import Cell, Column, ResultSet

law = settings(derandomize=True, deadline=None, database=None, max_examples=200)

PLAIN, VECTOR = 10**9, 0

numbers: list[st.SearchStrategy[Any]] = [
    st.integers(-3, 3),
    st.sampled_from([2**53, 2**53 + 1, -(2**63), 10**25, 2024, 2025]),
    st.sampled_from([0.0, -0.0, 0.1, 0.3, 0.1 + 0.2, 1.0, 1e16, 1e23, 12345678901234567.0, 5e-324]),
    st.sampled_from(["0.1", "0.30", "0.30000000000000004", "1", "1.00", "-0", "1E+2", "100.4"]).map(
        Decimal
    ),
    st.sampled_from(["0.3000000000000000000001", "1E-400", "1E+400", "NaN", "Infinity"]).map(
        Decimal
    ),
    st.sampled_from([float("nan"), float("inf"), float("-inf")]),
    st.floats(-1000, 1000).map(lambda value: round(value, 1)),
]
others: list[st.SearchStrategy[Any]] = [
    st.booleans(),
    st.integers(0, 1),
    st.sampled_from(["a", "A", " a ", "café", "cafe\u0301", "1", "1.0", "007", "$5"]),
    st.sampled_from(["2025-01-02", "2025-01-03 09:00", ""]),
    st.sampled_from([date(2025, 1, 2), date(2025, 1, 3)]),
    st.sampled_from([datetime.fromisoformat(f"2025-01-02{t}") for t in ("", "T09:00", "T00:00Z")]),
    st.sampled_from([b"a", b"1"]),
    st.just(timedelta(1)),
]
one_type = st.sampled_from([*numbers, *others]).flatmap(
    lambda cells: st.sampled_from([cells, st.one_of(st.none(), cells)])
)
column_cells = st.one_of(one_type, one_type, st.just(st.one_of(st.none(), *numbers, *others)))


@st.composite
def golds(draw: st.DrawFn) -> ResultSet:
    width, height = draw(st.integers(1, 4)), draw(st.integers(0, 8))
    columns = [
        draw(st.lists(draw(column_cells), min_size=height, max_size=height)) for _ in range(width)
    ]
    names = draw(st.lists(st.sampled_from(["a", "b", "c", "d_id", ""]), min_size=4, max_size=4))
    return ResultSet(
        columns=tuple(Column(name=name) for name in names[:width]),
        rows=tuple(zip(*columns, strict=True)),
    )


def shifted(cell: Cell, rng: random.Random) -> Cell:
    """A number moved by noise, by what tolerances allow, by more, or into another type."""
    if isinstance(cell, bool):
        return rng.choice([cell, int(cell)])
    if isinstance(cell, float):
        factor = rng.choice([1, 1 + 2e-16, 1 - 4e-16, 1.004, 0.996, 1.005, 1.02])
        return cell * factor
    if isinstance(cell, Decimal):
        return cell * rng.choice([Decimal(1), Decimal("1.005"), Decimal("1.0050001")])
    if isinstance(cell, int):
        others: list[Cell] = [cell, float(cell), Decimal(cell), str(cell)]
        return rng.choice(others)
    return cell


@st.composite
def pairs(draw: st.DrawFn) -> tuple[ResultSet, ResultSet]:
    """A result, and another that came of it by what answers do to results."""
    gold = draw(golds())
    if draw(st.integers(0, 5)) == 0:
        return gold, draw(golds())
    rng = random.Random(draw(st.integers(0, 10**6)))  # noqa: S311 - a test's own draws
    columns = [list(column) for column in zip(*gold.rows, strict=True)]
    columns = columns or [[] for _ in gold.columns]
    names = [column.name for column in gold.columns]
    for done in draw(st.lists(st.integers(0, 6), max_size=4)):
        at = rng.randrange(len(columns))
        if done == 0:
            columns[at] = [shifted(cell, rng) for cell in columns[at]]
        elif done == 1 and columns[at]:
            place = rng.randrange(len(columns[at]))
            columns[at][place] = shifted(columns[at][place], rng)
        elif done == 2:
            other = rng.randrange(len(columns))
            columns[at], columns[other] = columns[other], columns[at]
            if rng.random() < 0.5:
                names[at], names[other] = names[other], names[at]
        elif done == 3:
            columns.append(list(columns[at]))
            names.append(rng.choice(["a", "x", names[at]]))
        elif done == 4:
            names[at] = rng.choice(["x", "y", "a"])
        elif done == 5 and columns[0]:
            drop = rng.randrange(len(columns[0]))
            columns = [column[:drop] + column[drop + 1 :] for column in columns]
        elif done == 6 and columns[0]:
            copy = rng.randrange(len(columns[0]))
            columns = [[*column, column[copy]] for column in columns]
    rows = list(zip(*columns, strict=True))
    if draw(st.booleans()):
        rng.shuffle(rows)
    return gold, ResultSet(columns=tuple(Column(name=n) for n in names), rows=tuple(rows))


policies = st.builds(
    ComparisonPolicy,
    tolerance=st.builds(
        Tolerance,
        relative=st.sampled_from(["0", "0.005", "0.02", "1.5"]).map(Decimal),
        absolute=st.sampled_from([None, Decimal("0.05"), Decimal(1)]),
    ),
    loose_integers=st.booleans(),
    ordered=st.booleans(),
    sort_columns=st.sampled_from([None, (0,)]),
    max_extra_columns=st.sampled_from([0, 2, None]),
    case_sensitive=st.booleans(),
)


@law
@given(pairs(), policies)
def test_arrays_find_what_the_plain_path_finds(
    pair: tuple[ResultSet, ResultSet], policy: ComparisonPolicy
) -> None:
    gold, predicted = pair
    plain = compare_result_sets(gold, predicted, policy=policy, vector_rows=PLAIN)
    vector = compare_result_sets(gold, predicted, policy=policy, vector_rows=VECTOR)
    assert repr(vector) == repr(plain)  # repr, since NaN is not equal to itself


amounts = st.sampled_from(["10.0", "10.02", "10.04", "10.06", "20.0", "20.05", "-10.0", "0.1"])


@law
@given(
    st.lists(st.tuples(st.integers(0, 1), amounts, amounts), min_size=2, max_size=24),
    st.sampled_from(["0", "0.003", "0.005"]),
    st.integers(0, 10**6),
)
def test_arrays_match_close_rows_as_the_plain_path_does(
    rows: list[tuple[int, str, str]], relative: str, seed: int
) -> None:
    rng = random.Random(seed)  # noqa: S311 - a test's own draws
    factors = rng.choice([(1, 1 + 2e-16), (1, 1.003, 0.997), (1, 1.002, 1.01)])
    gold = [(key, float(first), float(second)) for key, first, second in rows]
    moved = [(k, a * rng.choice(factors), b * rng.choice(factors)) for k, a, b in gold]
    rng.shuffle(moved)
    moved = moved[rng.choice([0, 0, 1]) :]
    columns = tuple(Column(name=name) for name in "kab")
    policy = ComparisonPolicy(tolerance=Tolerance(relative=Decimal(relative)))
    one, other = (
        ResultSet(columns=columns, rows=tuple(gold)),
        ResultSet(columns=columns, rows=tuple(moved)),
    )
    plain = compare_result_sets(one, other, policy=policy, vector_rows=PLAIN)
    vector = compare_result_sets(one, other, policy=policy, vector_rows=VECTOR)
    assert vector == plain
