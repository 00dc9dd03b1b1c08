"""Notes, tags and playlists over HTTP and as pages. They are defined in `replays.notes`."""
