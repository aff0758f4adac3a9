"""Spider, BIRD, defog and plain CSV files become gold files; nothing of them vanishes."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
import yaml

from goldsuite.suite.importers.base import Source
from goldsuite.suite.importers.defog import accepted_queries
from goldsuite.suite.importers.entry import NotTakenError
from goldsuite.suite.importers.json_text import read_json_list
from goldsuite.suite.key import load_key
from tests.command_line import ROOT, Run, goldsuite

PUBLIC = ROOT.parent / "shared" / "cases"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a small shop: four orders of two customers, 10 + 20 + 30 + 40 = 100."""
    with sqlite3.connect(tmp_path / "shop.sqlite") as shop:
        shop.executescript(
            """
            create table customer (id integer, name text);
            insert into customer values (1, 'Ann'), (2, 'Bob');
            create table orders (id integer, customer_id integer, amount real, day text);
            insert into orders values
              (1, 1, 10, '2025-01-01'), (2, 1, 20, '2025-02-01'),
              (3, 2, 30, '2025-03-01'), (4, 2, 40, null);
            """
        )
    shop.close()
    return tmp_path


def imported(folder: Path, kind: str, content: Any, *options: str) -> Run:
    """The import of `content` into suite.yaml."""
    text = content if isinstance(content, str) else json.dumps(content, indent=1)
    (folder / "source").write_text(text, encoding="utf-8")
    return goldsuite(
        "suite", "import", kind, "source", "--out", "suite.yaml",
        "--warehouse", "sqlite:///shop.sqlite", *options, cwd=folder,
    )  # fmt: skip


def cases(folder: Path) -> dict[str, dict[str, Any]]:
    """What was written, by id, after the loader took it without a fault."""
    load_key(folder / "suite.yaml")
    written = yaml.safe_load((folder / "suite.yaml").read_text())["cases"]
    return {case["id"]: case for case in written}


SPIDER = [
    {"db_id": "shop", "question": "How many orders?", "query": "SELECT count(*) FROM orders"},
    {"db_id": "shop", "question": "Who is there?", "query": "SELECT name FROM customer"},
    {"db_id": "shop", "question": "Total?", "query": 'SELECT sum(amount) FROM "orders"'},
]


def test_a_spider_file_is_imported_with_the_values_of_today(folder: Path) -> None:
    run = imported(folder, "spider", SPIDER)
    assert run.code == 0, run.err
    assert run.out.startswith("wrote      suite.yaml: 3 cases of 3 (2 train, 1 test)\n")
    found = cases(folder)
    assert {name: case["gold_value"] for name, case in found.items()} == {
        "shop-1": 4,
        "shop-2": [["Ann"], ["Bob"]],
        "shop-3": 100.0,
    }
    assert goldsuite("check", "--suite", "suite.yaml", "--warehouse", "sqlite:///shop.sqlite",
                     cwd=folder).code == 0  # fmt: skip


UNTAKEN = [
    ({"db_id": "shop", "query": "SELECT 1"}, "'question' is missing or empty"),
    ({"db_id": "shop", "question": "A?", "querry": "SELECT 1"}, "Did you mean 'querry'?"),
    ({"db_id": "shop", "question": "B?", "query": ["SELECT 1"]}, "'query' is no text"),
    ({"db_id": "shop", "question": "C?", "query": "SELECT x FROM orders"}, "no such column: x"),
    ({"db_id": "shop", "question": "D?", "query": "DELETE FROM orders"}, "the SQL writes"),
    ({"db_id": "shop", "question": "E?", "query": "SELECT 1; SELECT 2"}, "several statements"),
    ({"db_id": "shop", "question": "F?", "query": "SELECT null"}, "NULL"),
    ({"db_id": "shop", "question": "how  MANY orders?", "query": "SELECT 4"},
     "asks what entry 1 (line 2) (shop-1) asks, with another gold"),
]  # fmt: skip


def test_entries_that_are_no_cases_are_told_with_place_and_reason(folder: Path) -> None:
    run = imported(folder, "spider", [SPIDER[0], *(entry for entry, _ in UNTAKEN)])
    assert run.code == 0, run.err
    assert f"1 case of {1 + len(UNTAKEN)}" in run.out
    told = sorted(line for line in run.out.splitlines() if line.startswith("not taken"))
    assert len(told) == len(UNTAKEN)
    for number, (_, reason) in enumerate(UNTAKEN, start=2):
        line = next(line for line in told if f"  entry {number} (line " in line)
        assert reason in line
    assert list(cases(folder)) == ["shop-1"]


