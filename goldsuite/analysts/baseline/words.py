"""English words as the baseline compares them: cut, folded to the singular, reduced to a stem.

Deliberately plain: a lookup that an uninformed analyst could do by eye, with no model behind it.
"""

import re
import unicodedata


def word_set(text: str) -> frozenset[str]:
    """A table of words: those of `text`, cut at white space."""
    return frozenset(text.split())


def word_list(text: str) -> list[str]:
    """The same where the order counts."""
    return text.split()


_TOKEN = re.compile(r"\d{4}-\d{2}-\d{2}|\d+(?:,\d{3})+(?:\.\d+)?|\d+\.\d+|[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")

_IRREGULAR = {
    "people": "person",
    "children": "child",
    "men": "man",
    "women": "woman",
    "ids": "id",
}

_SUFFIXES = ("ations", "ation", "ments", "ment", "ance", "ence", "ions", "ion", "ing", "ed")
_LIGHT_SUFFIXES = ("al", "e", "y")
_MIN_STEM = 4
_MIN_SHARED = 5

STOPWORDS = word_set("""
    a about all an and any are as at average avg be been being between but by came can come count
    could did different display distinct do does during each ever every excluding find first for
    from get gets give given got had has have how i in is it its last list many me mean median most
    much my name no non not number of on only or our over overall per please s share show sum
    than that the their them there these they this those through to total unique until up us was we
    were what when where which who whose will with within would you
    """)
"""Words that name nothing in a warehouse."""

NUMBER_WORDS = {
    word: number
    for number, word in enumerate(
        word_list("one two three four five six seven eight nine ten eleven twelve"), start=1
    )
}


def tokens(text: str) -> tuple[str, ...]:
    """The words and numbers of `text` as written, without punctuation; `n't` becomes `not`."""
    plain = unicodedata.normalize("NFKC", text).replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    return tuple(_TOKEN.findall(re.sub(r"n't\b", " not", plain)))


def name_words(identifier: str) -> tuple[str, ...]:
    """The folded words of a table's or column's name: `OrderItems` -> `order`, `item`."""
    return folded(_CAMEL.sub(" ", identifier))


def folded(text: str) -> tuple[str, ...]:
    """The words of `text` in lower case and the singular."""
    return tuple(fold(token.lower()) for token in tokens(text))


def fold(word: str) -> str:
    """The singular of a lower-case `word`, as far as its ending tells."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= 3 or word[0].isdigit():
        return word
    # "movies" and "movie", "countries" and "country" must meet at one form each.
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith("ie"):
        return word[:-2] + "y"
    if word.endswith(("sses", "xes", "ches", "shes", "zzes")):
        return word[:-2]
    if word.endswith(("ss", "us", "is")) or not word.endswith("s"):
        return word
    return word[:-1]


def stem(word: str) -> str:
    """What a folded `word` shares with its relatives: `cancellation`, `cancelled` -> `cancel`."""
    root = word
    for suffix in (*_SUFFIXES, *_LIGHT_SUFFIXES):
        if word.endswith(suffix) and len(word) - len(suffix) >= _MIN_STEM:
            root = word[: -len(suffix)]
            break
    doubled = len(root) > _MIN_STEM and root[-1] == root[-2] and root[-1] not in "aeious"
    return root[:-1] if doubled else root


def related(left: str, right: str) -> bool:
    """True if two folded words share a stem: `conversion` and `converted`."""
    if left + "e" == right or right + "e" == left:
        return False  # "plan" and "plane"
    one, other = stem(left), stem(right)
    if one == other:
        return True
    shared = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        shared += 1
    # 7 of 10 letters: "convers(ion)" meets "convert(ed)", "disco(unt)" does not meet "disco(ver)".
    return shared >= _MIN_SHARED and 10 * shared >= 7 * max(len(one), len(other))


def contains(words: tuple[str, ...], phrase: tuple[str, ...]) -> bool:
    """True if `phrase` stands in `words` as a run of whole words."""
    return position(words, phrase) is not None


def position(words: tuple[str, ...], phrase: tuple[str, ...], start: int = 0) -> int | None:
    """Where `phrase` first stands in `words` as a run of whole words, from `start` on."""
    if not phrase:
        return None
    for index in range(start, len(words) - len(phrase) + 1):
        if words[index : index + len(phrase)] == phrase:
            return index
    return None
