"""Suites that other tools keep, read as candidates for a gold file."""
