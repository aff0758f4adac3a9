"""The small finished run with words to cut it by, which every format is drawn from."""

from dataclasses import replace

from goldsuite.comparison.slices import slices_of
from goldsuite.model.question import Split
from goldsuite.model.run import RunRecord
from goldsuite.records.tag_figures import figures_by_tag
from goldsuite.report.view import ReportView, view_record
from goldsuite.runner.lock import LockState
from tests.sample_run import sample_record


def tagged_record(split: Split = "train") -> RunRecord:
    """One passed, one failed and one broken case; the second has two tags, the last no metric."""
    record = sample_record(split)
    passed, failed, broken = record.cases
    cases = (
        replace(passed, tags=("orders",), difficulty="easy", metric="orders_placed"),
        replace(failed, tags=("year", "revenue|net"), difficulty="easy", metric="secret_net"),
        replace(broken, tags=("orders",), difficulty="hard", target="secret_skill"),
    )
    tags = figures_by_tag((case.id, case.tags, case.verdict, case.passed) for case in cases)
    aggregate = replace(record.aggregate, tags=tags, slices=slices_of(cases))
    return replace(record, cases=cases, aggregate=aggregate)


def tagged_view(split: Split = "train", *, reveal: bool = False) -> ReportView:
    return view_record(tagged_record(split), integrity=LockState.INTACT, reveal=reveal)
