"""What might have happened: branches of a log, made by hand, by bots, or against ghosts.

A branch is a log too. Whatever is made here is judged by the one referee and is exactly the
events of a record's variation, so the checker finds nothing to say against it.
"""
