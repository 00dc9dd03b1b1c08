"""Hosting a match while it is played, and sending it to everyone who follows (docs/live.md)."""
