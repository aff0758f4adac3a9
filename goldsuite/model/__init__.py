"""Frozen dataclasses that travel between the parts; standard library only.

Nothing is re-exported here: importing a question must never import the key.
"""
