"""Which two runs are compared where the user names none, or one."""

from collections.abc import Iterable

from goldsuite.comparison.partial import is_partial
from goldsuite.model.run import RunRecord

__all__ = ["earlier_like", "same_kind"]


def same_kind(one: RunRecord, two: RunRecord) -> bool:
    """Whether both are whole runs of one suite's same split; the suite may have been edited."""
    return (
        one.run_id != two.run_id
        and one.split == two.split
        and one.suite.name == two.suite.name
        and not is_partial(one)
        and not is_partial(two)
    )


def earlier_like(record: RunRecord, newest_first: Iterable[RunRecord]) -> RunRecord | None:
    """The newest of the others that is of the same kind and began no later; None where none is."""
    return next(
        (
            other
            for other in newest_first
            if same_kind(record, other) and other.started_at <= record.started_at
        ),
        None,
    )
