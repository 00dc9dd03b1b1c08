"""Situations: a stack as a seat finds it when a card is laid on it, and what becomes of it."""
