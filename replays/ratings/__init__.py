"""Ratings of people, in a ledger, and the ladder of bots (docs/explanation/ratings.md)."""
