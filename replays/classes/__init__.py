"""Classes: who is in them, and their homework."""
