"""Which train run a test run is held against: the newest whole one of the same analyst."""

from pathlib import Path

from goldsuite.comparison.generalisation import compare_splits
from goldsuite.comparison.partial import is_partial
from goldsuite.errors import RecordError
from goldsuite.model.held_out import TrainAgainstTest
from goldsuite.model.run import RunRecord
from goldsuite.records.file import read_record
from goldsuite.records.head import split_head
from goldsuite.records.runs_dir import record_paths

__all__ = ["train_against_test"]


def train_against_test(record: RunRecord, runs_dir: Path) -> TrainAgainstTest | None:
    """For a whole run of held-out cases; None where there is no train run to hold it against."""
    if record.split == "train" or is_partial(record):
        return None
    if record.split == "all":
        return compare_splits(record, record)
    train = _latest_train(record, runs_dir)
    return compare_splits(train, record) if train else None


def _latest_train(test: RunRecord, runs_dir: Path) -> RunRecord | None:
    for path in reversed(record_paths(runs_dir)):
        try:
            head = split_head(path.read_bytes()) or {}
            # Cheap to see from the head that it is another kind of run.
            if head.get("split", "train") != "train" or head.get("selection"):
                continue
            found = read_record(path)
        except (OSError, RecordError):
            continue
        if (
            found.split == "train"
            and not is_partial(found)
            and not found.altered
            and found.suite.name == test.suite.name
            and (found.analyst, found.model) == (test.analyst, test.model)
        ):
            return found
    return None
