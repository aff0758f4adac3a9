"""What is shown while a run goes on."""

import io
from decimal import Decimal

import pytest

from goldsuite.cli.progress import LiveDisplay, PlainDisplay, progress_display, progress_line
from goldsuite.runner.progress import Progress

START = Progress(answered=0, total=40, in_flight=1, errors=0, elapsed_s=0.0, eta_s=None)
MIDDLE = Progress(
    answered=10, total=40, in_flight=4, errors=1, elapsed_s=65.0, eta_s=195.0, retries=3,
    tokens=41_200, cost=Decimal("0.5"), eta_cost=Decimal("1.5"),
)  # fmt: skip
END = Progress(answered=40, total=40, in_flight=0, errors=2, elapsed_s=3_700.0, eta_s=0.0)


SPENT = "answered 10/40, 4 in flight, 1 error, 3 retries, 41,200 tokens, $0.5000 so far"


@pytest.mark.parametrize(
    ("progress", "later_s", "line"),
    [
        (START, 0.0, "answered 0/40, 1 in flight, 0 errors, 0:00 elapsed"),
        (MIDDLE, 0.0, f"{SPENT}, 1:05 elapsed, about 3:15 and $1.50 to go"),
        (MIDDLE, 5.0, f"{SPENT}, 1:10 elapsed, about 3:10 and $1.50 to go"),
        (END, 0.0, "answered 40/40, 2 errors, 1:01:40 elapsed"),
    ],
)
def test_the_line_tells_what_was_measured(progress: Progress, later_s: float, line: str) -> None:
    assert progress_line(progress, later_s=later_s) == line


def test_plain_lines_come_at_the_start_every_ten_seconds_and_once_at_the_end() -> None:
    out = io.StringIO()
    display = PlainDisplay(out)
    for second in range(26):
        display.progress(
            Progress(answered=second, total=25, in_flight=1, errors=0, elapsed_s=second, eta_s=None)
        )
    display.progress(Progress(answered=25, total=25, in_flight=0, errors=0, elapsed_s=25, eta_s=0))
    assert [line.split(",")[0] for line in out.getvalue().splitlines()] == [
        "answered 0/25", "answered 10/25", "answered 20/25", "answered 25/25",
    ]  # fmt: skip


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_a_live_display_unless_plain_lines_are_asked_for() -> None:
    with progress_display(Terminal()) as display:
        assert isinstance(display, LiveDisplay)
        display.progress(MIDDLE)
        display.progress(END)
        assert "answered 40/40" in display.__rich__().plain
    with progress_display(Terminal(), plain=True) as plain:
        assert isinstance(plain, PlainDisplay)
    with progress_display(io.StringIO()) as piped:
        assert isinstance(piped, PlainDisplay)
