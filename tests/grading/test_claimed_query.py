"""The query that an analyst names against the log of what ran for it."""

import pytest

from goldsuite.grading.claimed_query import Claim, check_claim
from goldsuite.grading.flags import FLAGS
from goldsuite.model.answer import LoggedQuery, Reply

COUNT = LoggedQuery(sql="select count(*) from orders where state = 'open'", rows=1, value="7")
FAILED = LoggedQuery(sql="select sum(amout) from orders", error="failed: no column amout")


@pytest.mark.parametrize(
    ("claimed", "log", "expected"),
    [
        ("select count(*) from orders where state = 'open'", (COUNT,), "ran"),
        ("SELECT COUNT(*)\nFROM orders  WHERE state = 'open';", (FAILED, COUNT), "ran"),
        ("select count(*) from orders -- open ones\nwhere state = 'open'", (COUNT,), "ran"),
        # The case of a literal is a part of what is asked.
        ("select count(*) from orders where state = 'Open'", (COUNT,), "not_run"),
        ("select count(*) from orders", (COUNT,), "not_run"),
        # It ran into an error, so that its result is not where the answer comes from.
        ("select sum(amout) from orders", (COUNT, FAILED), "not_run"),
        ("select count(*) from orders", (), "not_run"),
        ("select from where", (COUNT,), "not_run"),
        ("select count(*) from orders", None, None),
        (None, (COUNT,), None),
        ("  ", (COUNT,), None),
    ],
)
def test_a_named_query_is_looked_up_in_the_log(
    claimed: str | None, log: tuple[LoggedQuery, ...] | None, expected: Claim | None
) -> None:
    assert check_claim(Reply(query=claimed, queries=log), "duckdb") == expected


def test_text_that_is_no_sql_is_looked_up_by_its_tokens() -> None:
    odd = LoggedQuery(sql="summarise  the ORDERS ((", rows=1)
    assert check_claim(Reply(query="summarise the ORDERS ((", queries=(odd,)), "duckdb") == "ran"


def test_the_flag_has_its_sentence() -> None:
    assert FLAGS["query_not_run"].endswith(".")
