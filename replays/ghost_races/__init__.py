"""Ghost races as tables: `replays.variations.ghost_race` by the wall clock."""
