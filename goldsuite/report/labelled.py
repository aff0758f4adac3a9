"""A record with what people said of its failures laid over it."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from goldsuite.diagnosis.clusters import relabel
from goldsuite.model.diagnosis import CaseLabel
from goldsuite.model.run import RunRecord
from goldsuite.records.file import read_record
from goldsuite.records.labels import labels_of

__all__ = ["labelled", "read_labelled"]


def read_labelled(path: Path) -> RunRecord:
    """The record in the file `path`, with its labels.

    Raises:
        RecordError: record or labels cannot be read.
    """
    return labelled(read_record(path), labels_of(path))


def labelled(record: RunRecord, labels: Mapping[str, CaseLabel]) -> RunRecord:
    """`record` with each label at its case, and the failures grouped as the labels say.

    What was found automatically stays at the case.
    """
    if not labels:
        return record
    order = list(dict.fromkeys(case.id for case in record.cases))
    causes = {case: label.cause for case, label in labels.items()}
    return replace(
        record,
        cases=tuple(
            case if case.passed else replace(case, label=labels.get(case.id))
            for case in record.cases
        ),
        failure_modes=relabel(record.failure_modes, causes, order),
    )
