"""Notes, variations, tags and playlists (docs/reference/notes.md)."""
