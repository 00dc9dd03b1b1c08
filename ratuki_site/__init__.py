"""The site: settings, URLs, and the ASGI application."""

__version__ = "2.1.0"
