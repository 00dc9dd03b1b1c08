"""Ghost races as live tables: `replays.variations.ghost_race` driven by the wall clock."""
