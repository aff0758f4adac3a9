"""The metric dictionary, in the forms that different tools write."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

import pytest

from goldsuite.context.dictionary import Metric, MetricDictionary
from goldsuite.context.read_dictionary import load_dictionary
from goldsuite.context.resolve import resolve_context
from goldsuite.errors import ContextError

Write: TypeAlias = Callable[[Path, Mapping[str, str]], Path]
Load: TypeAlias = Callable[[Mapping[str, str]], MetricDictionary]

DATASET = ".knowledge/datasets/clinic"


@pytest.fixture
def load(tmp_path: Path, write: Write) -> Load:
    """The dictionary of a dataset with the given files."""

    def load_files(files: Mapping[str, str]) -> MetricDictionary:
        write(tmp_path, {".knowledge/active.yaml": "active: clinic\n", f"{DATASET}/schema.md": ""})
        write(tmp_path / DATASET, files)
        return load_dictionary(resolve_context(tmp_path))

    return load_files


VISITS = Metric(name="visits", description="Kept appointments", sql="count(*)", source="visits")


@pytest.mark.parametrize(
    "index",
    [
        # A list under `metrics`, a list at the top, a mapping under `metrics`, one at the top.
        """
        metrics:
          - name: visits
            description: Kept appointments
            sql: count(*)
            source: visits
        """,
        """
        - id: visits
          definition: Kept appointments
          expression: count(*)
          table: visits
        """,
        """
        version: 1
        metrics:
          visits: {means: Kept appointments, expr: count(*), base_table: visits}
        """,
        """
        schema_version: 1
        updated: 2026-01-01
        visits:
          definition: {description: Kept appointments, formula: count(*)}
          source: {tables: [visits, patients]}
        """,
        # Groups.
        """
        metrics:
          activity:
            - {metric: visits, means: Kept appointments, sql: count(*), source: visits}
        """,
        # A whole query.
        """
        metrics:
          - name: visits
            description: Kept appointments
            source: {sql: SELECT COUNT(*) AS n FROM visits}
        """,
    ],
)
def test_one_metric_may_be_written_in_many_ways(index: str, load: Load) -> None:
    (metric,) = load({"metrics/index.yaml": index}).metrics
    # A query's parts are written anew, so only their case may differ.
    assert (metric.sql or "").lower() == "count(*)"
    assert (metric.name, metric.description, metric.source) == (
        VISITS.name,
        VISITS.description,
        VISITS.source,
    )


def test_every_key_of_an_entry_is_read(load: Load) -> None:
    index = """
    metrics:
      - name: fee_income
        label: Fee income
        synonyms: [fees, income from fees]
        description: What patients were charged
        sql: sum(invoices.fee)
        source: invoices
        joins:
          - visits on visits.id = invoices.visit_id
          - {table: patients, on: patients.id = visits.patient_id}
        filters: [visits.kept, "invoices.state <> 'void'"]
        time_column: visits.held_at
        unit: currency
        owner: finance
    """
    assert load({"metrics/index.yaml": index}).metrics == (
        Metric(
            name="fee_income",
            label="Fee income",
            synonyms=("fees", "income from fees"),
            description="What patients were charged",
            sql="sum(invoices.fee)",
            source="invoices",
            joins=(
                "visits on visits.id = invoices.visit_id",
                "patients on patients.id = visits.patient_id",
            ),
            filters=("visits.kept", "invoices.state <> 'void'"),
            time_column="visits.held_at",
            unit="currency",
        ),
    )


def test_other_names_of_the_keys_are_read(load: Load) -> None:
    index = """
    - id: fee_income
      name: Fee income
      aliases: fees
      formula: sum(fee) / count(*)
      base_table: invoices
      where: state <> 'void'
      date_column: invoices.issued_at
    """
    assert load({"metrics/index.yaml": index}).metrics == (
        Metric(
            name="fee_income",
            label="Fee income",
            synonyms=("fees",),
            sql="sum(fee) / count(*)",
            source="invoices",
            filters=("state <> 'void'",),
            time_column="invoices.issued_at",
        ),
    )


def test_a_plain_query_is_taken_apart(load: Load) -> None:
    index = """
    fee_income:
      sql: |
        SELECT SUM(invoices.fee) AS total
        FROM invoices JOIN visits ON visits.id = invoices.visit_id
        WHERE visits.kept AND (invoices.state = 'paid' OR invoices.state = 'sent')
    """
    (metric,) = load({"metrics/index.yaml": index}).metrics
    assert metric.sql == "SUM(invoices.fee)"
    assert metric.source == "invoices"
    assert metric.joins == ("visits on visits.id = invoices.visit_id",)
    assert metric.filters == (
        "visits.kept",
        "(invoices.state = 'paid' OR invoices.state = 'sent')",
    )


@pytest.mark.parametrize(
    "query",
    [
        "select patient_id, count(*) from visits group by patient_id",
        "select count(*) from (select distinct patient_id from visits)",
        "select count(*) from visits v where v.kept",
        "with kept as (select * from visits) select count(*) from kept",
        "select count(*) from visits left join patients on patients.id = visits.patient_id",
        "select count(*) from visits union all select count(*) from calls",
    ],
)
def test_any_other_query_is_a_definition_to_be_read(query: str, load: Load) -> None:
    (metric,) = load({"metrics/index.yaml": f'm: {{sql: "{query}"}}'}).metrics
    assert (metric.sql, metric.description) == (None, f"SQL: {query}")


@pytest.mark.parametrize(
    "condition", ["`state` = 'void'", "[state] <> 'void'", "issued_at::date >= '2025-01-01'"]
)
def test_a_condition_may_be_in_any_common_dialect(condition: str, load: Load) -> None:
    index = f"""
    voided:
      sql: count(*)
      filter: "{condition}"
    """
    (metric,) = load({"metrics/index.yaml": index}).metrics
    assert (metric.sql, metric.filters) == ("count(*)", (condition,))


@pytest.mark.parametrize(
    ("entry", "description"),
    [
        ("Appointments that took place", "Appointments that took place"),
        (
            "{means: Kept appointments, filters: [only adults, visits.kept], sql: count(*)}",
            "Kept appointments\nSQL: count(*)\nCondition: only adults\nCondition: visits.kept",
        ),
        ("{formula: visits kept / visits booked}", "Formula: visits kept / visits booked"),
        (
            (
                "{means: Share kept, numerator: kept visits, denominator: all visits,"
                " rejected: [calls, letters]}"
            ),
            "Share kept\nNumerator: kept visits\nDenominator: all visits\nRejected: calls; letters",
        ),
    ],
)
def test_a_definition_in_prose_stays_prose(entry: str, description: str, load: Load) -> None:
    (metric,) = load({"metrics/index.yaml": f"metrics:\n  kept: {entry}\n"}).metrics
    assert (metric.sql, metric.filters, metric.description) == (None, (), description)


def test_where_a_definition_comes_from_is_no_table(load: Load) -> None:
    index = "kept: {means: x, source: Quality handbook, compile: {table: visits}}"
    (metric,) = load({"metrics/index.yaml": index}).metrics
    assert metric.source == "visits"


def test_a_rate_of_two_sql_parts_divides_as_a_fraction(load: Load) -> None:
    index = """
    kept_rate:
      source: {table: visits, numerator_sql: sum(kept), denominator_sql: count(*)}
    """
    (metric,) = load({"metrics/index.yaml": index}).metrics
    assert (metric.sql, metric.source) == ("1.0 * (sum(kept)) / nullif(count(*), 0)", "visits")


def test_a_metric_may_rest_on_a_measure_of_the_semantic_notes(load: Load) -> None:
    files = {
        "metrics/index.yaml": """
        metrics:
          - metric: fee_income
            means: What patients were charged
            numerator: fees
            denominator: null
          - metric: fee_per_visit
            means: Average fee
            numerator: fees
            denominator: visits
        """,
        "semantic/measures.yaml": """
        measures:
          - measure: fees
            entity: invoice
            aggregation: sum
            expr: fee
            filter: state = 'paid'
        """,
        "semantic/entities.yaml": "entities: [{entity: invoice, logical_table: invoices}]",
    }
    income, average = load(files).metrics
    assert (income.sql, income.source, income.filters) == (
        "sum(fee)",
        "invoices",
        ("state = 'paid'",),
    )
    assert average.sql is None
    assert average.description == "Average fee\nNumerator: fees\nDenominator: visits"


def test_an_entry_may_stand_in_a_file_of_its_own(load: Load) -> None:
    files = {
        "metrics/index.yaml": """
        - {id: visits, name: Visits, file: visits.yaml}
        - calls.yaml
        - letters
        - {id: emails, owner: office}
        """,
        "metrics/visits.yaml": "{id: visits, sql: count(*), source: visits}",
        "metrics/calls.yaml": "{means: Calls taken}",
        "metrics/letters.yaml": "{means: Letters sent}",
        "metrics/emails.yaml": "{means: Emails sent}",
        "metrics/proposal.yaml": "{id: proposal, sql: sum(x)}",
    }
    assert load(files).metrics == (
        Metric(name="visits", label="Visits", sql="count(*)", source="visits"),
        Metric(name="calls", description="Calls taken"),
        Metric(name="letters", description="Letters sent"),
        Metric(name="emails", description="Emails sent"),
    )


def test_without_an_index_every_metric_file_counts(load: Load) -> None:
    files = {
        "metrics/b.yaml": "{sql: count(*), source: visits}",
        "metrics/a.yml": "metrics: [{name: x, means: X}, {name: y, means: Y}]",
        "metrics/c.yaml": "",
        "metrics/_schema.yaml": "{name: schema, means: no metric}",
        "metrics/notes.md": "x",
        "metrics/old/d.yaml": "{name: d, means: D}",
    }
    assert load(files).metrics == (
        Metric(name="x", description="X"),
        Metric(name="y", description="Y"),
        Metric(name="b", sql="count(*)", source="visits"),
    )


@pytest.mark.parametrize("index", ["", "metrics:\n", "metrics: []\n", "metrics: {}\n"])
def test_an_empty_index_defines_nothing_whatever_lies_beside_it(index: str, load: Load) -> None:
    files = {"metrics/index.yaml": index, "metrics/visits.yaml": "{sql: count(*)}"}
    assert load(files).metrics == ()


def test_a_dataset_without_a_dictionary_defines_nothing(load: Load) -> None:
    assert load({}) == MetricDictionary()


def test_names_that_yaml_would_change_stay_as_they_are(load: Load) -> None:
    index = "metrics:\n  no: means nothing\n  012: twelve\n  2025-01-01: new year\n"
    names = [metric.name for metric in load({"metrics/index.yaml": index}).metrics]
    assert names == ["no", "012", "2025-01-01"]


@pytest.mark.parametrize(
    ("index", "reason"),
    [
        ("metrics:\n  - name: a\n  - sql: count(*)\n", "3: a metric without a name"),
        ("metrics:\n  - name: a\n  - id: a\n", "3: metric 'a' is defined already at "),
        ("metrics:\n  a: x\n  a: y\n", "3: is not valid YAML: the key 'a' stands twice"),
        ("metrics:\n  - {name: a, file: visit.yaml}\n", "2: there is no file 'visit.yaml'"),
        ("metrics:\n  - {name: a, path: ../schema.yaml}\n", "2: there is no file"),
        ("metrics:\n  - {name: a, path: /etc/passwd}\n", "2: there is no file"),
        ("metrics: [\n", "2: is not valid YAML"),
        ("metrics: later\n", "1: holds no metrics"),
    ],
)
def test_a_broken_index_is_an_error(index: str, reason: str, load: Load, tmp_path: Path) -> None:
    with pytest.raises(ContextError) as caught:
        load({"metrics/index.yaml": index, "metrics/visits.yaml": "{means: x}"})
    assert str(caught.value).startswith(f"{tmp_path / DATASET}/metrics/index.yaml:{reason}")


def test_a_missing_file_of_an_entry_comes_with_a_suggestion(load: Load) -> None:
    with pytest.raises(ContextError, match=r"Did you mean 'visits\.yaml'\?"):
        load({"metrics/index.yaml": "- file: visit.yaml\n", "metrics/visits.yaml": ""})


def test_an_index_that_leads_out_is_not_read(load: Load, tmp_path: Path) -> None:
    outside = tmp_path / "outside.yaml"
    outside.write_text("metrics: {secret: x}\n")
    (tmp_path / DATASET / "metrics").mkdir(parents=True)
    (tmp_path / DATASET / "metrics/index.yaml").symlink_to(outside)
    assert load({}).metrics == ()
