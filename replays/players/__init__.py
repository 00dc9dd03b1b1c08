"""Players across matches: what is stored of each seat, and what is read from it."""
