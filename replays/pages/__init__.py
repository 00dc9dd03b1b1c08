"""Pages and APIs for looking back: the archive, replays, and everything that stands on them."""
