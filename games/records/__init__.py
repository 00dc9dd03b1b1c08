"""The log of a match as text and as columns, and its checker (docs/reference/record-format.md)."""
