"""Reviews: going through a match together, live (docs/reference/reviews.md)."""
