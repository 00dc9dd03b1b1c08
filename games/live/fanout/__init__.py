"""The followers of one process, and their frames."""
