"""The spectators' chat: its lines as values, and their storage."""
