"""Plots of latency, cost and trend as SVG, drawn by Vega-Lite without a browser.

They need the extra `charts`; without it the page says so, and has the same in words.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from importlib.util import find_spec
from statistics import quantiles
from typing import Any
from xml.etree import ElementTree as ET

from goldsuite.model.run import CaseRecord
from goldsuite.records.header import RunHeader
from goldsuite.report.figures import ABSENT, counted, duration, money, percent
from goldsuite.report.html.elements import Element, element, section, table

__all__ = ["MISSING", "plots"]

MISSING = "The plots are left out: they need the extra `charts` (pip install 'goldsuite[charts]')."
_SVG = "{http://www.w3.org/2000/svg}"
_WIDTH, _HEIGHT = 290, 150
_FEW = 4
"""Values below which there is nothing to plot."""
_MOST_RUNS = 40
# Colours are names of the page's own, so that light and dark have theirs.
_OUTCOMES = {"passed": "var(--pass)", "failed": "var(--fail)", "error": "var(--error)"}


def plots(cases: Sequence[CaseRecord], runs: Sequence[RunHeader]) -> Element | None:
    """Latency, cost and the trend of `runs`, oldest first; None where nothing was measured."""
    able = find_spec("vl_convert") is not None
    parts = [*_measured(cases, able=able), *_trend(runs, able=able)]
    if not parts:
        return None
    missing = None if able else element("p", MISSING, css="dim")
    return section(
        "Cost, latency, trend", missing, element("div", *parts, css="plots"), name="plots"
    )


def _measured(cases: Sequence[CaseRecord], *, able: bool) -> Iterator[Element]:
    seconds = [(case.latency_ms / 1000, case) for case in cases if case.latency_ms is not None]
    dollars = [(case.cost, case) for case in cases if case.cost is not None]
    if len(seconds) >= _FEW:
        low, high = _spread([value for value, _ in seconds])
        words = f"half took {duration(1000 * low)} or less, 95 % {duration(1000 * high)} or less"
        yield _figure("Latency", words, _histogram(seconds, "seconds"), able=able)
    if len(dollars) >= _FEW and any(value for value, _ in dollars):
        low, high = _spread([value for value, _ in dollars])
        words = f"half cost {money(low)} or less, 95 % {money(high)} or less"
        yield _figure("Cost", words, _histogram(dollars, "US dollars"), able=able)


def _spread(values: Sequence[float]) -> tuple[float, float]:
    """Median and 95th percentile, each between two of the values where it falls there."""
    cuts = quantiles(values, n=20, method="inclusive")
    return cuts[9], cuts[18]


def _histogram(values: Sequence[tuple[float, CaseRecord]], unit: str) -> dict[str, Any]:
    rows = [{"x": value, "outcome": _outcome(case)} for value, case in values]
    present = [name for name in _OUTCOMES if any(row["outcome"] == name for row in rows)]
    return {
        "data": {"values": rows},
        "mark": {"type": "bar", "stroke": "var(--card)", "strokeWidth": 1},
        "encoding": {
            "x": {"field": "x", "type": "quantitative", "bin": {"maxbins": 20}, "title": unit,
                  "axis": {"tickCount": 5, "labelOverlap": True}},
            "y": {"aggregate": "count", "title": "trials", "axis": {"tickMinStep": 1}},
            "color": {
                "field": "outcome", "type": "nominal", "title": None,
                "scale": {"domain": present, "range": [_OUTCOMES[name] for name in present]},
            },
        },
    }  # fmt: skip


def _outcome(case: CaseRecord) -> str:
    if case.passed:
        return "passed"
    return "error" if case.error is not None else "failed"


def _trend(runs: Sequence[RunHeader], *, able: bool) -> Iterator[Element]:
    shown = [run for run in runs if run.figures["accuracy"] is not None][-_MOST_RUNS:]
    if len(shown) < 2:
        return
    rows = [
        {"run": number, "accuracy": run.figures["accuracy"],
         "low": run.accuracy_interval and run.accuracy_interval[0],
         "high": run.accuracy_interval and run.accuracy_interval[1]}
        for number, run in enumerate(shown, start=1)
    ]  # fmt: skip
    words = f"accuracy of {counted(len(shown), 'run')} of this suite and split, with 95 % intervals"
    yield _figure("Trend", words, _lines(rows), able=able)
    cells = [
        (str(number), f"{run.started_at:%Y-%m-%d %H:%M}", percent(run.figures["accuracy"]),
         run.analyst, run.changelog or ABSENT)
        for number, run in enumerate(shown, start=1)
    ]  # fmt: skip
    yield element(
        "details",
        element("summary", "The runs of the trend"),
        table(("run", "started", "accuracy", "analyst", "changelog"), cells, caption="Runs"),
        css="wide",
    )


def _lines(rows: list[dict[str, Any]]) -> dict[str, Any]:
    x = {"field": "run", "type": "quantitative", "title": "run",
         "scale": {"zero": False, "nice": False, "padding": 8},
         "axis": {"tickMinStep": 1, "format": "d"}}  # fmt: skip
    y = {"field": "accuracy", "type": "quantitative", "title": "accuracy",
         "scale": {"domain": [0, 1]}, "axis": {"format": ".0%"}}  # fmt: skip
    colour = "var(--accent)"
    return {
        "data": {"values": rows},
        "encoding": {"x": x},
        "layer": [
            {"mark": {"type": "rule", "stroke": colour, "opacity": 0.45, "strokeWidth": 3},
             "encoding": {"y": y | {"field": "low"}, "y2": {"field": "high"}}},
            {"mark": {"type": "line", "stroke": colour}, "encoding": {"y": y}},
            {"mark": {"type": "point", "filled": True, "fill": colour, "size": 40, "opacity": 1},
             "encoding": {"y": y}},
        ],
    }  # fmt: skip


def _figure(title: str, words: str, spec: dict[str, Any], *, able: bool) -> Element:
    drawn = _draw(spec, f"{title}: {words}") if able else None
    return element("figure", element("h3", title), drawn, element("figcaption", words))


def _draw(spec: dict[str, Any], label: str) -> Element:
    import vl_convert

    whole = {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "width": _WIDTH,
        "height": _HEIGHT,
        "background": None,
        "config": {
            "view": {"stroke": None},
            "axis": {"labelColor": "var(--dim)", "titleColor": "var(--dim)", "gridColor":
                     "var(--line)", "domainColor": "var(--line)", "tickColor": "var(--line)",
                     "labelFontSize": 11, "titleFontSize": 11, "titleFontWeight": "normal"},
            "legend": {"labelColor": "var(--text)", "orient": "top", "labelFontSize": 12},
        },
        **spec,
    }  # fmt: skip
    return _plain(ET.fromstring(vl_convert.vegalite_to_svg(whole)), label)  # noqa: S314 - our own


def _plain(root: Element, label: str) -> Element:
    """One picture with one label; colours as classes, since a policy forbids inline styles."""
    for node in root.iter():
        node.tag = node.tag.removeprefix(_SVG)
        for name in ("style", "aria-label", "aria-roledescription", "aria-hidden", "role", "class"):
            node.attrib.pop(name, None)
        classes = [
            f"{name}-{node.attrib.pop(name)[6:-1]}"
            for name in ("fill", "stroke")
            if node.get(name, "").startswith("var(--")
        ]
        if classes:
            node.set("class", " ".join(classes))
    root.attrib.pop("width", None)
    root.attrib.pop("height", None)
    root.attrib |= {"class": "plot", "role": "img", "aria-label": label}
    return root


def same_kind(
    runs: Sequence[RunHeader], *, suite: str, split: str, until: datetime
) -> list[RunHeader]:
    """Whole runs of one suite and split, none later than `until`."""
    return [
        run
        for run in runs
        if (run.suite, run.split) == (suite, split)
        and not run.is_partial
        and not run.altered
        and run.started_at <= until
    ]
