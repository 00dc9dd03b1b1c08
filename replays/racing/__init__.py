"""Races against ghosts at a table of one's own: `replays.variations.race` by the wall clock."""
