"""Searching for patterns, as pages and for programs; what a pattern is is in `replays.patterns`."""
