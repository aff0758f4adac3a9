"""`anthropic:MODEL` analysts: an agent of ours on the `anthropic` SDK.

`options` is light; `source` loads the SDK (over a second), so it is imported where a run needs it.
"""
