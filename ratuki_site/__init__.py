"""The site: settings, URLs, and the ASGI application."""

__version__ = "0.1.0"
