"""The baseline analyst: what a plain lookup in dictionary and catalog scores, with no model.

`source` holds the public `BaselineSource`; every other module is one rule table or one noun of it.
"""

from goldsuite.analysts.baseline.source import BaselineSource

__all__ = ["BaselineSource"]
