"""A trend as JSON: every figure as a number, what was not measured as null."""

import json
from dataclasses import asdict

from goldsuite.comparison.trend import Trend

__all__ = ["trend_json"]


def trend_json(trend: Trend) -> str:
    """Two-space JSON with all runs, oldest first."""
    points = [
        asdict(point) | {"started_at": point.started_at.isoformat()} for point in trend.points
    ]
    plain = {
        "suite": trend.suite,
        "split": trend.split,
        "metric": trend.metric,
        "tag": trend.tag,
        "left_out": {"partial": trend.partial, "altered": trend.altered},
        "runs": points,
    }
    return json.dumps(plain, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
