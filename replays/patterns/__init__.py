"""Searching matches for moments by a few fields (docs/reference/patterns.md)."""
