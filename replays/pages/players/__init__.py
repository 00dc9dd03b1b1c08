"""Pages of players; what is counted is in `replays.players`, ratings are in `replays.ratings`."""
