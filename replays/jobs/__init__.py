"""Long work outside the web processes: jobs, their parts and the workers that do them.

The rows (`replays.models.jobs`) say what is asked for and who has it; the queue, Huey on SQLite,
PostgreSQL or Redis, carries one message for each part. A message that is lost with its worker or
its queue is sent again. A part may be done twice; its result is the same.
"""
