"""Classes: their members, and the things shared with them."""
