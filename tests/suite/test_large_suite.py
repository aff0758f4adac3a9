"""A suite of many cases stays usable; no time is asserted, the suite's own limit would show it."""

from goldsuite.suite.checked import query_faults, read_checked
from tests.suite.conftest import Write

CASES = 20_000


def test_twenty_thousand_cases_are_read_and_checked(write: Write) -> None:
    cases = [
        f"  - id: case-{n}\n"
        f'    question: "How many orders came from region {n}?"\n'
        f"    split: {'test' if n % 3 == 0 else 'train'}\n"
        f'    gold_sql: "select count(*) from orders where region = {n}"\n'
        f"    gold_value: {n}.5\n"
        for n in range(CASES)
    ]
    # The last repeats the first question: after line 1, the second line of the last five.
    cases[-1] = cases[-1].replace(f"region {CASES - 1}?", "region 0?")
    checked = read_checked(write("cases:\n" + "".join(cases)), shown="gold.yaml")
    assert len(checked.entries) == CASES
    assert query_faults(checked, "duckdb") == ()
    assert [fault.line for fault in checked.faults] == [5 * (CASES - 1) + 3]
