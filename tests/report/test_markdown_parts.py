"""Markdown for a pull request: short, folded, and never longer than a comment may be."""

from dataclasses import replace

import pytest

from goldsuite.model.run import RunRecord
from goldsuite.report.markdown import COMMENT_LIMIT, markdown_report
from goldsuite.report.markdown_parts import Part, fitting
from goldsuite.report.view import view_record
from goldsuite.runner.lock import LockState
from tests.report.tagged_run import tagged_record, tagged_view


def _many(number: int) -> RunRecord:
    record = tagged_record()
    cases = tuple(replace(record.cases[1], id=f"case-{at:05}") for at in range(number))
    return replace(record, cases=cases)


def test_what_stands_open_is_short_and_has_the_figure_and_the_advice() -> None:
    shown = markdown_report(tagged_view()).partition("<details>")[0]
    assert len(shown.splitlines()) < 20
    for text in ("accuracy 33.3 %", "95 % interval 6 to 79 %", "working number", "net-revenue"):
        assert text in shown


def test_every_part_that_folds_out_is_closed() -> None:
    text = markdown_report(tagged_view())
    assert text.count("<details>") == text.count("</details>") == 5


def test_a_long_report_fits_a_comment_and_counts_what_is_left_out() -> None:
    view = view_record(_many(2000), integrity=LockState.INTACT)
    text = markdown_report(view, limit=COMMENT_LIMIT)
    assert len(text.encode()) <= COMMENT_LIMIT
    assert "| case-00000 |" in text
    shown = text.count("\n| case-")
    assert f"and {2000 - shown:,} more: `goldsuite report --format markdown --full`" in text
    assert "case-01999" not in text
    assert "### case-01999" in markdown_report(view)


@pytest.mark.parametrize("limit", [0, 600, 1500, 2500, 3500])
def test_whatever_the_limit_the_text_is_whole(limit: int) -> None:
    view = tagged_view()
    shown = len(markdown_report(view).partition("\n<details>")[0].encode())
    text = markdown_report(view, limit=limit)
    assert len(text.encode()) <= max(limit, shown)
    assert text.count("<details>") == text.count("</details>")


def test_room_is_given_in_order_and_entries_fall_from_the_end() -> None:
    parts = (Part(title="A", entries=("one", "two", "three")), Part(title="B", head="b"))
    whole = (
        "top\n"
        "\n<details><summary>A</summary>\n\none\ntwo\nthree\n\n</details>\n"
        "\n<details><summary>B</summary>\n\nb\n\n</details>\n"
    )
    assert fitting("top", parts, None) == whole
    assert fitting("top", parts, len(whole)) == whole
    assert fitting("top", parts, 5) == "top\n"


def test_a_touched_record_is_said_before_the_figure() -> None:
    view = view_record(tagged_record(), integrity=LockState.CHANGED)
    before = markdown_report(view).partition("accuracy")[0]
    assert "> **BROKEN: the answers file no longer has" in before


def test_an_altered_record_is_said_before_the_figure() -> None:
    view = view_record(replace(tagged_record(), altered=True), integrity=LockState.INTACT)
    assert "This record was changed" in markdown_report(view).partition("accuracy 33")[0]
