"""Taking a suite in: the questions come over, and nothing of the key does."""

import json
import os
import shutil
import subprocess
import sys
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
import yaml

import goldsuite
from goldsuite.errors import SuiteError
from goldsuite.model.question import Question, QuestionSet
from goldsuite.suite.check_process import Request, check
from goldsuite.suite.intake import take_in
from goldsuite.suite.key import load_key
from goldsuite.suite.questions import question_set, question_set_row
from tests.suite.conftest import Write

PACKAGE = Path(goldsuite.__file__).parent
CHECKOUT = PACKAGE.parent

SUITE = """\
name: sales
as_of: 2026-01-31
defaults:
  tags: [core]
cases:
  - id: rev
    question: What was revenue?
    split: train
    gold_sql: select sum(secret_column) from t where x = 'secret_literal'
    gold_value: 4711.0815
  - id: who
    question: Who is best?
    split: test
    tags: [people]
    gold_sql:
      - select secret_name from t
    gold_value: [[Secret Person, 3.14159]]
    note: secret note
"""

SECRETS = (
    "secret_column",
    "secret_literal",
    "secret_name",
    "4711.0815",
    "4711",
    "Secret Person",
    "3.14159",
    "secret note",
)


def test_the_questions_arrive_with_splits_tags_and_lines(write: Write) -> None:
    clock = datetime(2026, 2, 1, 12, 0, tzinfo=UTC)
    path = write(SUITE)
    intake = take_in(path, dialect="duckdb", now=lambda: clock)
    assert intake.key_checked_at == clock
    assert intake.questions == QuestionSet(
        name="sales",
        file=str(path),
        sha256=load_key(path).sha256,
        as_of=date(2026, 1, 31),
        questions=(
            Question(id="rev", text="What was revenue?", split="train", tags=("core",), line=6),
            Question(id="who", text="Who is best?", split="test", tags=("people",), line=11),
        ),
    )


def test_the_time_of_the_check_is_aware(write: Write) -> None:
    checked_at = take_in(write(SUITE), dialect=None).key_checked_at
    assert checked_at.tzinfo is UTC


def test_the_questions_survive_the_way_between_the_processes() -> None:
    questions = QuestionSet(
        name="n\u00e4me \U0001f4c8",
        file="a b.yaml",
        sha256="0" * 64,
        as_of=None,
        questions=(Question(id="a", text="two\nlines\u2028", split="test", line=3),),
    )
    assert question_set(json.loads(json.dumps(question_set_row(questions)))) == questions


def request(path: Path) -> Request:
    return {"path": str(path), "shown": "gold.yaml", "dialect": "duckdb"}


def answer_of_the_process(path: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "goldsuite.suite.check_process"],
        input=json.dumps(request(path)),
        capture_output=True,
        text=True,
        cwd=CHECKOUT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_no_gold_of_a_good_file_leaves_the_process(write: Write) -> None:
    told = answer_of_the_process(write(SUITE))
    assert "What was revenue?" in told
    assert [secret for secret in SECRETS if secret in told] == []


# Faults at, in and around every gold of the file; each must be told without its text.
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("select sum(secret_column)", "delete from secret_name; select sum(secret_column)"),
        ("select sum(secret_column)", "call secret_name(4711.0815); --"),
        ("select sum(secret_column)", "4711.0815 secret_column; --"),
        ("select sum(secret_column)", "'secret_literal"),
        ("gold_sql: select sum", "gold_sql:\n      secret_name: select sum"),
        ("gold_value: 4711.0815", "gold_value: {secret_name: 4711.0815}"),
        ("gold_value: 4711.0815", "gold_value: {secret_name: 1, secret_name: 4711.0815}"),
        ("gold_value: 4711.0815", "gold_value: 4711.0815e3"),
        ("gold_value: 4711.0815", "gold_value: 04711"),
        ("gold_value: 4711.0815", "gold_value: 4711:08:15"),
        ("gold_value: 4711.0815", "gold_value: 4711-02-30"),
        ("gold_value: 4711.0815", "gold_value: *secret_name"),
        ("gold_value: 4711.0815", "gold_value: !secret_name 4711.0815"),
        ("gold_value: 4711.0815", "gold_value: 'secret_literal"),
        ("gold_value: 4711.0815", "gold_value: secret: literal: secret_literal"),
        ("gold_value: 4711.0815", "answer: text\n    gold_value: 4711.0815"),
        ("gold_value: 4711.0815", "answer: 4711.0815"),
        ("gold_value: 4711.0815", "answer: secret_literal"),
        ("gold_value: 4711.0815", "4711.0815: gold_value"),
        ("gold_value: 4711.0815", "split: 4711.0815"),
        ("gold_value: 4711.0815", "unit: percent\n    gold_value: '4711.0815'"),
        ("gold_value: 4711.0815", "currency: secret_literal"),
        ("gold_value: 4711.0815", "tolerance: 4711.0815"),
        ("gold_value: 4711.0815", "verified_at: secret_literal"),
        ("gold_value: 4711.0815", "rubric: secret_literal"),
        ("[[Secret Person, 3.14159]]", "[[Secret Person, 3.14159], [1]]"),
        ("[[Secret Person, 3.14159]]", "[[Secret Person, no, 03.14159e1]]"),
        ("[[Secret Person, 3.14159]]", "[{name: Secret Person, value: 3.14159}]"),
        ("note: secret note", "note: [secret note]"),
    ],
)
def test_no_fault_tells_gold(write: Write, old: str, new: str) -> None:
    assert old in SUITE
    result = check(request(write(SUITE.replace(old, new))))
    assert result["faults"]
    assert result["questions"] is None
    told = json.dumps(result)
    assert [secret for secret in SECRETS if secret in told] == []


