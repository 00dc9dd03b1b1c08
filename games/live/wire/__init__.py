"""WebSockets: what clients say, parsed strictly, and how connections begin and end."""
