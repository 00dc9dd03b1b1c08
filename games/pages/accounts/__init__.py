"""People: guests, who need nothing, and accounts, made of Django's own parts."""
