"""An analyst that goes looking for the suite does not find it."""

import json
import shlex
import sqlite3
import sys
from pathlib import Path

import pytest

from tests.command_line import Run, goldsuite_process

SUITE = """\
name: secret
cases:
  - id: looks-below
    question: "What lies in the working directory?"
    split: train
    gold_sql: select name from t
    note: CANARY-7f3a
  - id: looks-above
    question: "What lies above the working directory?"
    split: train
    gold_sql: select name from t
  - id: looks-at-variables
    question: "Where do the variables lead?"
    split: train
    gold_sql: select name from t
  - id: looks-at-files
    question: "Which files are open?"
    split: train
    gold_sql: select name from t
  - id: tells-what-it-knows
    question: "What were you told?"
    split: train
    gold_sql: select name from t
"""

SPY = """\
import json, os, pathlib, re, sys
brief = sys.stdin.read()
question = brief.rsplit("Question: ", 1)[1].strip()

def look(place, deep=False):
    place = pathlib.Path(place)
    inside = place.rglob("*") if deep else place.glob("*")
    files = [place] if place.is_file() else list(inside) if place.is_dir() else []
    for file in files:
        try:
            if file.is_file() and file.stat().st_size < 10**6:
                text = file.read_text(errors="replace")
                if "CANARY-" + "7f3a" in text:
                    yield str(file)
        except OSError:
            pass

def variables():
    for name, value in os.environ.items():
        for part in re.split(r"[:\\s]+", value.replace("://", ":")):
            while part.startswith("//"):
                part = part[1:]
            path = pathlib.Path(part)
            # The folder of a database file, and the one above it, are worth a look too.
            if path.is_absolute() and path != pathlib.Path("/"):
                for place in (path, path.parent):
                    if place.name not in ("", "bin", "sbin"):
                        yield place

def descriptors():
    for fd in os.listdir("/proc/self/fd"):
        try:
            yield os.readlink(f"/proc/self/fd/{fd}")
        except OSError:
            pass

if "working directory?" in question and "above" not in question:
    found = list(look(".", deep=True))
elif "above" in question:
    found = []
    for place in pathlib.Path.cwd().parents:
        for child in (place.iterdir() if os.access(place, os.R_OK) else ()):
            if child.is_file() and str(place) != "/":
                found += look(child)
elif "variables" in question:
    found = [hit for place in variables() for hit in look(place)]
elif "open" in question:
    found = [hit for place in descriptors() if os.path.isabs(place) for hit in look(place)]
else:
    secret = ("looks-", "tells-", "train", "gold_sql", sys.argv[1])
    found = [word for word in secret if word in brief or word in str(dict(os.environ))]
print(json.dumps({"analyst_value": ";".join(found) or "nothing", "analyst_query": None}))
"""


def _project(folder: Path) -> Path:
    project = folder / "project"
    project.mkdir()
    with sqlite3.connect(project / "shop.db") as shop:
        shop.execute("create table t (name text)")
        shop.execute("insert into t values ('nothing')")
    (project / "gold-cases.yaml").write_text(SUITE)
    (project / "goldsuite.toml").write_text('warehouse = "sqlite:///shop.db"\n')
    # The program itself stands elsewhere: its path is in its own arguments anyway.
    (folder / "elsewhere").mkdir()
    (folder / "elsewhere" / "spy.py").write_text(SPY)
    return project


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("blind")
    project = _project(folder)
    spy = shlex.join([sys.executable, str(folder / "elsewhere" / "spy.py"), str(project)])
    return goldsuite_process(
        "eval", "--format", "json", "--analyst", f"command:{spy}",
        cwd=project,
        env={"SUITE_PLACE": str(project / "gold-cases.yaml"), "PWD": str(project)},
    )  # fmt: skip


@pytest.mark.parametrize(
    "case",
    ["looks-below", "looks-above", "looks-at-variables", "looks-at-files", "tells-what-it-knows"],
)
def test_a_spy_finds_nothing(run: Run, case: str) -> None:
    assert run.code == 0, run.err
    said = {case["id"]: case["analyst_value"] for case in run.record["cases"]}
    assert said[case] == "nothing"


def test_the_record_says_what_held_and_what_was_withheld(run: Run) -> None:
    assert run.record["isolation"] == "directory"
    assert "SUITE_PLACE" in json.dumps(run.record["analyst_notes"])


@pytest.mark.parametrize(
    "query",
    [
        "select content from read_text('{suite}')",
        "select * from read_csv('{suite}')",
        "select * from '{suite}'",
        "copy (select 1) to '{suite}'",
        "attach '{suite}'",
    ],
)
def test_the_suite_is_not_read_through_the_warehouse(tmp_path: Path, query: str) -> None:
    import duckdb

    duckdb.connect(str(tmp_path / "shop.duckdb")).execute("create table t as select 'x' as name")
    (tmp_path / "gold-cases.yaml").write_text(SUITE)
    sql = query.format(suite=tmp_path / "gold-cases.yaml")
    (tmp_path / "spy.py").write_text(
        f"print('analyst_value:\\nanalyst_query:', {sql!r}, '\\ndefinition_source: my own choice')"
    )
    run = goldsuite_process(
        "eval", "--slice", "1", "--format", "json", "--warehouse", "duckdb:///shop.duckdb",
        "--analyst", f"command:{shlex.join([sys.executable, 'spy.py'])}", cwd=tmp_path,
    )  # fmt: skip
    (case,) = run.record["cases"]
    assert case["verdict"] in {"not_gradable", "wrong"}
    assert not case["execution_match"]
    assert "CANARY" not in run.out
    assert (tmp_path / "gold-cases.yaml").read_text() == SUITE
