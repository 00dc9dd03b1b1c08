"""Long work outside the web processes: jobs, their parts and the workers that do them.

What is to be done is in the database (`replays.models.jobs`); the queue, Huey on SQLite,
PostgreSQL or Redis, only carries "there is work". A worker that hears it takes a part under a
lease, does steps of it for about a second, saves after each where it is, and passes the word on.
So a lost message, a killed worker or a lost Redis costs at most one step.
"""
