"""The site: settings, URLs, and the ASGI application."""

__version__ = "1.0.0"
