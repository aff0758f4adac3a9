"""What the parse gate knows of each SQL dialect: functions, catalog tables, statement kinds."""

from dataclasses import dataclass

from sqlglot import exp

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

# For a dialect without rules of its own no table function is known, so none passes.
UNKNOWN = DialectRules(
    table_functions=frozenset({"unnest", "explode"}),
    denied_functions=DUCKDB.denied_functions | SQLITE.denied_functions,
    denied_prefixes=DUCKDB.denied_prefixes,
    denied_tables=DUCKDB.denied_tables | SQLITE.denied_tables,
    scans_files=True,
)

RULES: dict[str, DialectRules] = {"duckdb": DUCKDB, "sqlite": SQLITE}

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
