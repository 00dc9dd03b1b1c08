"""Between processes: who hosts which match, and how news and requests travel."""
