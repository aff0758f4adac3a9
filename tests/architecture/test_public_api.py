"""The public names: pinned, sorted, and each one there."""

import goldsuite

PUBLIC = [
    "Analyst",
    "AnalystError",
    "AnalystSource",
    "Column",
    "ComparisonPolicy",
    "Execution",
    "GoldCase",
    "GoldsuiteError",
    "Prompt",
    "Reply",
    "ResultSet",
    "RunRecord",
    "Tolerance",
    "__version__",
    "cases_frame",
    "compare_result_sets",
    "grade_answer",
    "load_runs",
    "parse_number",
    "read_record",
    "result_set_from_frame",
]


def test_the_public_names_are_these_and_no_others() -> None:
    assert sorted(goldsuite.__all__) == PUBLIC


def test_every_public_name_resolves() -> None:
    for name in PUBLIC:
        assert getattr(goldsuite, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    assert not hasattr(goldsuite, "no_such_name")
