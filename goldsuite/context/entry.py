"""Lenient reading of one mapping whose keys other tools chose."""

from collections.abc import Iterable, Iterator

from goldsuite.context.yaml_file import YamlMapping, YamlValue


def text_of(entry: YamlMapping, *keys: str) -> str | None:
    """The first of `keys` that holds a text that is not blank, stripped."""
    for key in keys:
        value = entry.get(key)
        if isinstance(value, str) and value.strip():
            return value.strip()
    return None


def texts_of(entry: YamlMapping, *keys: str) -> tuple[str, ...]:
    """The texts of the first of `keys` that has any, given as a list or as a single text."""
    for key in keys:
        if found := tuple(texts_in(entry.get(key))):
            return found
    return ()


def texts_in(value: YamlValue) -> Iterator[str]:
    """`value` as texts: itself, or those of a list; anything else is passed over."""
    items = value if isinstance(value, list) else [value]
    for item in items:
        if isinstance(item, str) and item.strip():
            yield item.strip()


def mapping_of(entry: YamlMapping, key: str) -> YamlMapping | None:
    """The mapping under `key`; None where there is none."""
    value = entry.get(key)
    return value if isinstance(value, YamlMapping) else None


def named_entries(value: YamlValue, name_key: str) -> Iterator[YamlMapping]:
    """The mappings in a list, or in a mapping of name to entry, which then get that name.

    A name in the entry itself stays; entries that are no mapping are passed over.
    """
    if isinstance(value, list):
        yield from (item for item in value if isinstance(item, YamlMapping))
    elif isinstance(value, YamlMapping):
        for name, item in value.items():
            if isinstance(item, YamlMapping):
                yield with_defaults(item, {name_key: name})


def with_defaults(entry: YamlMapping, defaults: dict[str, str]) -> YamlMapping:
    """A copy of `entry` with `defaults` for the keys that it lacks."""
    return overlay((entry,), defaults)


def overlay(entries: Iterable[YamlMapping], defaults: dict[str, str]) -> YamlMapping:
    """One mapping of several: an earlier one wins, `defaults` come last."""
    merged: YamlMapping | None = None
    for entry in entries:
        if merged is None:
            merged = YamlMapping(line=entry.line)
        for key, value in entry.items():
            if merged.get(key) is None:
                merged[key] = value
                merged.key_lines[key] = entry.line_of(key)
    if merged is None:
        merged = YamlMapping(line=1)
    for key, text in defaults.items():
        if merged.get(key) is None:
            merged[key] = text
    return merged
