"""Four invented companies: tiny tables, so that every answer can be worked out by eye.

The DDL is the subset that DuckDB and SQLite share, so each domain exists on both engines.
"""

import sqlite3
from dataclasses import dataclass
from pathlib import Path

import duckdb

from goldsuite.context.dictionary import Dimension, Metric, MetricDictionary, Relationship


@dataclass(frozen=True, kw_only=True, slots=True)
class Domain:
    ddl: str
    dictionary: MetricDictionary


LIBRARY = Domain(
    ddl="""
    CREATE TABLE branches (branch_id INTEGER PRIMARY KEY, name VARCHAR, city VARCHAR);
    INSERT INTO branches VALUES
      (1, 'Hillside', 'Leeds'), (2, 'Market Square', 'York'), (3, 'Riverside', 'Leeds');
    CREATE TABLE members (
      member_id INTEGER PRIMARY KEY, full_name VARCHAR, membership VARCHAR, is_active BOOLEAN,
      age INTEGER, branch_id INTEGER REFERENCES branches(branch_id), joined_on DATE);
    INSERT INTO members VALUES
      (1, 'Ada Bell', 'adult', TRUE, 34, 1, '2023-05-02'),
      (2, 'Ben Cole', 'student', TRUE, 19, 2, '2024-01-15'),
      (3, 'Cy Dunn', 'senior', FALSE, 71, 2, '2024-03-20'),
      (4, 'Di East', 'student', TRUE, 22, 3, '2025-02-01'),
      (5, 'Ed Ford', 'adult', FALSE, 45, 1, '2025-02-28');
    CREATE TABLE books (
      book_id INTEGER PRIMARY KEY, title VARCHAR, genre VARCHAR, pages INTEGER,
      price DECIMAL(8,2));
    INSERT INTO books VALUES
      (1, 'Tides', 'crime fiction', 320, 9.50), (2, 'Roots', 'gardening', 150, 24.00),
      (3, 'Night Bus', 'crime fiction', 280, 7.25), (4, 'Orbit', 'science', 410, 18.75);
    CREATE TABLE loans (
      loan_id INTEGER PRIMARY KEY, member_id INTEGER REFERENCES members(member_id),
      book_id INTEGER REFERENCES books(book_id), loaned_on DATE, returned_on DATE,
      is_overdue BOOLEAN, fine_amount DECIMAL(8,2));
    INSERT INTO loans VALUES
      (1, 1, 1, '2024-11-05', '2024-11-20', FALSE, 0.00),
      (2, 1, 2, '2024-12-10', '2025-01-30', TRUE, 4.50),
      (3, 2, 1, '2025-01-08', '2025-01-15', FALSE, 0.00),
      (4, 2, 3, '2025-01-20', '2025-02-25', TRUE, 2.50),
      (5, 3, 4, '2025-02-14', NULL, TRUE, 6.00),
      (6, 1, 3, '2025-03-01', '2025-03-12', FALSE, 0.00),
      (7, 4, 1, '2025-03-31', NULL, FALSE, NULL),
      (8, 4, 4, '2025-04-01', '2025-04-10', FALSE, 1.00);
    """,
    dictionary=MetricDictionary(
        metrics=(
            Metric(
                name="fine_income",
                synonyms=("fines collected", "late fees"),
                sql="sum(loans.fine_amount)",
                source="loans",
                filters=("loans.returned_on is not null",),
                time_column="loans.returned_on",
            ),
            Metric(name="shelf_turnover", description="How often a book goes out; see the wiki."),
        ),
    ),
)

