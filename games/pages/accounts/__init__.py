"""Account pages for guests and users, built from Django's own parts."""
