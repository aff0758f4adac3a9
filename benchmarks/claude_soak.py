"""Ten thousand faulty replies in one run of the Claude agent, against the stand-in of the service.

    python -m benchmarks.claude_soak [REPLIES]

Prints how each ended, and what was left of tasks, objects, files and connections after each tenth.
Exits with 1 where anything grew.
"""

import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path

from tests.analysts.claude_agents import lab
from tests.analysts.claude_soak import soak, trouble


def main(replies: int) -> int:
    os.environ["NO_PROXY"] = "127.0.0.1"
    with tempfile.TemporaryDirectory() as folder, lab(Path(folder)) as shop:
        started, worked = time.perf_counter(), time.process_time()
        ends, left = asyncio.run(soak(shop, replies, rounds=10))
        took, worked = time.perf_counter() - started, time.process_time() - worked
    print(
        f"{replies:,} faulty replies in {took:.1f} s, {worked / replies * 1000:.2f} ms of CPU each"
    )
    print(", ".join(f"{end}: {count:,}" for end, count in sorted(ends.items())))
    for state in left:
        print(state)
    found = trouble(ends, left, replies)
    print("\n".join(found) or "nothing was left over")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000))