def test_the_file_is_never_opened_by_the_process_that_asks(write: Write) -> None:
    path = write(SUITE)
    code = (
        "import sys\n"
        "opened = []\n"
        "note = lambda name, args: opened.append(str(args[0])) if name == 'open' else None\n"
        "sys.addaudithook(note)\n"
        "from pathlib import Path\n"
        "from goldsuite.suite.intake import take_in\n"
        f"take_in(Path({str(path)!r}), dialect='duckdb')\n"
        f"assert {str(path)!r} not in opened\n"
        "keys = {'goldsuite.model.key', 'goldsuite.suite.key', 'yaml', 'pydantic', 'sqlglot'}\n"
        "assert not keys & set(sys.modules), keys & set(sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=CHECKOUT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_all_faults_come_sorted_by_line_and_name_file_and_case(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = SUITE.replace("core]", "core]\n  unti: x").replace("train", "tran").replace("who", "rev")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SuiteError) as caught:
        take_in(write(text), dialect="duckdb")
    assert str(caught.value).splitlines() == [
        "gold.yaml:5: defaults: unknown field 'unti'. Did you mean 'unit'?",
        "gold.yaml:9: case 'rev': split: unknown word 'tran'. Did you mean 'train'?",
        "gold.yaml:12: case 'rev': the id is given twice, first in line 7. Rename one of them.",
    ]


def test_a_missing_file_is_answered_with_what_is_there(tmp_path: Path) -> None:
    def message(path: Path) -> str:
        with pytest.raises(SuiteError) as caught:
            take_in(path, dialect=None)
        return str(caught.value)

    wanted = tmp_path / "gold-case.yaml"
    assert "There is no .yaml or .yml file" in message(wanted)
    (tmp_path / "other.yml").touch()
    assert "there are: other.yml" in message(wanted)
    (tmp_path / "gold-cases.yaml").touch()
    assert "Did you mean 'gold-cases.yaml'?" in message(wanted)
    assert "this is a folder" in message(tmp_path)
    assert "There is no folder" in message(tmp_path / "no" / "gold.yaml")


def test_a_file_that_is_read_but_once_is_refused(tmp_path: Path) -> None:
    pipe = tmp_path / "gold.yaml"
    os.mkfifo(pipe)
    with pytest.raises(SuiteError, match="no regular file"):
        take_in(pipe, dialect=None)


def test_it_works_from_a_checkout_in_a_folder_with_odd_characters(tmp_path: Path) -> None:
    checkout = tmp_path / "my check: out; 'ü'"
    shutil.copytree(PACKAGE, checkout / "goldsuite", ignore=shutil.ignore_patterns("__pycache__"))
    suite = checkout / "- gold 'cases'.yaml"
    suite.write_text(SUITE, encoding="utf-8")
    code = (
        "import sys\n"
        f"sys.path[0] = {str(checkout)!r}\n"
        "import goldsuite\n"
        "from pathlib import Path\n"
        "from goldsuite.suite.intake import take_in\n"
        "print(goldsuite.__file__)\n"
        "print(len(take_in(Path(sys.argv[1]), dialect='duckdb').questions.questions))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(suite)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [str(checkout / "goldsuite" / "__init__.py"), "2"]


def test_a_process_that_breaks_is_told_by_its_place_and_without_a_traceback(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SuiteError) as caught:
        take_in(write(SUITE), dialect="no such dialect")
    assert "the checking process broke (ValueError in " in str(caught.value)
    assert [secret for secret in SECRETS if secret in str(caught.value)] == []


def test_the_suite_of_a_real_warehouse_comes_in(tmp_path: Path) -> None:
    source = CHECKOUT.parent / "shared" / "cases" / "nba.yaml"
    if not source.exists():
        pytest.skip(reason="the shared cases are not beside this checkout")
    cases = [
        {
            "id": case["id"],
            "question": case["question"],
            "split": "train",
            "gold_sql": case["gold_sql"],
            "gold_value": case["gold_rows"],
            "allow_null": True,
        }
        for case in yaml.safe_load(source.read_text(encoding="utf-8"))["cases"]
    ]
    path = tmp_path / "nba.yaml"
    path.write_text(yaml.safe_dump({"cases": cases}), encoding="utf-8")
    intake = take_in(path, dialect="sqlite")
    assert len(intake.questions.questions) == 40
    assert len(load_key(path).cases) == 40
