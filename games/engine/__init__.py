"""The game itself: cards, tables, the law, and the referee. The standard library only."""
