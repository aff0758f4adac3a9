"""One headless Chromium for a module; what a page asks for or complains of is kept."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

CHROMIUM = Path("/usr/bin/chromium")
_ARGUMENTS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip


@dataclass(kw_only=True, slots=True)
class Tab:
    """One page, with all that it asked for and complained of."""

    page: Page
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if not CHROMIUM.exists() and not os.environ.get("CI"):
        pytest.skip(reason=f"{CHROMIUM} is not installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=_ARGUMENTS)
        yield browser
        browser.close()


def open_tab(
    browser: Browser, file: Path, *, width: int = 1280, dark: bool = False, fragment: str = ""
) -> Tab:
    """A fresh page that shows `file`."""
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme="dark" if dark else "light"
    )
    context.set_default_timeout(10_000)
    tab = Tab(page=context.new_page())
    context.on("request", lambda request: tab.requests.append(request.url))
    tab.page.on("console", lambda said: tab.complaints.append(f"{said.type}: {said.text}"))
    tab.page.on("pageerror", lambda error: tab.complaints.append(str(error)))
    tab.page.goto(f"{file.as_uri()}{fragment}")
    return tab
