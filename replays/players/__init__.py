"""Players across matches: the stored data of each seat, and its figures."""
