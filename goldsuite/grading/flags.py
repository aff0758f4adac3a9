"""The codes that a grade may carry, each with its sentence for the reader."""

__all__ = ["FLAGS"]

FLAGS: dict[str, str] = {
    "case_differs": "The text is the gold's but for upper and lower case, which counts here.",
    "clock_dependent": "The gold query reads the clock, and the suite has no `as_of`.",
    "coarse_rounding": "The accepted rounding states a single digit.",
    "correct_rounding": "Wrong, though a correct rounding of the gold: see `accept_rounding`.",
    "currency_mismatch": "The answer names another currency than the case.",
    "currency_undeclared": "The answer names a currency, the case none.",
    "extra_columns": "The result has columns beside the gold's.",
    "from_text": "The value was found in prose or in a list written as text.",
    "loose_count": "A whole number without a unit passed within the default tolerance.",
    "matching_limit": "Too many rows lie within tolerance of each other to be told apart.",
    "sign_differs": "The answer is the gold with the other sign.",
    "text_contradicts": "The text beside the SQL states another number than the gold.",
    "ties_unknown": "The gold's sort keys are not among its columns, so ties could not be allowed.",
    "type_from_text": "Text was read as the numbers or dates of the other side.",
    "unit_adjusted": "A factor of 100 was applied, as for a rate said in per cent.",
    "unit_mismatch": "The answer states another unit than the case.",
    "unit_scale": "The answer is the gold times or divided by 100.",
    "unit_undeclared": "The answer states a unit of time, the case none.",
    "unit_unsure": "Neither the answer nor the gold query shows which scale is meant.",
    "vacuous": "Both results are empty, which is weak evidence.",
    "year_like": "Both numbers look like years, which are compared exactly.",
}
