"""Storing and finding matches: finished ones, and the log of one that grows."""
