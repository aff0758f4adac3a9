"""From text to one number: value, unit, stated precision. Pure, and never a silent guess.

The rules, in one place:

**Marks.** `1,234.5` and `1.234,5` show by their two marks which one is the decimal mark: the last.
A mark that occurs twice groups thousands (`1.234.567`). A single mark is the decimal mark, unless
it is a comma with one to three digits before it (no leading 0) and exactly three behind it: then
it groups thousands (`1,234` is 1234, `1.234` is 1.234, `0,123` is 0.123, `1,23` is 1.23). With
`decimal_mark="."` or `","` that mark alone is decimal and the other one only groups: what does not
fit is no number. Groups are of three digits (of two above the last three for Indian rupees) and
may also be set apart by thin or no-break spaces, apostrophes, underscores, or, where the text is
nothing but the number, by plain spaces.

**Sign.** `-`, the Unicode minus and dashes before the number or its currency, a minus behind it,
accounting parentheses around it, and the words minus and negative. A word of direction beside the
number (`down 5%`, `a loss of 5`) leaves the sign open: no number. So do `±`, and a dash between
spaces after a word. A bound (`> 5`, `at least 5`, `5+`) and a range (`10-20`) are no numbers.

**Scale.** Exponents, `k m b bn t mn mio tn`, hundred to trillion, lakh and crore, dozen: the value
is already multiplied. `%`, `pp`, `bps`, `x` and units of time are reported, not applied: `33.2%` is
33.2 with unit `percent`, and `5min` is 5 with unit `min`.

**Precision** is the size of the last stated digit after scaling (`$1.2M`: 100000); None for an
exact fraction (`1/3`, `1 in 4`, `3:1`) or a number in words.

**Text around the number.** A text that is one number with the affixes above is that number.
Otherwise:
1. `label: value` or `label = value`: the part behind the last mark counts, if it is a number and
   what stands before it has no labelled number of its own.
2. `1.2M (1,204,000)`: a number and, in parentheses, the same number again, finer: the finer one.
3. Else the text is prose. Dates, times of day, years inside a time phrase (`in 2024`, `Q4 2025`,
   `2024 revenue`), windows (`last 30 days`), ordinals, and digits glued to letters (`Q4`, `B2B`)
   are left out. If exactly one number remains, and nothing leaves its sign or meaning open, takes
   it back, multiplies it (`twice 5`) or sets a spelled one beside it (`5, or maybe six`), it is the
   value. Else `NumberError` names the candidates.

Booleans, NaN, infinities, dates and the empty text are no numbers.
"""

from goldsuite.errors import NumberError
from goldsuite.numbers.parse import parse_number
from goldsuite.numbers.parsed import DecimalMark, NumberUnit, ParsedNumber
from goldsuite.numbers.prose import SEVERAL

__all__ = [
    "SEVERAL",
    "DecimalMark",
    "NumberError",
    "NumberUnit",
    "ParsedNumber",
    "parse_number",
]
