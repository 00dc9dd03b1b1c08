"""Searching for patterns, as pages and for programs; patterns are in `replays.patterns`."""
