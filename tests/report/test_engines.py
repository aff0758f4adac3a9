"""Several analysts side by side."""

from dataclasses import replace

from goldsuite.report.engines import engines_table
from tests.sample_run import sample_record


def test_each_analyst_has_a_line_and_what_was_not_measured_is_a_dash() -> None:
    record = sample_record()
    unknown = replace(record.aggregate, total_cost=None, avg_latency_ms=None)
    other = replace(record, analyst="command:a|b", model="m", aggregate=unknown)
    assert engines_table([record, other]).splitlines() == [
        "analyst          accuracy       95 %  passed  errors  latency     cost  $/correct",
        "baseline           33.3 %  6 to 79 %     1/3       1   100 ms  $0.5000          –",
        "command:a|b (m)    33.3 %  6 to 79 %     1/3       1        –        –          –",
    ]
    assert engines_table([other], markdown=True).splitlines() == [
        "| analyst | accuracy | 95 % | passed | errors | latency | cost | $/correct |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
        "| command:a\\|b (m) | 33.3 % | 6 to 79 % | 1/3 | 1 | – | – | – |",
    ]
