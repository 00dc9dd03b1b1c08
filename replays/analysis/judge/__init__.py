"""What if: bots continue a position many times, unchanged and with a change.

The bots play as its players have so far. `playing` continues it, `knowledge` is what a seat could
know, `tally` counts the results, `judge` asks and decides, `words` puts it into words.
docs/explanation/judging.md says how far verdicts can be trusted.
"""
