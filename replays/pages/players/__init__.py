"""Pages of players. Counts are in `replays.players`, ratings in `replays.ratings`."""
