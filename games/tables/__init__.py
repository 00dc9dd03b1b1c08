"""Before and around a match: plans, seats, the lobby, house rules."""
