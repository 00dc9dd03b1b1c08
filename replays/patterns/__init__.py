"""Patterns: a small language for moments across matches (docs/patterns.md), and searching them."""
