"""Where a request comes from: the one definition of "address" for log-ins, limits and sockets.

Behind our own proxy (`TRUST_PROXY`) the client's address is the last entry, which that proxy added
to X-Forwarded-For. Anything before it is only the client's claim. One household has all of the
first 64 bits of an IPv6 address, so limits count those together (`network`).
"""

from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

UNKNOWN: Final = "unknown"
"""The shared key for requests whose address cannot be read."""


def address_of(request: HttpRequest) -> str:
    """The client's address, as given."""
    return _last_hop(request.headers.get("X-Forwarded-For", ""), request.META.get("REMOTE_ADDR"))


def address_of_scope(scope: dict[str, Any]) -> str:
    said = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
    forwarded = said[-1].decode("latin-1") if said else ""
    return _last_hop(forwarded, (scope.get("client") or ("",))[0])


def _last_hop(forwarded: str, peer: str | None) -> str:
    trusted = forwarded if settings.SECURE_PROXY_SSL_HEADER else ""
    return trusted.rpartition(",")[2].strip() or peer or ""


def network(address: str) -> str:
    """What limits count as one: an IPv4 address, or the first 64 bits of an IPv6 one."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return UNKNOWN
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return str(IPv6Network((int(parsed), 64), strict=False).network_address)


def network_hash(origin: str) -> str:
    """A network as it is stored for counting: a hash, so the database has no addresses."""
    return salted_hmac("games.people.addresses", origin, algorithm="sha256").hexdigest()


def for_log_ins(request: HttpRequest) -> str | None:
    """The network for the log-in log, whose column must be an address. None: unknown."""
    origin = network(address_of(request))
    return None if origin == UNKNOWN else origin
