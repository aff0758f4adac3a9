"""What the parse gate knows of each SQL dialect: functions, catalog tables, statement kinds."""

from dataclasses import dataclass

from sqlglot import exp

from goldsuite.sqltext import mysql_names, postgres_names, spark_names

# Nodes that write, lock, or change a session. `Set` is the statement; set operations are queries.
WRITING: tuple[type[exp.Expr], ...] = (
    exp.Alter,
    exp.Analyze,
    exp.Attach,
    exp.Cache,
    exp.Command,
    exp.Comment,
    exp.Commit,
    exp.Copy,
    exp.Create,
    exp.Declare,
    exp.Delete,
    exp.Detach,
    exp.Drop,
    exp.Execute,
    exp.Export,
    exp.Grant,
    exp.Insert,
    exp.Install,
    exp.Into,
    exp.Kill,
    exp.LoadData,
    exp.Lock,
    exp.Merge,
    exp.Pragma,
    exp.QueryTransform,  # Hive and Spark: pipes rows through a program.
    exp.Refresh,
    exp.Revoke,
    exp.Rollback,
    exp.Set,
    exp.Transaction,
    exp.TruncateTable,
    exp.Uncache,
    exp.Update,
    exp.Use,
)

# What a single statement may be. A parenthesised query is a `Subquery`, which is a `Query`.
QUERY_ROOTS: tuple[type[exp.Expr], ...] = (
    exp.Query,
    exp.Values,
    exp.Pivot,
    exp.Describe,
    exp.Summarize,
    exp.Show,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class DialectRules:
    """What the analyst's door of one dialect lets through; every name is in lower case."""

    table_functions: frozenset[str]
    """All that may stand after FROM; any other is refused."""
    denied_functions: frozenset[str]
    """Scalar functions that wait, write, or tell of the machine."""
    denied_prefixes: tuple[str, ...] = ()
    denied_tables: frozenset[str] = frozenset()
    """Catalog tables that tell paths, settings or secrets."""
    scans_files: bool = False
    """True if a table name that looks like a file is read as one."""
    functions: frozenset[str] | None = None
    """All scalar functions that may be called besides those that sqlglot knows; None: all that
    are not denied."""
    builtin_schema: str | None = None
    """The schema that the engine's own functions and tables may be qualified with."""
    members_are_calls: bool = False
    """True if `x.f` may call the function f."""
    system_prefix: str | None = None
    """How the engine's own tables start, of which only `system_tables` may be read."""
    system_tables: frozenset[str] = frozenset()
    denied_schemas: frozenset[str] = frozenset()
    denied_catalogs: frozenset[str] = frozenset()
    """What may not stand before a schema."""
    file_formats: frozenset[str] = frozenset()
    """What before a dot makes a path of the table name behind it; there a path, a class or another
    format would hold a slash, a colon or a dot, so that no name with these is let through."""
    shown: frozenset[str] | None = None
    """What SHOW may list, in sqlglot's words; None: whatever the engine shows."""
    has_variables: bool = False
    """True if `@a` and `@@a` are variables, which a query can even set."""


DUCKDB = DialectRules(
    table_functions=frozenset(
        {
            "duckdb_columns",
            "duckdb_constraints",
            "duckdb_functions",
            "duckdb_indexes",
            "duckdb_keywords",
            "duckdb_schemas",
            "duckdb_tables",
            "duckdb_types",
            "duckdb_views",
            "explode",
            "generate_series",
            "generate_subscripts",
            "histogram",
            "histogram_values",
            "icu_calendar_names",
            "json_each",
            "json_tree",
            "pg_timezone_names",
            "pragma_show",
            "pragma_table_info",
            "range",
            "regexp_split_to_table",
            "repeat",
            "repeat_row",
            "summary",
            "test_all_types",
            "unnest",
        }
    ),
    denied_functions=frozenset(
        {
            "currval",
            "current_setting",
            "getenv",
            "json_execute_serialized_sql",
            "nextval",
            "pg_sleep",
            "set_config",
            "setval",
            "sleep_ms",
            "write_log",
        }
    ),
    denied_prefixes=("read_", "parquet_", "sniff_"),
    denied_tables=frozenset(
        {
            "duckdb_databases",
            "duckdb_extensions",
            "duckdb_logs",
            "duckdb_secrets",
            "duckdb_settings",
            "duckdb_temporary_files",
            "duckdb_variables",
            "pg_prepared_statements",
            "pg_settings",
            "pragma_database_list",
        }
    ),
    scans_files=True,
)

SQLITE = DialectRules(
    table_functions=frozenset(
        {
            "generate_series",
            "json_each",
            "json_tree",
            "pragma_foreign_key_list",
            "pragma_index_info",
            "pragma_index_list",
            "pragma_table_info",
            "pragma_table_list",
            "pragma_table_xinfo",
        }
    ),
    denied_functions=frozenset(
        {
            "edit",
            "fts3_tokenizer",
            "getenv",
            "load_extension",
            "readfile",
            "sqlite_log",
            "writefile",
        }
    ),
    denied_tables=frozenset({"pragma_database_list", "sqlite_dbpage", "sqlite_stmt"}),
)

# Of sqlglot's functions those that other engines have, and a user's own may be called like them.
_FOREIGN = ("ai_", "ml_", "read_", "to_file", "next_value_for", "parse_url")

POSTGRES = DialectRules(
    table_functions=postgres_names.TABLE_FUNCTIONS,
    functions=postgres_names.FUNCTIONS,
    denied_functions=postgres_names.HARMFUL,
    denied_prefixes=_FOREIGN,
    denied_tables=frozenset({"information_schema.user_mapping_options"}),
    builtin_schema="pg_catalog",
    members_are_calls=True,
    system_prefix="pg_",
    system_tables=postgres_names.SYSTEM_TABLES,
)

MYSQL = DialectRules(
    table_functions=mysql_names.TABLE_FUNCTIONS,
    functions=mysql_names.FUNCTIONS,
    denied_functions=mysql_names.HARMFUL,
    denied_prefixes=_FOREIGN,
    denied_tables=frozenset(f"information_schema.{name}" for name in mysql_names.SYSTEM_TABLES),
    denied_schemas=mysql_names.SYSTEM_SCHEMAS,
    shown=mysql_names.SHOWN,
    has_variables=True,
)

SPARK = DialectRules(
    table_functions=spark_names.TABLE_FUNCTIONS,
    functions=spark_names.FUNCTIONS,
    denied_functions=spark_names.HARMFUL,
    # As in `_FOREIGN`, but `parse_url` is Spark's own.
    denied_prefixes=("ai_", "ml_", "read_", "to_file", "next_value_for"),
    denied_catalogs=frozenset({"system"}),
    scans_files=True,
    file_formats=spark_names.FILE_FORMATS,
    has_variables=True,
)

# For a dialect without rules of its own no table function is known, so none passes.
UNKNOWN = DialectRules(
    table_functions=frozenset({"unnest", "explode"}),
    denied_functions=DUCKDB.denied_functions | SQLITE.denied_functions,
    denied_prefixes=DUCKDB.denied_prefixes,
    denied_tables=DUCKDB.denied_tables | SQLITE.denied_tables,
    scans_files=True,
)

RULES: dict[str, DialectRules] = {
    "duckdb": DUCKDB,
    "mysql": MYSQL,
    "postgres": POSTGRES,
    "spark": SPARK,
    "sqlite": SQLITE,
}

# Endings that DuckDB's replacement scans take for files.
FILE_ENDINGS = (
    ".arrow",
    ".avro",
    ".csv",
    ".db",
    ".duckdb",
    ".gz",
    ".json",
    ".jsonl",
    ".ndjson",
    ".parquet",
    ".sqlite",
    ".sqlite3",
    ".tsv",
    ".txt",
    ".xlsx",
    ".yaml",
    ".yml",
    ".zst",
)
