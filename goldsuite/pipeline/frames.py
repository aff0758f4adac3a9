"""The comparison of results for notebooks: a DataFrame may stand in for either side.

Kept out of grading, which knows no pandas.
"""

from typing import TYPE_CHECKING, TypeAlias, Union

from goldsuite.grading import result_sets
from goldsuite.grading.result_sets import Comparison, ComparisonPolicy
from goldsuite.model.result_set import ResultSet
from goldsuite.records.frame import result_set_from_frame

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["compare_result_sets"]

Rows: TypeAlias = Union[ResultSet, "DataFrame"]


def compare_result_sets(
    gold: Rows, predicted: Rows, *, policy: ComparisonPolicy | None = None
) -> Comparison:
    """Compare `predicted` with `gold` as grading does; the order of rows counts only by `policy`.

    Raises:
        UsageError: a DataFrame holds what no warehouse returns, such as a list.
    """
    return result_sets.compare_result_sets(_rows(gold), _rows(predicted), policy=policy)


def _rows(rows: Rows) -> ResultSet:
    return rows if isinstance(rows, ResultSet) else result_set_from_frame(rows)
