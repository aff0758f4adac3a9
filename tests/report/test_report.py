"""The report: byte-exact per format, nothing of a held-out case, nothing hostile."""

import io
from dataclasses import replace

import pytest

from goldsuite.report.figures import duration, money, percent, shorten, value_text
from goldsuite.report.terminal import plain_report, print_report
from goldsuite.report.view import view_record
from goldsuite.runner.lock import LockState
from tests.report.golden_files import DRAWN, FOLDER
from tests.report.tagged_run import tagged_view
from tests.sample_run import sample_record


def _terminal(
    split: str = "train", *, integrity: LockState = LockState.INTACT, reveal: bool = False
) -> str:
    out = io.StringIO()
    record = sample_record("test" if split == "test" else "train")
    print_report(view_record(record, integrity=integrity, reveal=reveal), out)
    return out.getvalue()


@pytest.mark.parametrize("name", DRAWN)
def test_each_format_is_its_golden_file_to_the_byte(name: str) -> None:
    assert DRAWN[name](tagged_view()).encode() == (FOLDER / name).read_bytes()


def test_eighty_columns_hold_a_case_on_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    class Screen(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")
    record = sample_record()
    failed = replace(record.cases[1], id="spend-per-new-customer", analyst_value="1", flags=())
    view = view_record(replace(record, cases=(failed,)), integrity=LockState.INTACT)
    out = Screen()
    print_report(view, out)
    lines = [line.rstrip() for line in out.getvalue().splitlines()]
    assert " ✗  spend-per-new-customer  1       1,000.50  undefined-metric-drift" in lines


def test_a_gold_error_is_said_to_be_the_suites_fault() -> None:
    record = sample_record()
    counted = replace(record, aggregate=replace(record.aggregate, gold_errors=2))
    (notice,) = (
        text
        for text in view_record(counted, integrity=LockState.INTACT).notices
        if "gold error" in text
    )
    assert notice.startswith("2 gold errors: the suite's fault")


def test_piped_text_holds_no_escape_sequence() -> None:
    assert "\x1b" not in _terminal()


@pytest.mark.parametrize("name", DRAWN)
@pytest.mark.parametrize(
    "secret", ["secret", "1000.5", "1,000.5", "31200", "31,200", "31100", "gross", "North"]
)
def test_a_held_out_report_shows_no_gold_sql_or_answer(name: str, secret: str) -> None:
    assert secret not in DRAWN[name](tagged_view("test"))


@pytest.mark.parametrize("name", DRAWN)
def test_every_format_has_the_slices_with_their_counts(name: str) -> None:
    text = DRAWN[name](tagged_view())
    for word in ("orders", "secret_net", "hard", "skill"):
        assert word in text.replace("\\_", "_")


def test_of_held_out_cases_slices_are_by_tag_and_difficulty_alone() -> None:
    assert [table.by for table in tagged_view("test").slices] == ["tag", "difficulty"]
    revealed = tagged_view("test", reveal=True).slices
    assert [table.by for table in revealed] == ["tag", "metric", "difficulty", "target"]


def test_a_slice_says_cases_passed_accuracy_and_interval() -> None:
    tags = {row.name: row for row in tagged_view().slices[0].rows}
    orders = tags["orders"]
    assert (orders.cases, orders.passed, orders.gradable) == (2, 1, 2)
    # Wilson for 1 of 2, z = 1.96: 0.5 +- 1.96 * sqrt(0.125 + 3.8416 / 16) / (1 + 3.8416 / 2).
    assert (orders.accuracy, orders.interval) == ("50.0 %", "9 to 91 %")
    assert list(tags) == ["orders", "revenue|net", "year"]


@pytest.mark.parametrize("shown", ["net-revenue", "wrong", "exit code 3", "undefined-metric-drift"])
def test_a_held_out_report_shows_ids_verdicts_errors_and_mode_counts(shown: str) -> None:
    assert shown in _terminal("test")


def test_reveal_shows_the_held_out_gold_and_says_so() -> None:
    text = _terminal("test", reveal=True)
    assert "1,000.50" in text
    assert "no longer unseen" in text


def test_a_broken_lock_is_said_loudly() -> None:
    assert "BROKEN: the answers file no longer has" in _terminal(integrity=LockState.CHANGED)


def test_train_and_test_give_their_own_advice() -> None:
    assert "working number" in _terminal("train")
    assert "Do not tune on it" in _terminal("test")


@pytest.mark.parametrize(
    ("share", "text"), [(None, "–"), (0.0, "0.0 %"), (1.0, "100.0 %"), (0.57142, "57.1 %")]
)
def test_a_share_is_written_in_percent(share: float | None, text: str) -> None:
    assert percent(share) == text


@pytest.mark.parametrize(
    ("milliseconds", "text"),
    [(None, "–"), (0.4, "0 ms"), (999.0, "999 ms"), (1500.0, "1.5 s"), (200_000.0, "3 min 20 s")],
)
def test_a_duration_is_written_in_its_own_unit(milliseconds: float | None, text: str) -> None:
    assert duration(milliseconds) == text


@pytest.mark.parametrize(
    ("dollars", "text"), [(None, "–"), (0.0, "$0.0000"), (0.0123, "$0.0123"), (1234.5, "$1,234.50")]
)
def test_money_is_written_in_dollars(dollars: float | None, text: str) -> None:
    assert money(dollars) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "NULL"),
        (True, "true"),
        (1234567, "1,234,567"),
        (0.125, "0.125"),
        (1234.5, "1,234.50"),
        ("North", "North"),
        ([["a", 1]], "1 row: (a, 1)"),
        ([["a"], ["b"], ["c"], ["d"]], "4 rows: (a), (b), (c), ..."),
        ([], "0 rows: "),
    ],
)
def test_a_gold_value_is_written_on_one_line(value: object, text: str) -> None:
    assert value_text(value) == text  # type: ignore[arg-type]


