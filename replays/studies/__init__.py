"""Studies: chapters, questions, embargoes and files (docs/reference/studies.md)."""
