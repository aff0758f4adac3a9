"""Laws of comparing results, tried on generated ones."""

import random
from decimal import Decimal

from hypothesis import given, settings
from hypothesis import strategies as st

from goldsuite.grading.result_sets import ComparisonPolicy, compare_result_sets
from goldsuite.grading.tolerance import EXACT, Tolerance
from goldsuite.model.result_set import Cell, Column, ResultSet

law = settings(derandomize=True, deadline=None, database=None, max_examples=100)

cells: st.SearchStrategy[Cell] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 5),
    st.integers(),
    st.floats(allow_nan=True),
    st.sampled_from([0.1, 0.2, 0.30000000000000004]),
    st.decimals(allow_nan=False, allow_infinity=False, places=2),
    st.text(max_size=3),
    st.dates(),
    st.datetimes(),
    st.binary(max_size=2),
)


@st.composite
def results(draw: st.DrawFn) -> ResultSet:
    width = draw(st.integers(1, 4))
    rows = draw(st.lists(st.tuples(*[cells] * width), max_size=6))
    names = draw(st.lists(st.sampled_from(["a", "b", "c", ""]), min_size=width, max_size=width))
    return ResultSet(columns=tuple(Column(name=n) for n in names), rows=tuple(rows))


def shuffled(result: ResultSet, seed: int) -> ResultSet:
    rng = random.Random(seed)  # noqa: S311 - a test's own order
    order = rng.sample(range(len(result.columns)), len(result.columns))
    rows = [tuple(row[at] for at in order) for row in result.rows]
    rng.shuffle(rows)
    return ResultSet(columns=tuple(result.columns[at] for at in order), rows=tuple(rows))


@law
@given(results(), st.integers(0, 9))
def test_a_result_equals_itself_shuffled_in_rows_and_columns(result: ResultSet, seed: int) -> None:
    found = compare_result_sets(result, shuffled(result, seed))
    assert found.equal
    assert found.exact


@law
@given(results(), results())
def test_without_tolerance_and_extra_columns_comparison_is_symmetric(
    first: ResultSet, second: ResultSet
) -> None:
    policy = ComparisonPolicy(tolerance=EXACT, max_extra_columns=0)
    one = compare_result_sets(first, second, policy=policy)
    other = compare_result_sets(second, first, policy=policy)
    assert one.equal is other.equal


@law
@given(results(), st.integers(0, 9))
def test_a_duplicated_row_makes_a_difference(result: ResultSet, seed: int) -> None:
    if not result.rows:
        return
    more = ResultSet(columns=result.columns, rows=(*result.rows, result.rows[0]))
    assert not compare_result_sets(result, shuffled(more, seed)).equal
    assert not compare_result_sets(shuffled(more, seed), result).equal


numbers = st.decimals(min_value=-1000, max_value=1000, places=1)


@law
@given(
    st.lists(st.tuples(numbers, numbers), min_size=1, max_size=5),
    st.lists(st.integers(-9, 9), min_size=10, max_size=10),
    st.sampled_from(["0", "0.001", "0.005", "0.1"]),
    st.sampled_from(["0.001", "0.01", "0.5"]),
)
def test_a_larger_tolerance_never_loses_a_match(
    rows: list[tuple[Decimal, Decimal]], shifts: list[int], small: str, more: str
) -> None:
    moved = [
        tuple(value * (1 + Decimal(shift) / 1000) for value, shift in zip(row, pair, strict=True))
        for row, pair in zip(rows, zip(shifts[::2], shifts[1::2], strict=True), strict=False)
    ]
    columns = (Column(name="a"), Column(name="b"))
    gold = ResultSet(columns=columns, rows=tuple(rows))
    predicted = ResultSet(columns=columns, rows=tuple(moved))

    def equal(relative: Decimal) -> bool:
        tolerance = Tolerance(relative=relative)
        policy = ComparisonPolicy(tolerance=tolerance, loose_integers=True)
        return compare_result_sets(gold, predicted, policy=policy).equal

    if equal(Decimal(small)):
        assert equal(Decimal(small) + Decimal(more))


@law
@given(
    st.lists(st.tuples(st.integers(0, 2), numbers, numbers), min_size=1, max_size=6),
    st.lists(st.tuples(st.integers(-6, 6), st.integers(-6, 6)), min_size=6, max_size=6),
    st.randoms(use_true_random=False),
)
def test_matching_with_tolerance_agrees_with_trying_every_pairing(
    rows: list[tuple[int, Decimal, Decimal]],
    shifts: list[tuple[int, int]],
    rng: random.Random,
) -> None:
    moved = [
        (k, a * (1 + Decimal(s) / 1000), b * (1 + Decimal(t) / 1000))
        for (k, a, b), (s, t) in zip(rows, shifts, strict=False)
    ]
    rng.shuffle(moved)
    columns = (Column(name="k"), Column(name="a"), Column(name="b"))
    gold = ResultSet(columns=columns, rows=tuple((k, float(a), float(b)) for k, a, b in rows))
    predicted = ResultSet(columns=columns, rows=tuple((k, float(a), float(b)) for k, a, b in moved))
    found = compare_result_sets(gold, predicted)
    if found.assignment in {(0, 1, 2), None}:
        assert found.equal is brute_force(gold, predicted)


def brute_force(gold: ResultSet, predicted: ResultSet) -> bool:
    """Whether some pairing of all rows holds, found by trying them all."""

    def allows(one: tuple[Cell, ...], other: tuple[Cell, ...]) -> bool:
        if one[0] != other[0]:
            return False
        pairs = [(Decimal(repr(one[at])), Decimal(repr(other[at]))) for at in (1, 2)]
        return all(abs(g - p) <= Decimal("0.005") * abs(g) for g, p in pairs)

    def place(at: int, free: frozenset[int]) -> bool:
        if at == len(gold.rows):
            return True
        return any(
            allows(gold.rows[at], predicted.rows[other]) and place(at + 1, free - {other})
            for other in sorted(free)
        )

    return place(0, frozenset(range(len(predicted.rows))))
