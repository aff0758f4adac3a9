"""The HTML report in a real browser: it filters, sorts, opens cases, and hostile text is text."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from goldsuite.report.html.page import html_report
from goldsuite.report.view import view_record
from goldsuite.runner.lock import LockState
from tests.browser.conftest import Tab, open_tab
from tests.browser.long_run import (
    HOSTILE,
    HOSTILE_ID,
    HOSTILE_TRACE,
    earlier_runs,
    long_run,
)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    record = long_run()
    view = view_record(record, integrity=LockState.INTACT)
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(
        html_report(view, traces={(HOSTILE_ID, 1): HOSTILE_TRACE}, runs=earlier_runs(record, 3)),
        encoding="utf-8",
    )
    return path


@pytest.fixture
def tab(browser: Browser, report: Path) -> Iterator[Tab]:
    tab = open_tab(browser, report)
    yield tab
    assert tab.complaints == []
    assert {url.partition("#")[0] for url in tab.requests} == {report.as_uri()}
    tab.page.context.close()


def _ids(page: Page) -> list[str]:
    return page.locator("tbody th button").all_inner_texts()


def test_each_filter_narrows_the_list_and_says_how_many_are_left(tab: Tab) -> None:
    page = tab.page
    status = page.get_by_role("status")
    expect(status).to_have_text("204 cases")
    page.get_by_label("Verdict", exact=True).select_option("wrong")
    expect(status).to_have_text("2 of 204 cases")
    assert _ids(page) == ["net-revenue", HOSTILE_ID]
    page.get_by_label("Failure mode", exact=True).select_option("wrong-source")
    assert _ids(page) == [HOSTILE_ID]
    page.get_by_role("button", name="Clear filters").click()
    page.get_by_label("Tag", exact=True).select_option("even")
    expect(status).to_have_text("100 of 204 cases")
    page.get_by_role("button", name="Clear filters").click()
    page.get_by_label("Search", exact=True).fill("revenue NET")
    assert _ids(page) == ["net-revenue"]
    page.get_by_label("Search", exact=True).fill("nothing has this")
    expect(status).to_have_text("0 of 204 cases")
    page.get_by_role("button", name="Clear filters").click()
    page.get_by_label("Verdict", exact=True).select_option("not passed (3)")
    assert _ids(page) == ["net-revenue", "crash", HOSTILE_ID]


def test_a_press_on_a_heading_sorts_and_another_turns_it_around(tab: Tab) -> None:
    page = tab.page
    head = page.get_by_role("columnheader", name="Latency")
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    assert _ids(page)[:3] == ["filler-1", "filler-2", "filler-3"]
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    assert _ids(page)[:2] == ["filler-200", "filler-199"]
    page.get_by_label("Verdict", exact=True).select_option("analyst_error")
    # It has no latency, and is there all the same.
    assert _ids(page) == ["crash"]
    page.get_by_role("button", name="Clear filters").click()
    page.get_by_label("Sort by", exact=True).select_option("")
    assert _ids(page)[:2] == ["orders-2025", "net-revenue"]


def test_rows_are_built_when_they_are_about_to_be_seen(tab: Tab) -> None:
    page = tab.page
    rows = page.locator("table.cases tbody tr")
    assert rows.count() == 60
    page.locator("button.more").scroll_into_view_if_needed()
    expect(rows).not_to_have_count(60)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(rows).to_have_count(204)
    expect(page.locator("button.more")).to_be_hidden()


def test_a_case_opens_with_all_that_explains_it_and_closes_by_keyboard(tab: Tab) -> None:
    page = tab.page
    button = page.get_by_role("button", name="net-revenue")
    button.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="net-revenue: wrong")
    expect(dialog).to_be_visible()
    for text in (
        "What was net revenue in 2025?", "1,000.5", "1200 is not 1000.5 within 0.5 %",
        "The dictionary does not define net revenue.", "currency_undeclared",
    ):  # fmt: skip
        expect(dialog.get_by_text(text, exact=False).first).to_be_visible()
    assert dialog.locator("pre").all_inner_texts() == [
        "select sum(gross) from orders -- ```",
        "select sum(net)\nfrom secret_orders",
    ]
    assert dialog.locator("pre .k").first.inner_text().strip() == "select"
    assert dialog.locator("table.diff tr.gold td:last-child").all_inner_texts() == [
        "SUM(secret_orders.net)",
        "secret_orders",
    ]
    assert dialog.locator("table.diff tr.gold .sign").first.text_content() == "+only the gold's"
    assert page.url.endswith("#case=net-revenue")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("dialog", name="crash: analyst error")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_the_address_of_a_case_opens_it_and_so_does_the_cluster(
    browser: Browser, report: Path, tab: Tab
) -> None:
    other = open_tab(browser, report, fragment="#case=crash")
    expect(other.page.get_by_role("dialog", name="crash: analyst error")).to_be_visible()
    other.page.context.close()
    tab.page.locator("#failures").get_by_role("link", name="net-revenue").click()
    expect(tab.page.get_by_role("dialog", name="net-revenue: wrong")).to_be_visible()


def test_hostile_text_is_shown_and_does_nothing(tab: Tab) -> None:
    page = tab.page
    page.get_by_label("Verdict", exact=True).select_option("wrong")
    page.get_by_role("button", name=HOSTILE_ID).click()
    dialog = page.get_by_role("dialog")
    for summary in dialog.locator("summary").all():
        summary.click()
    assert page.evaluate("window.hacked") is None
    assert dialog.locator("img, svg, script, a, b").count() == 0
    text = dialog.inner_text()
    # Question, tag, answer, gold, row, reason, definition, ... are all there to be read.
    assert text.count(HOSTILE) >= 10
    assert page.locator("script").count() == 4


def test_dark_and_light_follow_the_system_and_the_button(browser: Browser, report: Path) -> None:
    tab = open_tab(browser, report, dark=True)
    background = "getComputedStyle(document.body).backgroundColor"
    assert tab.page.evaluate(background) == "rgb(18, 22, 28)"
    tab.page.get_by_role("button", name="Switch between light and dark").click()
    assert tab.page.evaluate(background) == "rgb(246, 247, 249)"
    assert tab.complaints == []
    tab.page.context.close()


@pytest.mark.parametrize("width", [320, 390, 768])
def test_nothing_is_wider_than_a_phone(browser: Browser, report: Path, width: int) -> None:
    tab = open_tab(browser, report, width=width, fragment="#case=net-revenue")
    assert tab.page.evaluate("document.documentElement.scrollWidth") == width
    assert tab.page.evaluate("document.querySelector('dialog').scrollWidth") <= width
    assert tab.complaints == []
    tab.page.context.close()


@pytest.mark.parametrize(
    ("width", "dark", "fragment"),
    [(1280, False, ""), (1280, True, "#case=net-revenue"), (390, True, ""),
     (390, False, "#case=net-revenue")],
)  # fmt: skip
def test_axe_finds_no_fault(
    browser: Browser, report: Path, width: int, *, dark: bool, fragment: str
) -> None:
    tab = open_tab(browser, report, width=width, dark=dark, fragment=fragment)
    found = Axe().run(tab.page)
    faults = {
        fault["id"]: [node["html"] for node in fault["nodes"]]
        for fault in found.response["violations"]
    }
    assert faults == {}
    tab.page.context.close()
