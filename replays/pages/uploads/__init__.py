"""Uploading records, and what is said of those that are refused."""
