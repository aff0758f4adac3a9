"""Money words, and the column that an uninformed analyst would take for them."""

from collections.abc import Callable

from goldsuite.analysts.baseline.schema import Field, Schema
from goldsuite.analysts.baseline.words import word_list

_EARNED = word_list(
    "revenue sale income amount total subtotal price paid value fee charge gross net"
)
_SPENT = word_list("cost spend spent expense amount total price fee charge paid value")

MONEY_WORDS = {
    **dict.fromkeys(
        word_list("revenue sale income turnover earning billing proceed money worth"),
        _EARNED,
    ),
    **dict.fromkeys(word_list("spend spending spent cost expense expenditure paid pay"), _SPENT),
}
"""Folded word of the question to the words of column names it may mean, the likeliest first."""


def money_field(
    schema: Schema,
    accept: Callable[[Field], bool],
    *,
    word: str = "revenue",
    mentioned: frozenset[str] = frozenset(),
) -> Field | None:
    """The likeliest money column among the accepted ones; None where none reads like money."""
    wanted = MONEY_WORDS[word]
    found = [
        (min(hits), field.table not in mentioned, field.place, field)
        for field in schema.fields()
        if accept(field) and (hits := [wanted.index(w) for w in field.words if w in wanted])
    ]
    return min(found, key=lambda one: one[:3])[3] if found else None
