"""Figures of a player across matches (docs/reference/player-figures.md)."""
