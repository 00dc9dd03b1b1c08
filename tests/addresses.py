"""The names of all addresses of the site."""

from collections.abc import Iterator, Sequence

from django.urls import URLPattern, URLResolver


def names(patterns: Sequence[URLPattern | URLResolver], prefix: str = "") -> Iterator[str]:
    """The names of all addresses below these."""
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            inner = f"{prefix}{pattern.namespace}:" if pattern.namespace else prefix
            yield from names(pattern.url_patterns, inner)
        else:
            yield f"{prefix}{pattern.name}"
