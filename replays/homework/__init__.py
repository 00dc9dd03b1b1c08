"""Homework: giving it, and how far pupils are."""
