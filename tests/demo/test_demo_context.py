"""The demo context describes the warehouse that is there, and its README's command works."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml

DATASET = Path("fixtures", "context", ".knowledge", "datasets", "kettlewick")
INDEX = DATASET / "metrics" / "index.yaml"


def read(file: Path) -> Any:
    return yaml.safe_load(file.read_text(encoding="utf-8"))


def test_the_active_dataset_has_every_file_of_its_manifest(root: Path) -> None:
    active = read(root / DATASET.parents[1] / "active.yaml")["active"]
    assert active == DATASET.name
    files = read(root / DATASET / "manifest.yaml")["files"].values()
    assert [name for name in files if not (root / DATASET / name).exists()] == []


def test_the_manifest_lists_the_tables_of_the_warehouse(
    demo: duckdb.DuckDBPyConnection, root: Path
) -> None:
    tables = {row[0] for row in demo.execute("show tables").fetchall()}
    assert set(read(root / DATASET / "manifest.yaml")["tables"]) == tables


def test_every_column_has_its_place_in_the_schema_notes(
    demo: duckdb.DuckDBPyConnection, root: Path
) -> None:
    noted = set(re.findall(r"`(\w+)`", (root / DATASET / "schema.md").read_text(encoding="utf-8")))
    query = "select distinct column_name from duckdb_columns() where not internal"
    columns = {row[0] for row in demo.execute(query).fetchall()}
    assert columns - noted == set()


def test_every_dimension_is_there_with_its_values(
    demo: duckdb.DuckDBPyConnection, root: Path
) -> None:
    for dimension in read(root / DATASET / "semantic" / "dimensions.yaml")["dimensions"]:
        query = f"select distinct {dimension['sql']} from {dimension['table']}"
        stored = {row[0] for row in demo.execute(query).fetchall()}
        assert set(dimension["values"]) <= stored, dimension["name"]


def test_every_relationship_leads_to_one_row_at_most(
    demo: duckdb.DuckDBPyConnection, root: Path
) -> None:
    relationships = read(root / DATASET / "semantic" / "relationships.yaml")["relationships"]
    assert len(relationships) == 8
    for relationship in relationships:
        left, left_column = relationship["left"].split(".")
        right, right_column = relationship["right"].split(".")
        many = f"select 1 from {right} group by {right_column} having count(*) > 1"
        assert demo.execute(many).fetchall() == [], relationship
        orphans = (
            f"select 1 from {left} where {left_column} not in (select {right_column} from {right})"
        )
        assert demo.execute(orphans).fetchall() == [], relationship


def test_the_command_of_the_readme_adds_the_missing_metrics(root: Path, tmp_path: Path) -> None:
    if shutil.which("sed") is None:
        pytest.skip(reason="the README's command needs sed")
    shutil.copytree(root / "fixtures", tmp_path / "fixtures")
    text = (root / "fixtures" / "README.md").read_text(encoding="utf-8")
    commands = re.findall(r"^    (sed .*(?:\n        .*)*)", text, re.MULTILINE)
    assert len(commands) == 1
    before = [metric["name"] for metric in read(tmp_path / INDEX)["metrics"]]
    subprocess.run(["sh", "-c", commands[0]], cwd=tmp_path, check=True)
    after = [metric["name"] for metric in read(tmp_path / INDEX)["metrics"]]
    assert after == [
        *before,
        "net_revenue",
        "average_order_value",
        "active_customers",
        "conversion_rate",
        "refund_rate",
        "gross_margin",
        "on_time_rate",
    ]
