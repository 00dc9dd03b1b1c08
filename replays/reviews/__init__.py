"""Reviews: going through a match together, live (docs/reviews.md)."""
