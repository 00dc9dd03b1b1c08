"""The chat of a room: its lines as values, and their storage."""