def test_a_suite_is_of_one_database_which_must_be_named(folder: Path) -> None:
    both = [*SPIDER, {"db_id": "farm", "question": "Cows?", "query": "SELECT 7"}]
    run = imported(folder, "spider", both)
    assert run.code == 2
    assert "asks about 2 databases" in run.err
    assert "--database: shop (3), farm (1)" in run.err
    run = imported(folder, "spider", both, "--database", "shop")
    assert "3 cases of 4" in run.out
    assert "is of the database 'farm'" in run.out
    run = imported(folder, "spider", both, "--database", "shopp", "--out", "other.yaml")
    assert "Did you mean 'shop'?" in run.err


def test_a_file_is_not_overwritten(folder: Path) -> None:
    (folder / "suite.yaml").write_text("mine")
    run = imported(folder, "spider", SPIDER)
    assert run.code == 2
    assert "is there already" in run.err
    assert (folder / "suite.yaml").read_text() == "mine"


def test_where_nothing_can_be_taken_nothing_is_written(folder: Path) -> None:
    run = imported(folder, "spider", [{"db_id": "shop", "question": "A?", "query": "SELECT x"}])
    assert run.code == 2
    assert "no case could be taken" in run.err
    assert "no such column: x" in run.err
    assert not (folder / "suite.yaml").exists()


BIRD = [
    {"question_id": 17, "db_id": "shop", "question": "Sales of Ann?", "evidence": "sales = amount",
     "SQL": "SELECT sum(amount) FROM orders WHERE customer_id = 1", "difficulty": "simple"},
]  # fmt: skip


def test_bird_keeps_id_and_difficulty_and_its_hint_as_a_note(folder: Path) -> None:
    assert imported(folder, "bird", BIRD).code == 0
    case = cases(folder)["shop-17"]
    assert case["question"] == "Sales of Ann?"
    assert case["difficulty"] == "simple"
    assert case["note"] == "The benchmark's hint: sales = amount"
    assert case["gold_value"] == 30.0


def test_a_hint_is_part_of_the_question_where_it_is_asked_for(folder: Path) -> None:
    assert imported(folder, "bird", BIRD, "--hints").code == 0
    case = cases(folder)["shop-17"]
    assert case["question"] == "Sales of Ann? (sales = amount)"
    assert "note" not in case


ACCEPTED = [
    ("SELECT 1;", ["SELECT 1"]),
    ("SELECT 1; SELECT 2;", ["SELECT 1", "SELECT 2"]),
    ("SELECT {a, b} FROM t", ["SELECT a FROM t", "SELECT b FROM t", "SELECT a, b FROM t"]),
    ("SELECT {a,b}, count(*) FROM t GROUP BY {}", [
        "SELECT a, count(*) FROM t GROUP BY a",
        "SELECT b, count(*) FROM t GROUP BY b",
        "SELECT a, b, count(*) FROM t GROUP BY a, b",
    ]),
    ("SELECT {coalesce(a, 0), b} FROM t", [
        "SELECT coalesce(a, 0) FROM t", "SELECT b FROM t", "SELECT coalesce(a, 0), b FROM t",
    ]),
    ("SELECT '{a, b}; c' FROM t", ["SELECT '{a, b}; c' FROM t"]),
]  # fmt: skip


@pytest.mark.parametrize(("cell", "queries"), ACCEPTED)
def test_a_defog_cell_accepts_each_choice_of_columns(cell: str, queries: list[str]) -> None:
    assert accepted_queries(cell) == queries


BAD_CELLS = [
    ("SELECT {a, b FROM t", "do not pair"),
    ("SELECT }a{ FROM t", "do not pair"),
    ("SELECT {a, b}, {c, d} FROM t", "has 2 lists of columns"),
    ("SELECT {a, b, c, d, e, f, g} FROM t", "choose among 7 columns"),
    (";;", "holds no query"),
]


