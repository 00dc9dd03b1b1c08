"""Pages and APIs for looking back: the archive, replays, and everything built on them."""
