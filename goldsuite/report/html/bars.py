"""Bars and intervals as plain SVG; whoever cannot see them reads the same in words beside them."""

from goldsuite.report.html.elements import Element, svg

__all__ = ["interval_bar", "share_bar", "verdict_bar"]

_WIDTH = 400
_HEIGHT = 28


def interval_bar(share: float, interval: tuple[float, float]) -> Element:
    """A scale from 0 to 100 % with the share as a line and its interval as a band."""
    low, high = interval
    ticks = [
        svg("line", css="tick", x1=x, x2=x, y1=20, y2=25)
        for x in (0.5, *(_WIDTH * step / 4 for step in (1, 2, 3)), _WIDTH - 0.5)
    ]
    return _drawing(
        svg("rect", css="scale", x=0, y=10, width=_WIDTH, height=10, rx=5),
        svg(
            "rect", css="band",
            x=_WIDTH * low, y=6, width=max(_WIDTH * (high - low), 1), height=18, rx=4,
        ),
        svg("rect", css="point", x=_WIDTH * share - 2, y=2, width=4, height=26, rx=2),
        *ticks,
    )  # fmt: skip


def verdict_bar(parts: list[tuple[str, int]]) -> Element:
    """One bar, parted by count; each part has the class of its verdict."""
    total = sum(count for _, count in parts)
    drawn, x = [], 0.0
    for name, count in parts:
        width = _WIDTH * count / total
        drawn.append(
            svg("rect", css=f"fill-{name}", x=x, y=4, width=max(width - 1.5, 0.5), height=20)
        )
        x += width
    return _drawing(*drawn)


def share_bar(share: float) -> Element:
    """How much of the whole, 0 to 1."""
    return svg(
        "svg",
        svg("rect", css="scale", x=0, y=0, width=100, height=8, rx=4),
        svg("rect", css="share", x=0, y=0, width=max(100 * share, 1), height=8, rx=4),
        css="share-bar", viewBox="0 0 100 8", preserveAspectRatio="none", aria_hidden="true",
    )  # fmt: skip


def _drawing(*children: Element) -> Element:
    return svg(
        "svg", *children, css="bar", viewBox=f"0 0 {_WIDTH} {_HEIGHT}",
        preserveAspectRatio="none", aria_hidden="true",
    )  # fmt: skip
