"""Ratings of people, in a ledger, and the ladder of bots (docs/ratings.md)."""
