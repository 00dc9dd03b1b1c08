"""Uploading records, and the errors of refused ones."""
