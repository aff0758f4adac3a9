"""Digits that tell when, not how much: dates, times of day, years and windows."""

import re

from goldsuite.numbers.vocabulary import MONTHS

__all__ = ["time_spans"]

_YEAR = r"(?:19|20)\d{2}"
_BEFORE_YEAR = (
    r"in|during|for|since|until|till|by|through|throughout|year|years|fy|cy|fiscal|calendar|ytd|"
    r"q[1-4]|h[12]|quarter|of|from|between|to|and|vs\.?|versus|early|late|mid|"
    r"spring|summer|autumn|fall|winter|end of|start of|" + MONTHS
)
_SPAN = re.compile(
    rf"""(?ix)
    \b{_YEAR}-\d{{1,2}}(?:-\d{{1,2}})?(?:[t\ ]\d{{1,2}}:\d{{2}}(?::\d{{2}}(?:\.\d+)?)?)?z?\b
    | \b\d{{1,4}}/\d{{1,2}}/\d{{2,4}}\b
    | \b\d{{1,2}}\.\d{{1,2}}\.{_YEAR}\b
    | \b\d{{1,2}}:\d{{2}}(?::\d{{2}})?\b
    | \b(?:{MONTHS})\.?\s+\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s+{_YEAR})?\b(?!\s*[%$€£])
    | \b\d{{1,2}}(?:st|nd|rd|th)?(?:\s+of)?\s+(?:{MONTHS})\b\.?(?:,?\s+{_YEAR})?
    | \b{_YEAR}\s?[/-]\s?\d{{2}}(?:\d{{2}})?\b
    | \b(?:{_BEFORE_YEAR})[\s'-]+{_YEAR}\b(?![.,]\d|\s*[%$€£])
    | \A\W*{_YEAR}(?:'s)?(?=\s+[a-z])
    | \b(?:last|past|previous|prior|next|trailing|rolling|first|final)\s+\d+[\s-]+
      (?:minute|hour|day|week|month|quarter|year)s?\b
    | \b(?:week|day|month|quarter|year)\s+\d{{1,2}}\b
    """
)


def time_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Start and end of every time phrase in `text`, from left to right."""
    return tuple(match.span() for match in _SPAN.finditer(text))
