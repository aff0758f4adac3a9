"""Claims and reads are checked for every answer of a run, passed or not."""

import json
import sqlite3
from pathlib import Path

import pytest

from tests.command_line import goldsuite

OWN, CLAIMED = "my own choice", "metric dictionary"
ANSWERS: dict[str, tuple[str, str, list[str], list[str]]] = {
    "as-defined": (
        "select sum(amount) from orders where state <> 'cancelled'", CLAIMED, [], [],
    ),
    # What the text lacks stands in the view.
    "by-view": ("select sum(amount) from sales", CLAIMED, [], []),
    "not-as-claimed": (
        "select sum(amount) from daily",
        CLAIMED,
        ["claim_unsupported"],
        [
            ("The analyst claims the metric dictionary, and the SQL lacks of `gross_sales`: the"
             " table `orders`, the filter `orders.state <> 'cancelled'`.")
        ],
    ),
    "nothing-claimed": ("select sum(amount) from daily", OWN, [], []),
    "forbidden": (
        "select sum(amount) from (select * from orders where state <> 'cancelled')",
        CLAIMED,
        ["forbidden_read"],
        ["The SQL reads `orders.email`; `orders.email` is forbidden."],
    ),
}  # fmt: skip
"""SQL, the source that is claimed, our flags, and the evidence."""

SUITE = "name: shop\ncases:\n" + "".join(
    f'  - id: {case}\n    question: "What were gross sales, {case}?"\n    split: train\n'
    "    gold_sql: select sum(amount) from orders\n"
    for case in ANSWERS
)
INDEX = """\
metrics:
  - name: gross_sales
    sql: sum(orders.amount)
    source: orders
    filters: ["orders.state <> 'cancelled'"]
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    with sqlite3.connect(tmp_path / "shop.db") as connection:
        connection.executescript(
            "create table orders (amount int, state text, email text);"
            "insert into orders values (60, 'sent', 'a@b.c');"
            "create table daily (amount int);"
            "insert into daily values (60);"
            "create view sales as select amount from orders where state <> 'cancelled';"
        )
    connection.close()
    (tmp_path / "gold.yaml").write_text(SUITE)
    knowledge = tmp_path / "context" / ".knowledge"
    (knowledge / "datasets" / "shop" / "metrics").mkdir(parents=True)
    (knowledge / "active.yaml").write_text("active: shop\n")
    (knowledge / "datasets" / "shop" / "metrics" / "index.yaml").write_text(INDEX)
    (tmp_path / "goldsuite.toml").write_text(
        'suite = "gold.yaml"\nwarehouse = "sqlite:///shop.db"\ncontext = "context"\n'
        'forbid = ["orders.email", "staging.*"]\n'
    )
    return tmp_path


def test_answers_that_pass_are_flagged_with_the_evidence(shop: Path) -> None:
    rows = (
        {"id": case, "analyst_query": sql, "definition_source": source}
        for case, (sql, source, *_) in ANSWERS.items()
    )
    (shop / "answers.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    record = goldsuite("grade", "answers.jsonl", "--format", "json", cwd=shop).record
    assert all(case["passed"] for case in record["cases"])
    ours = {"claim_unsupported", "forbidden_read", "lineage_unread", "required_read_missing"}
    found = {
        case["id"]: ([flag for flag in case["flags"] if flag in ours], case["lineage"])
        for case in record["cases"]
    }
    assert found == {case: (flags, told) for case, (_, _, flags, told) in ANSWERS.items()}
