"""Who is asking, and what they may do: persons, visitors, guests, accounts, rights."""
