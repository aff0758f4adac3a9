"""Grading rows: the result of the answer's SQL, or rows and lists that a text spells out."""

import re
from datetime import date
from decimal import Decimal

from goldsuite.grading.cells import Form, to_form
from goldsuite.grading.gold import Gold
from goldsuite.grading.number_answers import GoldNumber, Outcome, match_number
from goldsuite.grading.result_sets import Comparison, ComparisonPolicy, compare_result_sets
from goldsuite.grading.single import Judged, rules_of
from goldsuite.grading.tied_rows import gold_nearest_to
from goldsuite.grading.tolerance import tolerance_of
from goldsuite.grading.written import declines, names_exactly, read_rows
from goldsuite.model.grade import Matched, Verdict
from goldsuite.model.key import GoldCase
from goldsuite.model.result_set import ResultSet
from goldsuite.numbers.cleaning import clean
from goldsuite.numbers.mention import find_mentions

__all__ = ["compare_with_gold", "contradiction", "judge_comparison", "judge_listed", "policy_of"]

MAX_LISTED = 1_000
"""Gold rows that a text is searched for."""


def policy_of(key: GoldCase, gold: Gold) -> ComparisonPolicy:
    """What the case demands of a result."""
    most = {"allowed": None, "refused": 0, None: 2}[key.extra_columns]
    return ComparisonPolicy(
        tolerance=tolerance_of(key),
        loose_integers=key.tolerance_given or key.abs_tolerance is not None,
        ordered=key.row_order == "required" or (key.row_order is None and gold.ordered),
        sort_columns=gold.projection.sort_columns,
        max_extra_columns=most,
        case_sensitive=key.case_sensitive,
    )


def compare_with_gold(predicted: ResultSet, gold: Gold, key: GoldCase) -> Comparison:
    """The analyst's result against one gold, as the case demands."""
    policy, result = policy_of(key, gold), gold.result
    if gold.tie is not None:
        result = gold_nearest_to(
            predicted, result, gold.tie, policy.tolerance, case_sensitive=key.case_sensitive
        )
    return compare_result_sets(result, predicted, policy=policy)


def judge_comparison(comparison: Comparison) -> Judged:
    """The verdict on rows."""
    if comparison.equal:
        how: Matched = "exact" if comparison.exact else "within_tolerance"
        reason = "The rows are the gold's."
        if "vacuous" in comparison.flags:
            reason = "Both results are empty, which proves little."
        return Judged(
            verdict=Verdict.CORRECT,
            outcome=Outcome(matched=how, reason=reason, flags=comparison.flags),
        )
    reason = "The rows are not the gold's: "
    reason += "; ".join(mismatch.message for mismatch in comparison.mismatches) + "."
    return Judged(
        verdict=Verdict.WRONG,
        outcome=Outcome(matched=None, reason=reason, flags=comparison.flags),
    )


def judge_listed(text: str, gold: Gold, key: GoldCase) -> tuple[Judged, Comparison | None]:
    """The verdict on rows given as text: a list, a Markdown table, or the values in prose."""
    listed = read_rows(text)
    if listed is not None:
        comparison = compare_with_gold(listed, gold, key)
        judged = judge_comparison(comparison)
        flags = tuple(sorted({*judged.outcome.flags, "from_text"}))
        outcome = Outcome(matched=judged.outcome.matched, reason=judged.outcome.reason, flags=flags)
        return Judged(verdict=judged.verdict, outcome=outcome), comparison
    values = _texts(gold)
    if values and names_exactly(text, values, case_sensitive=key.case_sensitive):
        ordered = policy_of(key, gold).ordered or len(gold.result.columns) > 1
        if ordered and not _in_order(text, values, key):
            return _unlisted("the values are named, but not in the gold's order"), None
        reason = "The answer names the gold's values and no other."
        outcome = Outcome(matched="exact", reason=reason, flags=("from_text",))
        return Judged(verdict=Verdict.CORRECT, outcome=outcome), None
    if declines(text):
        reason = "The analyst gave no answer."
        outcome = Outcome(matched=None, reason=reason)
        return Judged(verdict=Verdict.NO_ANSWER, outcome=outcome), None
    if values and not _misses_one(text, values, key):
        return _unlisted("it names the gold's values among others"), None
    return _unlisted("its text does not name the gold's rows, and there is no SQL"), None


