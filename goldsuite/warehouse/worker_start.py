"""Where a worker process begins: `python -I -S worker_start.py REQUESTS CONTROL`.

Both arguments are descriptors. Which file to open and where the packages lie comes over the first,
so that neither the arguments nor the environment of the process tell anything.
"""

import json
import sys
from multiprocessing.connection import Connection
from typing import Any


def main() -> None:
    """Read the first message, find goldsuite, and serve until the pipe ends."""
    requests: Connection[Any, Any] = Connection(int(sys.argv[1]))
    order = json.loads(requests.recv_bytes())
    sys.path[:] = order.pop("sys_path")
    # Only now is the package within reach.
    from goldsuite.warehouse.worker import serve

    serve(requests, int(sys.argv[2]), order)


if __name__ == "__main__":
    main()
