"""The run file: written once, read for ever."""
