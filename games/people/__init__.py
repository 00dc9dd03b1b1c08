"""Visitors and their rights: persons, guests, accounts."""
