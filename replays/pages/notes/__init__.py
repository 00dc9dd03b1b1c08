"""Notes, tags and playlists over HTTP and as pages; what they are is in `replays.notes`."""
