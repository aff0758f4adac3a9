"""How numbers are written, as far as a suite may settle it."""

from typing import Literal, TypeAlias

__all__ = ["DecimalMark"]

DecimalMark: TypeAlias = Literal["auto", ".", ","]
"""Which mark is decimal in a number that an analyst writes; `auto`: by the documented rule."""
