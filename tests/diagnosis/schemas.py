"""Three invented warehouses, small and always the same, with questions whose answers are known.

Each has a fact table with a moment of time, a child table with several rows for each fact, a
dimension, a stale copy of the facts, flags, NULLs and amounts in several columns.
"""

from collections.abc import Iterator

from tests.diagnosis.clinic import CLINIC
from tests.diagnosis.invented import Gold, Schema, build
from tests.diagnosis.saas import SAAS
from tests.diagnosis.shop import SHOP

__all__ = ["SCHEMAS", "Gold", "Schema", "all_golds", "build"]

SCHEMAS = (SHOP, CLINIC, SAAS)


def all_golds() -> Iterator[tuple[Schema, Gold]]:
    """Every question with its warehouse."""
    for schema in SCHEMAS:
        for gold in schema.golds:
            yield schema, gold
