"""Ghost races on the site: their page, their socket, and what is kept of them."""
