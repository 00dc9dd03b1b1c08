"""Studies: chapters, questions and the embargo on their matches, files (docs/studies.md)."""
