"""Hosting a match while it is played, for all followers (docs/explanation/live.md)."""
