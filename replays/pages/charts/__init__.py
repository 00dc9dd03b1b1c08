"""Charts as answers: drawn from a stored match, and kept for a while."""
