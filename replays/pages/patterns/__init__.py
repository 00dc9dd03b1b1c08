"""Searching for patterns, as pages and for programs. Patterns are in `replays.patterns`."""