CLINIC = Domain(
    ddl="""
    CREATE TABLE doctors (id INTEGER PRIMARY KEY, name VARCHAR, specialty VARCHAR);
    INSERT INTO doctors VALUES (1, 'Okafor', 'cardiology'), (2, 'Silva', 'dermatology'),
      (3, 'Tran', 'cardiology');
    CREATE TABLE patients (
      id INTEGER PRIMARY KEY, name VARCHAR, sex VARCHAR, insurer VARCHAR, is_test BOOLEAN,
      registered_at TIMESTAMP);
    INSERT INTO patients VALUES
      (1, 'Pa', 'F', 'Northcare', FALSE, '2024-02-01 09:00:00'),
      (2, 'Pb', 'M', 'Northcare', FALSE, '2024-08-11 10:30:00'),
      (3, 'Pc', 'F', 'Self Pay', FALSE, '2025-01-31 23:59:00'),
      (4, 'Pd', 'M', 'Alba Health', TRUE, '2025-02-01 00:00:00');
    CREATE TABLE visits (
      id INTEGER PRIMARY KEY, patient_id INTEGER, doctor_id INTEGER, status VARCHAR,
      visit_type VARCHAR, started_at TIMESTAMP, created_at TIMESTAMP, duration_minutes INTEGER,
      fee DECIMAL(8,2), satisfaction_score DOUBLE PRECISION);
    INSERT INTO visits VALUES
      (1, 1, 1, 'completed', 'home visit', '2025-01-06 09:00:00', '2025-01-02 08:00:00', 30, 80, 4),
      (2, 1, 2, 'completed', 'clinic', '2025-01-20 11:00:00', '2025-01-02 08:00:00', 20, 50, 5),
      (3, 2, 1, 'no_show', 'clinic', '2025-02-03 09:30:00', '2025-01-15 08:00:00', 0, 0, NULL),
      (4, 2, 3, 'completed', 'telehealth', '2025-02-10 15:00:00', '2025-02-01 08:00:00', 15, 40, 3),
      (5, 3, 1, 'cancelled', 'clinic', '2025-02-28 23:30:00', '2025-02-20 08:00:00', 0, 0, NULL),
      (6, 3, 3, 'completed', 'home visit', '2025-03-05 10:00:00', '2025-02-25 08:00:00',
       45, 120, 4);
    """,
    dictionary=MetricDictionary(
        metrics=(
            Metric(
                name="completed_visits",
                label="Completed visits",
                synonyms=("consultations",),
                sql="count(*)",
                source="visits",
                filters=("status = 'completed'",),
                time_column="visits.started_at",
            ),
            Metric(
                name="average_fee",
                sql="avg(visits.fee)",
                source="visits",
                filters=("visits.status = 'completed'",),
                time_column="visits.started_at",
            ),
        ),
        dimensions=(
            Dimension(
                name="channel",
                synonyms=("kind of visit",),
                table="visits",
                sql="case when visit_type = 'telehealth' then 'remote' else 'in person' end",
                values={"remote": ("online", "by video"), "in person": ("face to face",)},
            ),
            Dimension(
                name="sex",
                table="patients",
                sql="sex",
                values={"F": ("women", "female"), "M": ("men", "male")},
            ),
        ),
        fiscal_year_start_month=4,
    ),
)

