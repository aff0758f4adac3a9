"""Gold values as they stand in a record: JSON that keeps a number exactly, or its text."""

from datetime import date, time, timedelta
from decimal import Decimal

from goldsuite.model.key import GoldValue
from goldsuite.model.run import JsonScalar, JsonValue

__all__ = ["json_value"]


def json_value(value: GoldValue) -> JsonValue:
    """`value` for a JSON file; a number that a double does not hold exactly comes as its text."""
    if isinstance(value, tuple):
        return [[_scalar(cell) for cell in row] for row in value]
    return _scalar(value)


def _scalar(value: object) -> JsonScalar:
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        # Readers in other languages keep whole numbers only up to 2**53.
        return value if abs(value) <= 2**53 else str(value)
    if isinstance(value, Decimal):
        return _decimal(value)
    if isinstance(value, float):
        return _decimal(Decimal(repr(value)))
    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, timedelta):
        return str(value)
    if isinstance(value, bytes):
        return value.hex()
    return str(value)


def _decimal(value: Decimal) -> JsonScalar:
    if not value.is_finite():
        return str(value)
    if value == value.to_integral_value() and abs(value) <= 2**53:
        return int(value)
    nearest = float(value)
    return nearest if Decimal(repr(nearest)) == value else format(value, "f")
