"""Situations over all matches: counted once, summed, and read for whoever asks."""
