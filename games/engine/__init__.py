"""The game itself: cards, table, rules and referee. Standard library only."""
