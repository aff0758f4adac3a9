"""What the record keeps of a context: which metrics it defined, and hashes to compare it by."""

import hashlib
import json
from dataclasses import asdict
from pathlib import Path

from goldsuite.context.dictionary import Metric, MetricDictionary
from goldsuite.context.resolve import ResolvedContext
from goldsuite.errors import ContextError
from goldsuite.model.context_state import ContextState


def is_defined(metric: Metric) -> bool:
    """True if the dictionary says what `metric` means, in SQL or in words."""
    return metric.sql is not None or metric.description is not None


def context_state(context: ResolvedContext, dictionary: MetricDictionary) -> ContextState:
    """The state of `context`, whose dictionary is `dictionary`.

    The definitions' hash changes with any of them, and with nothing else: neither with their
    order, nor with comments, nor with the layout of the files.

    Raises:
        ContextError: a file cannot be read.
    """
    defined = sorted(filter(is_defined, dictionary.metrics), key=lambda metric: metric.name)
    return ContextState(
        dataset=context.dataset,
        source=context.source,
        commit=context.git.commit if context.git is not None else None,
        metrics=tuple(metric.name for metric in defined),
        count=len(defined),
        sha256=_hash_of([asdict(metric) for metric in defined]),
        files_sha256=_hash_of([[file.name, hash_of_file(file.path)] for file in context.files]),
    )


def hash_of_file(path: Path) -> str:
    """SHA-256 of a file's content, in hexadecimal.

    Raises:
        ContextError: the file cannot be read.
    """
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ContextError(f"{path}: cannot be read ({error.strerror}).") from error


def _hash_of(value: object) -> str:
    # ASCII: a file's name may hold bytes that are no UTF-8.
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode("ascii")).hexdigest()
