"""Notes, variations, tags and playlists: writing, finding and sharing them (docs/notes.md)."""
