"""What if: a position is played on many times, as it was and with a change, by bots that play as
its players have so far.

`playing` plays on, `knowledge` is what a seat could know, `tally` counts what came of it, `judge`
asks and decides, `words` says it. docs/explanation/judging.md says how far verdicts can be trusted.
"""