@pytest.mark.parametrize(("cell", "reason"), BAD_CELLS)
def test_a_defog_cell_that_cannot_be_read_says_why(cell: str, reason: str) -> None:
    with pytest.raises(NotTakenError, match=reason):
        accepted_queries(cell)


def test_a_gold_that_fails_beside_others_is_left_out_and_told(folder: Path) -> None:
    text = (
        "question,query,db_name,query_category\n"
        '"Sales by customer?","SELECT {name, nick}, sum(amount) FROM customer c '
        'JOIN orders o ON o.customer_id = c.id GROUP BY {};",shop,group_by\n'
    )
    run = imported(folder, "defog", text)
    assert run.code == 0, run.err
    assert "1 of its 3 golds are taken; gold 2: " in run.out
    assert "no such column: nick" in run.out
    case = cases(folder)["shop-1"]
    assert case["gold_value"] == [["Ann", 30.0], ["Bob", 70.0]]
    assert case["tags"] == ["group_by"]


CSV = """\
id;question;sql;split;unit;gold_value;tags;must_pass;owner
n;How many?;select count(*) from orders;test;count;5;shop|size;yes;Ann
t;Total?;select sum(amount) from orders;;currency;100;;;Bob
b;Big?;select 1;train;count;1;;perhaps;
"""


def test_a_plain_csv_keeps_what_a_gold_file_has_a_place_for(folder: Path) -> None:
    run = imported(folder, "csv", CSV)
    assert run.code == 0, run.err
    found = cases(folder)
    assert found["n"] == {
        "id": "n", "question": "How many?", "split": "test", "unit": "count",
        "tags": ["shop", "size"], "gold_sql": "select count(*) from orders", "gold_value": 4,
        "must_pass": True,
    }  # fmt: skip
    assert "note       line 2 (n): The stored gold is 5, recomputed it is 4." in run.out
    assert "not taken  line 4 (b): 'must_pass' is 'perhaps': true or false is expected" in run.out
    assert "'owner'" in run.out


BROKEN = [
    ("spider", "", "source:1: the file is empty."),
    ("spider", '{"a": 1}', "source:1: a Spider file is a JSON list"),
    ("spider", '[\n{"a": 1},\n{"a": }\n]', "source:3: no JSON: Expecting value."),
    ("spider", "[1]", "source:1: a Spider file holds objects"),
    ("spider", "[]", "source:1: the list is empty."),
    ("bird", '[{"a": 1}\n{"a": 2}]', "source:2: no JSON: a comma or `]` is expected."),
    ("bird", "[NaN]", "source:1: no JSON: NaN is no JSON."),
    ("defog", "question,sql\nA?,select 1\n", "source:1: the column 'query' is missing"),
    ("defog", "question,query\nA?,select 1,2\n", "source:2: 3 cells"),
    ("csv", "question,sql\n", "source:1: no row follows"),
    ("csv", "question,question,sql\n", "source:1: the column 'question' is named twice."),
    ("csv", 'question,sql\n"A?,select 1\n', "source:2: no CSV"),
]


@pytest.mark.parametrize(("kind", "text", "message"), BROKEN)
def test_a_broken_file_is_told_with_its_line(
    folder: Path, kind: str, text: str, message: str
) -> None:
    run = imported(folder, kind, text)
    assert run.code == 2
    assert message in run.err
    assert "Traceback" not in run.err
    assert not (folder / "suite.yaml").exists()


def test_entries_of_a_json_list_know_their_line() -> None:
    source = Source(shown="x", text="[1,\n\n 2, [3,\n 4],\n5]")
    assert read_json_list(source, what="x") == [(1, 1), (3, 2), (3, [3, 4]), (5, 5)]


def test_an_unknown_dialect_is_told_and_the_nearest_one_named(folder: Path) -> None:
    run = imported(folder, "spider", SPIDER, "--from-dialect", "sqlit")
    assert run.code == 2
    assert "Did you mean 'sqlite'?" in run.err


def test_sql_is_translated_for_the_warehouse(folder: Path) -> None:
    entry = {"db_id": "shop", "question": "A?", "query": "SELECT TOP 1 [name] FROM [customer]"}
    run = imported(folder, "spider", [entry], "--from-dialect", "tsql")
    assert run.code == 0, run.err
    assert "translated 1 gold" in run.out
    assert cases(folder)["shop-1"]["gold_sql"] == 'SELECT "name" FROM "customer" LIMIT 1'


