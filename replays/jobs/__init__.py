"""Long work outside the web processes: jobs, their parts and their workers.

The rows (`replays.models.jobs`) have each request and its worker. The queue, Huey on SQLite,
PostgreSQL or Redis, carries one message for each part. A message that is lost with its worker or
its queue is sent again. A part may be done twice. Its result is the same.
"""
