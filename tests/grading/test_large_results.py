"""Results so large that they are compared as arrays, in full."""

import random
import subprocess
import sys
from datetime import date, timedelta

import pytest

from goldsuite.grading.result_sets import VECTOR_ROWS, Comparison, compare_result_sets
from goldsuite.model.result_set import Cell, Column, ResultSet

NAMES = ("id", "name", "amount", "day", "quantity")
COUNT = 2 * VECTOR_ROWS

_DAY = date(2025, 1, 1)
GOLD: list[tuple[Cell, ...]] = [
    (i, f"shop {i % 700}", i % 9_973 / 8 + 0.5, _DAY + timedelta(i % 300), i % 20)
    for i in range(COUNT)
]


def shuffled(rows: list[tuple[Cell, ...]]) -> list[tuple[Cell, ...]]:
    return random.Random(5).sample(rows, len(rows))  # noqa: S311 - a test's own order


def noisy(rows: list[tuple[Cell, ...]]) -> list[tuple[Cell, ...]]:
    """Every amount off by the last digit of a float."""
    return [(i, n, float(str(a)) * (1 + 3e-16), d, q) for i, n, a, d, q in rows]


def compare(
    predicted: list[tuple[Cell, ...]],
    names: tuple[str, ...] = NAMES,
    vector_rows: int = VECTOR_ROWS,
) -> Comparison:
    gold = ResultSet(columns=tuple(Column(name=n) for n in NAMES), rows=tuple(GOLD))
    other = ResultSet(columns=tuple(Column(name=n) for n in names), rows=tuple(predicted))
    return compare_result_sets(gold, other, vector_rows=vector_rows)


def test_shuffled_rows_and_columns_under_other_names_are_equal() -> None:
    found = compare([row[::-1] for row in shuffled(GOLD)], tuple("vwxyz"))
    assert (found.equal, found.exact) == (True, True)
    assert found.assignment == (4, 3, 2, 1, 0)


def test_the_noise_of_floats_is_no_difference() -> None:
    found = compare(shuffled(noisy(GOLD)))
    assert (found.equal, found.exact) == (True, True)


def test_a_row_is_missed_though_noise_is_in_all_others() -> None:
    lost = GOLD[4321]
    found = compare(noisy([row for row in shuffled(GOLD) if row != lost]))
    assert [m.code for m in found.mismatches] == ["row_count", "missing_rows"]
    assert found.mismatches[1].message == "1 row of the gold is missing"
    assert found.mismatches[1].gold_rows == (lost,)


def test_a_value_that_differs_is_shown_with_its_row() -> None:
    changed = [(*row[:2], 99_999.0, *row[3:]) if row[0] == 77 else row for row in shuffled(GOLD)]
    found = compare(changed)
    assert [m.code for m in found.mismatches] == ["value"]
    assert found.mismatches[0].message == "1 row differs"
    assert found.mismatches[0].gold_rows == (GOLD[77],)
    assert found.mismatches[0].predicted_rows == ((*GOLD[77][:2], 99_999.0, *GOLD[77][3:]),)
    assert found.score is not None
    # All cells but one are right, and the answer has as many as the gold.
    assert found.score.f1 == pytest.approx(1 - 1 / (5 * COUNT))


def test_amounts_under_other_ids_are_a_mismatch() -> None:
    moved = [(*row[:2], GOLD[at - 1][2], *row[3:]) for at, row in enumerate(GOLD)]
    found = compare(shuffled(moved))
    assert [m.code for m in found.mismatches] == ["value"]


def test_both_ways_say_the_same_of_a_large_result() -> None:
    # The last amount is moved beyond its tolerance, and a row is there twice.
    rows = [*noisy(GOLD)[:-1], (*GOLD[-1][:2], -1.5, *GOLD[-1][3:]), GOLD[3]]
    assert compare(shuffled(rows)) == compare(shuffled(rows), vector_rows=10 * COUNT)


def test_what_is_found_does_not_depend_on_the_seed_of_hashes() -> None:
    code = (
        "from goldsuite.grading.result_sets import compare_result_sets\n"
        "from goldsuite.model.result_set import Column, ResultSet\n"
        "names = (Column(name='a'), Column(name='b'))\n"
        "gold = tuple((f'k{i % 900}', i / 7) for i in range(6000))\n"
        "other = tuple((f'k{i % 901}', i / 7.2) for i in range(6000))\n"
        "print(compare_result_sets(ResultSet(columns=names, rows=gold),"
        " ResultSet(columns=names, rows=other)))"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1
    assert "equal=False" in said.pop()


def test_small_results_do_not_load_numpy() -> None:
    code = (
        "from goldsuite.grading.result_sets import compare_result_sets\n"
        "from goldsuite.model.result_set import Column, ResultSet\n"
        "a, b = (ResultSet(columns=(Column(name='a'),), rows=((n,),)) for n in (1, 2))\n"
        "assert not compare_result_sets(a, b).equal\n"
        "import sys\n"
        "assert 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