def test_without_a_warehouse_nothing_is_run_and_that_is_said(folder: Path) -> None:
    (folder / "source").write_text(json.dumps(SPIDER))
    run = goldsuite("suite", "import", "spider", "source", "--out", "suite.yaml", cwd=folder)
    assert run.code == 0, run.err
    assert "no gold was run" in run.out
    assert "gold_value" not in cases(folder)["shop-1"]


def test_the_import_is_the_same_every_time(folder: Path) -> None:
    imported(folder, "spider", SPIDER)
    first = (folder / "suite.yaml").read_bytes()
    (folder / "suite.yaml").unlink()
    imported(folder, "spider", SPIDER)
    assert (folder / "suite.yaml").read_bytes() == first


HOSTILE = ["yes", "012", "1e-6", "12:30:45", "null", "a: b", "# c", "- d", "2025-12-31", "x\ny",
           "tab\there", " spaces ", "'", '"', "*a", "é\u2028", "0x1F", "1_000"]  # fmt: skip


def test_texts_that_yaml_would_take_for_something_else_come_back_as_they_were(
    folder: Path,
) -> None:
    literals = ["'" + text.replace("'", "''") + "'" for text in HOSTILE]
    rows = [
        {"db_id": "shop", "question": f"{number}?", "query": f"SELECT {literal}"}
        for number, literal in enumerate(literals)
    ]
    run = imported(folder, "spider", rows)
    assert run.code == 0, run.err
    written = [case["gold_value"] for case in cases(folder).values()]
    assert written == HOSTILE


def _pairs(source: str) -> list[dict[str, Any]]:
    path = PUBLIC / "pairs.jsonl"
    if not path.is_file():
        pytest.skip("the public pairs are not beside this checkout")
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    return [row for row in rows if source in row["source"] and row["dialect"] == "sqlite"]


def test_public_spider_pairs_import_and_grade(tmp_path: Path) -> None:
    rows = [row for row in _pairs("Spider") if row["db"] == "pets_1"]
    entries = [{"db_id": r["db"], "question": r["question"], "query": r["gold_sql"]} for r in rows]
    (tmp_path / "source").write_text(json.dumps(entries))
    warehouse = f"sqlite:///{PUBLIC / rows[0]['sqlite']}"
    run = goldsuite("suite", "import", "spider", "source", "--out", "suite.yaml",
                    "--warehouse", warehouse, cwd=tmp_path)  # fmt: skip
    assert run.code == 0, run.err
    assert f"{len(rows)} cases of {len(rows)}" in run.out
    answers = [
        {"id": f"pets_1-{number}", "analyst_value": None, "analyst_query": row["gold_sql"]}
        for number, row in enumerate(rows, start=1)
    ]
    (tmp_path / "answers.jsonl").write_text("\n".join(map(json.dumps, answers)))
    graded = goldsuite("grade", "answers.jsonl", "--suite", "suite.yaml", "--warehouse", warehouse,
                       "--luck-budget", "0", "--format", "json", cwd=tmp_path)  # fmt: skip
    assert graded.code == 0, graded.err
    assert set(graded.verdicts().values()) == {"correct"}


def test_public_defog_pairs_import_with_all_their_golds(tmp_path: Path) -> None:
    rows = [row for row in _pairs("defog") if row["db"] == "academic"]
    first = {row["question"]: row for row in reversed(rows)}
    lines = [
        ",".join(
            '"' + cell.replace('"', '""') + '"'
            for cell in (row["question"], "; ".join(row["gold_alternatives"]), row["db"])
        )
        for row in first.values()
    ]
    (tmp_path / "source").write_text("\n".join(["question,query,db_name", *lines]))
    run = goldsuite("suite", "import", "defog", "source", "--out", "suite.yaml", "--warehouse",
                    f"sqlite:///{PUBLIC / rows[0]['sqlite']}", cwd=tmp_path)  # fmt: skip
    assert run.code == 0, run.err
    assert f"{len(first)} cases of {len(first)}" in run.out
    by_question = {case["question"]: case for case in cases(tmp_path).values()}
    for question, row in first.items():
        golds = by_question[" ".join(question.split())]["gold_sql"]
        assert len(golds) == len(dict.fromkeys(row["gold_alternatives"]))
