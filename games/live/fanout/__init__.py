"""The followers of one process, and what each is sent."""
