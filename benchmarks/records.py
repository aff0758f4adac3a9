"""Listing and trend of many records, report and comparison of large ones. Asserts nothing.

    python benchmarks/records.py [RECORDS] [CASES]

Records are made of the one in fixtures/records, in a folder that is removed afterwards: 10,000 of
50 cases take 1.4 GB there, and two of 50,000 cases 0.3 GB.
"""

import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from goldsuite.comparison.summary import summarise
from goldsuite.model.run import RunRecord
from goldsuite.records.file import read_record, record_json, write_record
from goldsuite.records.seal import sealed_text

ROOT = Path(__file__).parents[1]


def main(records: int, cases: int) -> None:
    """Make both folders, and measure the commands on them."""
    with tempfile.TemporaryDirectory() as folder:
        many, large = Path(folder) / "many", Path(folder) / "large"
        _write_many(many, records)
        print(f"{records:,} records of 50 cases")
        for name, command in (
            ("listed, no index yet", ("runs", "list")),
            ("listed", ("runs", "list")),
            ("trend", ("trend",)),
        ):
            _measure(name, *command, "--runs-dir", str(many))
        for number in (1, 2):
            record = _record(number, cases)
            write_record(record, large / f"{record.run_id}.json")
        print(f"records of {cases:,} cases")
        for name in ("report", "compare"):
            _measure(name, name, "--runs-dir", str(large))


def _record(number: int, cases: int) -> RunRecord:
    """The fixture with as many cases, under other ids."""
    known = read_record(ROOT / "fixtures" / "records" / "version-1.json")
    made = tuple(
        replace(known.cases[at % len(known.cases)], id=f"case-{at}", question=f"Question {at}?")
        for at in range(cases)
    )
    begun = known.started_at + timedelta(hours=number)
    return replace(
        known,
        run_id=f"{begun:%Y%m%d-%H%M%S}-train-{number % 65536:04x}",
        started_at=begun,
        cases=made,
        aggregate=summarise(made),
    )


def _write_many(folder: Path, count: int) -> None:
    folder.mkdir()
    for number in range(count):
        record = _record(number, 50)
        # Not by `write_record`, which looks for the newest each time.
        (folder / f"{record.run_id}.json").write_text(sealed_text(record_json(record)))


def _measure(name: str, *command: str) -> None:
    started = time.perf_counter()
    script = (
        "import resource, sys; from goldsuite.cli.app import run; code = run(sys.argv[1:]); "
        "peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024; "
        "sys.stderr.write(f'{peak:.0f} MB'); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *command],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    print(f"  {name:<22}{time.perf_counter() - started:6.1f} s  {done.stderr[-9:]:>9}")


if __name__ == "__main__":
    numbers = [int(each) for each in sys.argv[1:]]
    main(*(numbers + [10_000, 50_000][len(numbers) :]))
