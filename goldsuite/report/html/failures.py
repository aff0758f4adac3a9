"""Why it failed: modes and clusters, the largest first, and passes that were luck."""

from collections.abc import Iterator

from goldsuite.report.figures import counted
from goldsuite.report.html.bars import share_bar
from goldsuite.report.html.elements import Element, code, element, section
from goldsuite.report.luck import LuckyPass
from goldsuite.report.roots import RootRow
from goldsuite.report.view import ModeRow, ReportView

__all__ = ["failures", "lucky"]

_MOST_LINKS = 40


def failures(view: ReportView, *, redacted: bool) -> Element:
    """Every mode with its share and its fix, and below it what exactly is wrong."""
    if not view.modes:
        return section("Why it failed", element("p", "No case failed."), name="failures")
    items = (_mode(row, redacted=redacted) for row in view.modes)
    return section("Why it failed", element("ol", *items, css="modes"), name="failures")


def _mode(row: ModeRow, *, redacted: bool) -> Element:
    share = f"{counted(row.count, 'failure')}, {100 * row.share:.0f} %"
    return element(
        "li",
        element(
            "div",
            element("h3", row.mode.value),
            share_bar(row.share),
            element("span", share, css="count"),
            css="mode-head",
        ),
        element("p", row.meaning),
        element("p", element("strong", "Fix: "), row.fix),
        *([] if row.roots else _links(row.cases)),
        *(_root(root, redacted=redacted) for root in row.roots),
    )


def _root(root: RootRow, *, redacted: bool) -> Element:
    return element(
        "article",
        element("h4", root.id),
        None if redacted else element("p", root.root),
        element("p", root.proof, css="dim small"),
        *_suggestion(root),
        *_links(root.cases),
        css="cluster",
    )


def _suggestion(root: RootRow) -> Iterator[Element]:
    found = root.suggestion
    if found is None:
        return
    yield element("p", element("strong", "Suggestion: "), found.text)
    if found.entry is not None:
        where = element("summary", "What to write into ", element("code", found.file or "context"))
        yield element("details", where, code(found.entry))


def _links(cases: tuple[str, ...]) -> Iterator[Element]:
    """The script opens the case with that id; without it they are names."""
    if not cases:
        return
    links = []
    for number, case in enumerate(cases[:_MOST_LINKS]):
        links += [", " if number else "Cases: ", element("a", case, href="#cases", data_case=case)]
    more = len(cases) - _MOST_LINKS
    yield element("p", *links, f" and {more:,} more" if more > 0 else None, css="small")


def lucky(view: ReportView) -> Element | None:
    """Passes that another database refutes; None where there is none."""
    if not view.lucky:
        return None
    items = (_lucky_pass(each) for each in view.lucky)
    return section("Passed by luck", element("ul", *items, css="modes"), name="luck")


def _lucky_pass(found: LuckyPass) -> Element:
    link = element("a", found.id, href="#cases", data_case=found.id)
    return element(
        "li",
        element("h3", link),
        element("p", found.question, css="dim"),
        element("p", found.sentence),
    )
