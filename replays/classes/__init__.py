"""Classes: who is in them, and what they are an audience of."""
