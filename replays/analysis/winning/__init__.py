"""Each seat's win probability, from the viewer's knowledge."""