def test_a_long_text_is_cut_with_an_ellipsis() -> None:
    assert shorten("a\n b  c", 10) == "a b c"
    assert shorten("abcdef", 4) == "abc…"


def test_data_that_nothing_held_still_is_told() -> None:
    record = sample_record()
    unsteady = replace(record, warehouse=replace(record.warehouse, snapshot="none"))
    for found, told in ((record, False), (unsteady, True)):
        notices = view_record(found, integrity=LockState.INTACT).notices
        assert any("kept the data from changing" in text for text in notices) is told


def test_what_the_verdicts_do_not_say_is_counted_and_named() -> None:
    record = sample_record()
    passed, failed, broken = record.cases
    cases = (
        replace(passed, flags=("right_value_wrong_sql", "vacuous")),
        replace(failed, flags=("correct_rounding", "right_sql_wrong_value"), execution_match=True),
        broken,
    )
    counted = replace(
        record.aggregate,
        correct_roundings=1,
        right_value_wrong_sql=1,
        right_sql_wrong_value=1,
        vacuous=1,
    )
    view = view_record(replace(record, cases=cases, aggregate=counted), integrity=LockState.INTACT)
    assert [notice.partition("; ")[0] for notice in view.notices[1:5]] == [
        "correct roundings that failed: 1 answer (net-revenue)",
        "right value, wrong SQL: 1 answer (orders-2025)",
        "right SQL, wrong value: 1 answer (net-revenue)",
        "both results empty: 1 answer (orders-2025)",
    ]
    assert view.notices[1].endswith("to let them pass say `accept_rounding: true`")


def test_of_held_out_answers_the_notices_count_and_name_none() -> None:
    record = sample_record("test")
    counted = replace(record.aggregate, right_sql_wrong_value=1)
    cases = (replace(record.cases[0], flags=("right_sql_wrong_value",)), *record.cases[1:])
    view = view_record(replace(record, cases=cases, aggregate=counted), integrity=LockState.INTACT)
    (notice,) = (text for text in view.notices if text.startswith("right SQL"))
    assert notice.startswith("right SQL, wrong value: 1 answer; ")
    assert view.record.cases[0].flags == ()
    assert view.record.cases[0].component_match is None


def test_of_very_many_cases_the_short_report_shows_those_to_mend() -> None:
    record = sample_record()
    passed, failed, _ = record.cases
    cases = (
        *(replace(passed, id=f"right-{at}", gold_drift=None) for at in range(300)),
        *(replace(failed, id=f"wrong-{at}") for at in range(150)),
    )
    view = view_record(replace(record, cases=cases), integrity=LockState.INTACT)
    text = plain_report(view)
    assert "wrong-149" in text
    assert "The first that did not pass, and 300 more: goldsuite report --full" in text
    assert "✓" not in text
    assert "right-299" in plain_report(view, full=True)


def test_notices_of_one_kind_leave_room_for_the_others() -> None:
    record = sample_record()
    drifted = tuple(replace(record.cases[0], id=f"case-{at}") for at in range(50))
    notices = view_record(replace(record, cases=drifted), integrity=LockState.INTACT).notices
    assert sum(text.startswith("gold drift in case-") for text in notices) == 20
    assert "gold drift in 30 more answers" in notices
