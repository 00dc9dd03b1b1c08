"""Who is winning: each seat's win probability, from what a viewer may know."""
