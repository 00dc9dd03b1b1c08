"""Studies: their pages, and their API (docs/studies.md)."""
