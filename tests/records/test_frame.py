"""Records and results as DataFrames."""

from datetime import date, datetime, timedelta
from decimal import Decimal

import pandas as pd
import pytest

from goldsuite import (
    Column,
    ComparisonPolicy,
    GoldsuiteError,
    ResultSet,
    cases_frame,
    compare_result_sets,
    result_set_from_frame,
)
from tests.sample_run import sample_record

NAIVE = datetime(2025, 1, 2, 3, 4)  # noqa: DTZ001 - warehouses have naive ones


def test_a_record_has_one_row_per_trial_in_its_order() -> None:
    record = sample_record()
    frame = record.to_frame()
    assert list(frame["id"]) == [case.id for case in record.cases]
    assert list(frame["verdict"]) == [case.verdict.value for case in record.cases]
    assert set(frame["run_id"]) == {record.run_id}
    assert frame.equals(cases_frame(record))
    assert isinstance(frame["flags"].iloc[0], tuple)
    assert next(iter(frame.columns)) == "run_id"


def test_what_was_not_measured_is_missing_and_not_zero() -> None:
    frame = sample_record().to_frame()
    assert frame.loc[frame["verdict"] == "analyst_error", "query_similarity"].isna().all()


def test_a_whole_gold_stays_whole_beside_a_fraction() -> None:
    assert list(map(repr, sample_record().to_frame()["gold_stored"])) == ["31100", "1000.5", "None"]


def test_a_frame_gives_the_cells_that_a_warehouse_would_return() -> None:
    frame = pd.DataFrame(
        {
            "n": [1, None],
            "amount": [Decimal("1.50"), None],
            "name": ["Ann", None],
            "at": [pd.Timestamp("2025-01-02 03:04"), pd.NaT],
            "took": [pd.Timedelta(minutes=2), pd.NaT],
            "yes": pd.array([True, None], dtype="boolean"),
            "day": [date(2025, 1, 2), None],
        }
    )
    result = result_set_from_frame(frame)
    assert [column.name for column in result.columns] == list(frame.columns)
    first = (1.0, Decimal("1.50"), "Ann", NAIVE, timedelta(minutes=2), True,
             date(2025, 1, 2))  # fmt: skip
    assert result.rows == (first, (None,) * 7)


def test_duplicate_column_names_and_an_empty_frame_keep_their_columns() -> None:
    twice = pd.DataFrame([[1, 2]], columns=["a", "a"])
    assert result_set_from_frame(twice).rows == ((1, 2),)
    empty = result_set_from_frame(pd.DataFrame({"a": [], "b": []}))
    assert (len(empty.columns), empty.rows) == (2, ())


def test_a_list_in_a_cell_is_named_with_its_column() -> None:
    with pytest.raises(GoldsuiteError, match="column 'tags': a list is no value"):
        result_set_from_frame(pd.DataFrame({"tags": [["a"]]}))


PAIRS = (
    ({"a": [1, 2]}, {"a": [2, 1]}, True),
    ({"a": [1, 2]}, {"a": [1, 2, 2]}, False),
    ({"a": [1.0, None]}, {"a": [None, 1]}, True),
    ({"a": ["x"], "b": [1]}, {"b": [1], "a": ["x"]}, True),
)


@pytest.mark.parametrize(("gold", "predicted", "equal"), PAIRS)
def test_frames_are_compared_as_results(
    gold: dict[str, list[object]], predicted: dict[str, list[object]], equal: bool
) -> None:
    assert compare_result_sets(pd.DataFrame(gold), pd.DataFrame(predicted)).equal is equal


def test_a_frame_and_a_result_set_can_be_compared_under_a_policy() -> None:
    gold = ResultSet(columns=(Column(name="a"),), rows=((1,), (2,)))
    frame = pd.DataFrame({"a": [2, 1]})
    assert compare_result_sets(gold, frame).equal
    assert not compare_result_sets(gold, frame, policy=ComparisonPolicy(ordered=True)).equal
