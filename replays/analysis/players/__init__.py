"""Figures of a player across matches (docs/players.md)."""
