"""Reviews as pages. Their shared state is in `replays.reviews`."""
