"""Pages and the API for playing and watching."""
