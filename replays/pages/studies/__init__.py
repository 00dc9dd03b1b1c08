"""Studies: their pages, and their API (docs/reference/studies.md)."""
