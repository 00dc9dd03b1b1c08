"""The page of news, its settings, and the daily email."""
