"""Bots: tempers and levels, simulation in virtual time, rollouts from any position."""
