"""Reviews as pages; what their members share is in `replays.reviews`."""
