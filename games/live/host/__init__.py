"""One match as a state machine without I/O, and the task that steps, commits and publishes it."""
