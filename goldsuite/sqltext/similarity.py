"""How close two SQL texts are. This measures text, not meaning: nothing is executed."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from goldsuite.model.grade import Similarity
from goldsuite.sqltext.canonical import normal_form, raw_form

__all__ = ["compare_sql", "jaccard"]


def jaccard(a: AbstractSet[str], b: AbstractSet[str]) -> float:
    """Share of the distinct elements that both have, 0 to 1; two empty sets are the same.

    Source: Jaccard (1912), The New Phytologist 11(2), 37-50.
    """
    union = len(a | b)
    return len(a & b) / union if union else 1.0


def compare_sql(predicted: str, golds: Sequence[str], dialect: str) -> Similarity:
    """Closeness of `predicted` to the nearest of `golds`; of equals the first.

    Raises:
        ValueError: `golds` is empty.
    """
    if not golds:
        raise ValueError("no gold SQL to compare with: pass at least one")
    compared = [_compare_pair(predicted, gold, dialect, i) for i, gold in enumerate(golds)]
    return max(compared, key=lambda s: (s.query_diff == "identical", s.query_similarity))


def _compare_pair(predicted: str, gold: str, dialect: str, index: int) -> Similarity:
    ours, theirs = normal_form(gold, dialect), normal_form(predicted, dialect)
    parsed = ours.parsed and theirs.parsed
    if not parsed:
        ours, theirs = raw_form(gold, dialect), raw_form(predicted, dialect)
    return Similarity(
        query_diff="identical" if ours.text == theirs.text else "changed",
        query_similarity=jaccard(ours.tokens, theirs.tokens),
        parsed=parsed,
        gold_index=index,
    )
