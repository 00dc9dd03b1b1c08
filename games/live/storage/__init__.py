"""Everything that live play reads from and writes to the database."""
