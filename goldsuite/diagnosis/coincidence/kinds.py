"""What a column can hold, in the few kinds that matter to whoever makes up its values."""

from enum import StrEnum
from functools import lru_cache

from sqlglot import exp
from sqlglot.errors import SqlglotError

__all__ = ["Kind", "kind_of"]


class Kind(StrEnum):
    """Kinds of values."""

    INTEGER = "integer"
    DECIMAL = "decimal"
    FLOAT = "float"
    TEXT = "text"
    DATE = "date"
    TIMESTAMP = "timestamp"
    TIME = "time"
    BOOLEAN = "boolean"
    ANY = "any"
    """Of a column without a type."""
    OTHER = "other"
    """JSON, arrays, structs, bytes: no values are made up for these."""


_Type = exp.DataType.Type
_ANY = frozenset({"ANY", "NULL", ""})


@lru_cache(maxsize=4096)
def kind_of(type_text: str, dialect: str) -> Kind:
    """The kind of a column whose type the catalog writes so."""
    text = type_text.strip()
    if text.upper() in _ANY:
        return Kind.ANY
    if text.upper().startswith("ENUM"):
        return Kind.TEXT
    try:
        built = exp.DataType.build(text.replace("_", " ") if "_" in text else text, dialect=dialect)
    except (SqlglotError, ValueError, TypeError, AttributeError):
        return Kind.OTHER
    return _kind(built, dialect)


def _kind(built: exp.DataType, dialect: str) -> Kind:
    if dialect == "mysql" and built.is_type(_Type.TINYINT) and _is_one_digit(built):
        return Kind.BOOLEAN
    table = (
        (Kind.BOOLEAN, {_Type.BOOLEAN}),
        (Kind.INTEGER, exp.DataType.INTEGER_TYPES - {_Type.BIT}),
        (Kind.FLOAT, exp.DataType.FLOAT_TYPES),
        (Kind.DECIMAL, {_Type.DECIMAL, _Type.BIGDECIMAL, _Type.MONEY, _Type.UDECIMAL}),
        (Kind.TEXT, exp.DataType.TEXT_TYPES),
        (Kind.DATE, {_Type.DATE, _Type.DATE32}),
        (Kind.TIME, {_Type.TIME}),
        (Kind.TIMESTAMP, exp.DataType.TEMPORAL_TYPES - {_Type.TIME, _Type.TIMETZ}),
    )
    return next((kind for kind, types in table if built.this in types), Kind.OTHER)


def _is_one_digit(built: exp.DataType) -> bool:
    return [str(part) for part in built.expressions] == ["1"]