def _unlisted(why: str) -> Judged:
    outcome = Outcome(matched=None, reason=f"The answer is not the gold's rows: {why}.")
    return Judged(verdict=Verdict.WRONG, outcome=outcome)


def _texts(gold: Gold) -> list[str]:
    """The values of a gold that is one column of text, or one row; empty for any other.

    Rows of several columns cannot be told from prose, which does not keep what belongs together.
    """
    rows = gold.result.rows
    if not 0 < len(rows) <= MAX_LISTED or (len(gold.result.columns) > 1 and len(rows) > 1):
        return []
    cells = [cell for row in rows for cell in row]
    if len(rows) > 1 and not all(isinstance(cell, str) for cell in cells):
        return []
    texts = ["" if cell is None else str(to_form(cell)) for cell in cells]
    return texts if all(text.strip() for text in texts) else []


def _in_order(text: str, values: list[str], key: GoldCase) -> bool:
    """Whether first mentions follow the gold's order; ties are not known here."""
    folded = text if key.case_sensitive else text.casefold()
    places = [
        folded.find(v.strip() if key.case_sensitive else v.strip().casefold()) for v in values
    ]
    return places == sorted(places)


def _misses_one(text: str, values: list[str], key: GoldCase) -> bool:
    folded = text if key.case_sensitive else text.casefold()
    return any(
        (v.strip() if key.case_sensitive else v.strip().casefold()) not in folded for v in values
    )


def contradiction(text: str, gold: Gold, key: GoldCase) -> str | None:
    """What in `text` contradicts the gold's rows; silence is no contradiction.

    Seen are a label beside another number than the gold's, where the gold has one column of
    distinct labels and one of numbers, and a list of as many names as the gold, with others in it.
    """
    listed = read_rows(text)
    if listed is not None and _are_other_names(listed, gold, key):
        return "the text lists others"
    pairs = _labelled_numbers(gold)
    cleaned = clean(text)
    for label, value in pairs.items():
        pattern = (
            rf"(?<!\w){re.escape(clean(label))}(?!\w)\W{{0,3}}(?::|=|\||[\"'],|\bis\b|\bwas\b)\s*"
        )
        for match in re.finditer(pattern, cleaned):
            beside = cleaned[match.end() : match.end() + 60]
            said = next(iter(find_mentions(beside, key.decimal_mark)), None)
            if said is None or said.start != 0 or said.number is None:
                continue
            if match_number(said.number, value, rules_of(key)).matched is None:
                return f"the text says {said.text!r} for {label!r}"
    return None


def _are_other_names(listed: ResultSet, gold: Gold, key: GoldCase) -> bool:
    """Names alone: a number may be written in ways that a comparison of cells does not know."""
    results = (listed, gold.result)
    if any(len(result.columns) != 1 for result in results) or len(listed.rows) != len(
        gold.result.rows
    ):
        return False
    if not all(isinstance(row[0], str) for result in results for row in result.rows):
        return False
    return not compare_with_gold(listed, gold, key).equal


def _labelled_numbers(gold: Gold) -> dict[str, GoldNumber]:
    if len(gold.result.columns) != 2 or len(gold.result.rows) > MAX_LISTED:
        return {}
    found: dict[str, GoldNumber] = {}
    for row in gold.result.rows:
        label, number = _label_and_number(to_form(row[0]), to_form(row[1]))
        if label is None or number is None or label in found:
            return {}
        found[label] = GoldNumber(value=number, is_whole_type=False, is_float=True)
    return found


def _label_and_number(first: Form, second: Form) -> tuple[str | None, Decimal | None]:
    if isinstance(second, str | date) and not isinstance(first, str | date):
        first, second = second, first
    label = first if isinstance(first, str) and first else None
    return label, Decimal(second) if isinstance(second, int | Decimal) else None