LOGISTICS = Domain(
    ddl="""
    CREATE TABLE "dim_Depot" ("Depot Code" VARCHAR PRIMARY KEY, "Region" VARCHAR);
    INSERT INTO "dim_Depot" VALUES ('A1', 'North'), ('B2', 'South'), ('C3', 'North');
    CREATE TABLE "order" (
      order_no INTEGER PRIMARY KEY, customer VARCHAR, priority VARCHAR, "group" VARCHAR,
      placed_at DATE);
    INSERT INTO "order" VALUES
      (100, 'Acme', 'express', 'retail', '2025-05-01'),
      (101, 'Acme', 'standard', 'retail', '2025-05-03'),
      (102, 'Zenith', 'standard', 'trade', '2025-06-11');
    CREATE TABLE shipments (
      shipment_id INTEGER PRIMARY KEY, order_no INTEGER, depot VARCHAR, carrier VARCHAR,
      weight_kg DECIMAL(8,1), freight_cost DECIMAL(8,2), shipped_at DATE, delivered_at DATE,
      was_damaged INTEGER);
    INSERT INTO shipments VALUES
      (1, 100, 'A1', 'FastCo', 12.5, 30.00, '2025-05-02', '2025-05-04', 0),
      (2, 100, 'B2', 'FastCo', 7.5, 20.00, '2025-05-02', '2025-05-09', 1),
      (3, 101, 'A1', 'SlowCo', 40.0, 15.00, '2025-05-06', NULL, 0),
      (4, 102, 'C3', 'SlowCo', 100.0, 60.00, '2025-06-12', '2025-06-20', 0);
    """,
    dictionary=MetricDictionary(
        metrics=(
            Metric(
                name="tonnage",
                sql="sum(weight_kg) / 1000.0",
                source="shipments",
                time_column="shipments.shipped_at",
            ),
            Metric(
                name="express_freight",
                sql="sum(shipments.freight_cost)",
                source="shipments",
                joins=('"order" o on o.order_no = shipments.order_no',),
                filters=("o.priority = 'express'",),
                time_column="o.placed_at",
            ),
            Metric(name="ghost", sql="sum(x)", source="nowhere"),
            Metric(name="garbled", sql="sum((", source="shipments"),
        ),
        relationships=(
            Relationship(left="shipments.order_no", right="order.order_no"),
            Relationship(left="shipments.depot", right="dim_Depot.Depot Code"),
        ),
    ),
)

SAAS = Domain(
    ddl="""
    CREATE TABLE accounts (
      account_id INTEGER PRIMARY KEY, company_name VARCHAR, country VARCHAR, industry VARCHAR,
      created_at TIMESTAMP);
    INSERT INTO accounts VALUES
      (1, 'Birch', 'Germany', 'retail', '2024-01-10 00:00:00'),
      (2, 'Cedar', 'France', 'health', '2024-06-01 00:00:00'),
      (3, 'Elm', 'Germany', 'retail', '2025-01-05 00:00:00');
    CREATE TABLE subscriptions (
      subscription_id INTEGER PRIMARY KEY, account_id INTEGER REFERENCES accounts(account_id),
      plan VARCHAR, seats INTEGER, monthly_price DECIMAL(8,2), started_on DATE, churned BOOLEAN);
    INSERT INTO subscriptions VALUES
      (1, 1, 'pro', 10, 200.00, '2024-02-01', FALSE),
      (2, 1, 'basic', 3, 30.00, '2024-05-01', TRUE),
      (3, 2, 'enterprise', 50, 900.00, '2024-07-15', FALSE),
      (4, 3, 'pro', 4, 80.00, '2025-01-10', TRUE);
    CREATE TABLE invoices (
      invoice_id INTEGER PRIMARY KEY, account_id INTEGER REFERENCES accounts(account_id),
      amount DECIMAL(8,2), status VARCHAR, issued_on DATE);
    INSERT INTO invoices VALUES
      (1, 1, 100.00, 'paid', '2024-12-31'), (2, 1, 150.00, 'paid', '2025-01-31'),
      (3, 2, 900.00, 'open', '2025-01-31'), (4, 2, 900.00, 'paid', '2025-02-28'),
      (5, 3, 50.00, 'void', '2025-02-01'), (6, 1, 200.00, 'paid', '2025-03-31');
    """,
    dictionary=MetricDictionary(
        metrics=(
            Metric(
                name="billings",
                synonyms=("billed amount",),
                sql="sum(amount)",
                source="invoices",
                filters=("status <> 'void'",),
                time_column="issued_on",
            ),
        ),
        fiscal_year_start_month=2,
    ),
)


def build(domain: Domain, engine: str, folder: Path) -> str:
    """Build `domain` on `engine` in `folder`; the URL of the warehouse."""
    path = folder / f"warehouse.{engine}"
    if engine == "duckdb":
        with duckdb.connect(str(path)) as connection:
            connection.execute(domain.ddl)
    else:
        connection_ = sqlite3.connect(path)
        connection_.executescript(domain.ddl)
        connection_.close()
    return f"{engine}:///{path}"
