"""What an analyst is told."""

from datetime import date

from goldsuite.analysts.brief import write_brief, write_tool_brief
from goldsuite.model.question import Prompt


def test_briefs_differ_by_the_question_alone() -> None:
    first = write_brief(Prompt(token="t1", text="How many orders?"), dialect="duckdb")
    second = write_brief(Prompt(token="t2", text="List the regions."), dialect="duckdb")
    assert first.replace("How many orders?", "List the regions.") == second


def test_a_brief_names_files_variable_dialect_and_answer_lines() -> None:
    brief = write_brief(Prompt(token="t1", text="How many orders?"), dialect="duckdb")
    for part in (
        ".knowledge/active.yaml",
        "metrics/index.yaml",
        "verified_queries.yaml",
        "GOLDSUITE_WAREHOUSE_URL",
        "duckdb",
        "analyst_value:",
        "analyst_query:",
        "definition_source:",
        "How many orders?",
    ):
        assert part in brief


def test_a_brief_holds_neither_token_nor_a_date_that_the_suite_does_not_state() -> None:
    brief = write_brief(Prompt(token="t0k3n", text="How many?"), dialect="duckdb")
    assert "t0k3n" not in brief
    assert "Today is" not in brief


def test_the_date_that_today_means_is_stated() -> None:
    prompt = Prompt(token="t", text="How many today?", as_of=date(2026, 1, 31))
    assert "Today is 2026-01-31." in write_brief(prompt, dialect="duckdb")


def test_without_a_context_no_files_are_promised() -> None:
    brief = write_brief(Prompt(token="t", text="How many?"), dialect="sqlite", context=False)
    assert ".knowledge" not in brief


def test_a_brief_for_tools_names_them_and_asks_for_what_every_brief_asks() -> None:
    brief = write_tool_brief(dialect="duckdb", as_of=date(2026, 1, 31))
    for part in (
        "list_context",
        "read_context",
        "list_tables",
        "describe_table",
        "run_query",
        "give_answer",
        "duckdb",
        "Today is 2026-01-31.",
        "use that definition exactly as it stands",
        "decide yourself how the metric is best defined",
    ):
        assert part in brief
    assert "GOLDSUITE" not in brief


def test_a_brief_for_tools_without_a_context_promises_no_notes() -> None:
    brief = write_tool_brief(dialect="sqlite", as_of=None, context=False)
    assert "list_context" not in brief
    assert ".knowledge" not in brief
    assert "Today" not in brief
    assert "There is no metric dictionary" in brief
