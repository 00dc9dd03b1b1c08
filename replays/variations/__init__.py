"""What might have happened: branches of a log, made by hand, by bots, or against ghosts.

A branch is a log too. Everything made here is judged by the same referee and consists of valid
events of a record's variation, so the checker accepts it.
"""
