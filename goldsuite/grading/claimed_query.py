"""Whether the SQL that an analyst names is what it really ran, by the log of our door."""

from typing import Literal, TypeAlias

from goldsuite.grading.logged import runs_of
from goldsuite.model.answer import Reply

__all__ = ["NOT_RUN", "Claim", "check_claim"]

Claim: TypeAlias = Literal["ran", "not_run"]

NOT_RUN = "query_not_run"
"""The flag of a trial whose claim is `not_run`."""


def check_claim(reply: Reply, dialect: str) -> Claim | None:
    """Look the query that `reply` names up among those that ran; None where there is no log.

    None also where no query is named. Only the writing may differ, as in
    `goldsuite.sqltext.canonical`; a statement that was refused or failed gave the analyst nothing,
    so that it counts as not run.
    """
    claimed = (reply.query or "").strip()
    if reply.queries is None or not claimed:
        return None
    ran = [query for query in reply.queries if query.error is None]
    return "ran" if runs_of(claimed, ran, dialect) else "not_run"
