"""Homework: giving it, how far pupils are, and their weeks."""
