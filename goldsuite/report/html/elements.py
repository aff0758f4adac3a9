"""Building elements: text is text, whatever is in it, since the tree is escaped when written."""

from collections.abc import Iterable, Sequence
from typing import TypeAlias
from xml.etree import ElementTree as ET

from goldsuite.report.figures import printable_text

__all__ = ["Child", "Element", "code", "element", "section", "svg", "table", "written"]

Element: TypeAlias = ET.Element
Child: TypeAlias = Element | str | None


def element(tag: str, *children: Child, css: str = "", **attributes: str) -> Element:
    """`<tag class=css ...>children</tag>`; None among the children is left out.

    Underscores in names of attributes become hyphens, one at the end is dropped: `aria_label`,
    `for_`.
    """
    named = {name.rstrip("_").replace("_", "-"): text for name, text in attributes.items()}
    made = ET.Element(tag, ({"class": css} if css else {}) | named)
    for name, text in list(made.attrib.items()):
        made.set(name, printable_text(text))
    _append(made, children)
    return made


def _append(parent: Element, children: Iterable[Child]) -> None:
    for child in children:
        if isinstance(child, str):
            _append_text(parent, printable_text(child))
        elif child is not None:
            parent.append(child)


def _append_text(parent: Element, text: str) -> None:
    if len(parent):
        parent[-1].tail = (parent[-1].tail or "") + text
    else:
        parent.text = (parent.text or "") + text


def svg(tag: str, *children: Child, css: str = "", **attributes: float | str) -> Element:
    """As `element`; numbers are written with two places at most."""
    plain = {
        name: text if isinstance(text, str) else f"{text:.2f}".rstrip("0").rstrip(".")
        for name, text in attributes.items()
    }
    return element(tag, *children, css=css, **plain)


def code(text: str) -> Element:
    """A block of text that keeps its lines, which a keyboard can scroll."""
    return element("pre", element("code", text), tabindex="0")


def section(title: str, *children: Child, name: str) -> Element:
    """A part of the page under a heading of its own, by which it is known to a screen reader."""
    heading = f"{name}-heading"
    return element(
        "section", element("h2", title, id=heading), *children, id=name, aria_labelledby=heading
    )


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, caption: str) -> Element:
    """A small table; the first cell of each row names it."""
    head = element("tr", *(element("th", text, scope="col") for text in heads))
    body = (
        element(
            "tr",
            element("th", name, scope="row"),
            *(element("td", text) for text in cells),
        )
        for name, *cells in rows
    )
    made = element(
        "table", element("caption", caption), element("thead", head), element("tbody", *body)
    )
    return element("div", made, css="scroll", tabindex="0", role="group", aria_label=caption)


def written(root: Element) -> str:
    """The HTML of `root`."""
    return ET.tostring(root, encoding="unicode", method="html")
