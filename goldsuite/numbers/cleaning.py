"""Typographic variants of one sign become that sign, before anything is read."""

import re
import unicodedata

__all__ = ["THIN", "clean", "unwrap"]

THIN = "\u2009"
"""Stands for every space that does not break a line: such a space may group digits."""

_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2212\ufe63\uff0d"
_HARD_SPACES = "\u00a0\u2007\u2008\u200a\u202f"
_INVISIBLE = (
    "\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060"
    "\u2066\u2067\u2068\u2069\ufeff"
)
_SIGNS = str.maketrans(
    dict.fromkeys(_DASHES, "-")
    | dict.fromkeys(_HARD_SPACES, THIN)
    | dict.fromkeys(_INVISIBLE, None)
    | dict.fromkeys("\u2019\u02bc\uff07\u066c", "'")
    | {
        "％": "%",
        "٪": "%",
        "＄": "$",
        "￥": "¥",
        "￡": "£",
        "．": ".",
        "，": ",",
        "٫": ".",
        "＋": "+",
    }
    | {"\u2044": "/", "（": "(", "）": ")", "：": ":"}
)
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_SUPERSCRIPT = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺]+")
_VULGAR = re.compile("(?P<whole>[0-9])?(?P<sign>[¼-¾⅐-⅞])")
_TERMINAL = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~])|\x9b[0-?]*[ -/]*[@-~]"
)
"""Orders to a terminal, such as a colour: their digits are no part of what is said."""
_WRAPS = ("**", "__", "`", '"', "'", "“”", "‘’", "*", "$$")


def clean(text: str) -> str:
    """`text` with ASCII digits, dashes and quotes, hard spaces as `THIN`, `½` as `1/2`.

    Orders to a terminal are left out.
    """
    text = _SUPERSCRIPT.sub(lambda m: "^" + m[0].translate(_SUPERSCRIPTS), _TERMINAL.sub("", text))
    text = _VULGAR.sub(_spell_fraction, text)
    text = text.translate(_SIGNS).replace("+/-", "±").replace("+-", "±")
    if text.isascii():
        return text
    return "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in text)


def _spell_fraction(match: re.Match[str]) -> str:
    spelled = unicodedata.normalize("NFKC", match["sign"])
    return f"{match['whole']} {spelled}" if match["whole"] else spelled


def unwrap(text: str) -> str:
    """Without outer white space, quotes, Markdown emphasis, and a closing full stop."""
    text = text.strip()
    for wrap in _WRAPS:
        opening, closing = (wrap[0], wrap[-1]) if wrap in {"“”", "‘’"} else (wrap, wrap)
        if (
            len(text) > len(opening + closing)
            and text.startswith(opening)
            and text.endswith(closing)
        ):
            return unwrap(text[len(opening) : -len(closing)])
    if text[-1:] in {".", "!", ";"} and text[-2:-1] not in {".", ""}:
        return unwrap(text[:-1])
    return text
