"""Words around a number that make it another one than it says, or none.

`It isn't 5`, `twice 5`, `5 is wrong` and `5, or maybe six` hold one number each, and in none of
them is it the value. Only what governs the number counts: `who did not return was 5` is 5.
"""

import re
from decimal import Decimal

from goldsuite.numbers.words import NUMBER_WORDS, read_words

__all__ = ["doubt_about"]

_FILLER = (
    r"(?:(?:it|that|this|is|was|be|to|the|a|an|really|exactly|quite|equal|equals|actually|"
    r"necessarily|likely)\s+){0,4}"
)
_DENIED = re.compile(
    rf"(?:\b(?:not|never|nor|hardly|scarcely|doubt|cannot)|n't)\s+{_FILLER}\Z"
    r"|\b(?:other than|rather than|instead of|anything but|except|except for|unlike)\s+"
    r"(?:the\s+)?\Z",
    re.IGNORECASE,
)
_MULTIPLIED = re.compile(
    r"\b(?:twice|thrice|double|triple|treble|quadruple)\s+(?:the\s+|that\s+of\s+)?\Z"
    r"|\b(?:half|thirds?|quarters?|fifths?|tenths?|hundredths?|thousandths?|multiples?|times|"
    r"root|logarithm|inverse)\s+(?:of\s+)(?:the\s+)?\Z",
    re.IGNORECASE,
)
_CHANGED_AFTER = re.compile(r"\s*(?:squared|cubed|doubled|tripled|halved)\b", re.IGNORECASE)
_TAKEN_BACK = re.compile(
    r"[\s,;-]*(?:(?:which|that|this|it|but)\s+)*"
    r"(?:(?:is|was|seems|looks|appears|(?:would|will|must|may|might|could)\s+be)\s+(?:\w+ly\s+)?"
    r"(?:wrong|incorrect|false|untrue|mistaken|impossible)\b"
    r"|(?:(?:is|was|seems|looks|would\s+be)\s+(?:\w+ly\s+)?)?too\s+(?:high|low|large|small|big|many|few|much)\b"
    r"|(?:(?:is|was|would|can)\s*(?:not|n't)|cannot)\s+(?:be\s+)?(?:the\s+)?"
    r"(?:right|correct|answer|true|valid|accurate|result)\b)",
    re.IGNORECASE,
)
_WORD = rf"(?:{'|'.join(NUMBER_WORDS)})"
_SPELLED = re.compile(
    rf"(?P<choice>\b(?:or|maybe|perhaps|possibly|otherwise|either)\s+(?:\w+ly\s+|about\s+)?)?"
    rf"\b(?P<words>{_WORD}(?:[\s-]+(?:and\s+)?{_WORD})*)\b",
    re.IGNORECASE,
)
_LARGE = 100
"""Words below it are mostly no second answer: `42 orders from two shops`."""


def doubt_about(value: Decimal, before: str, after: str) -> str | None:
    """Why `value`, between `before` and `after`, is no answer; None where it may be one."""
    if _DENIED.search(before) or _TAKEN_BACK.match(after):
        return "a limit or a denial, not a value"
    if _MULTIPLIED.search(before) or _CHANGED_AFTER.match(after):
        return "a multiple or a part of the number is meant"
    for match in _SPELLED.finditer(f"{before} ; {after}"):
        other = read_words(match["words"])
        if other is None or other == value:
            continue
        if match["choice"] or other >= _LARGE:
            return "it states several numbers"
    return None
