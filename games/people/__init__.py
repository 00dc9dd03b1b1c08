"""Visitors and what they may do: persons, guests, accounts, rights."""
