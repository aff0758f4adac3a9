"""Whether the SQL that an analyst names is what it really ran, by the log of our door."""

from typing import Literal, TypeAlias

from goldsuite.model.answer import Reply
from goldsuite.sqltext.canonical import normal_form

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
    ran = [query.sql.strip() for query in reply.queries if query.error is None]
    if claimed in ran:
        return "ran"
    wanted = normal_form(claimed, dialect).text
    return "ran" if any(normal_form(sql, dialect).text == wanted for sql in ran) else "not_run"
