"""What holds for every test: examples that are drawn are drawn the same every time."""

from hypothesis import settings

settings.register_profile("same-every-time", derandomize=True, deadline=None, database=None)
settings.load_profile("same-every-time")
