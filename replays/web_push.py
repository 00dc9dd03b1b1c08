"""Web Push: a message to a browser, encrypted for it alone, through its maker's push service.

A subscription's address comes from a browser, and nobody has verified it. So it is asked by https
on the usual port alone, at an address that everybody on the Internet can reach and that is looked
up once, without following where it leads, and for a few seconds.
"""

from __future__ import annotations

import re
import socket
import ssl
from base64 import b64decode, urlsafe_b64encode
from contextlib import closing, suppress
from email.utils import parseaddr
from functools import cache
from http.client import HTTPException, HTTPSConnection
from ipaddress import ip_address, ip_network
from threading import Timer
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import serialization as written
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from webpush import WebPush
from webpush.types import WebPushSubscription

TIMEOUT_S: Final = 3
LONGEST_S: Final = 6
"""For all of one message, after its address is known."""
TTL_S: Final = 12 * 3_600
"""How long a push service keeps it for a browser that is off."""
NO_ANSWER: Final = 0
MOST_ADDRESS: Final = 500
_ADDRESS: Final = re.compile(r"https://[a-z0-9.-]{1,253}(:[0-9]{1,5})?/[!-~]*")
_HTTPS: Final = 443
_UNICAST: Final = ip_network("2000::/3")
_TUNNELS: Final = (ip_network("2002::/16"), ip_network("2001::/32"))
"""6to4 and Teredo: the address of what is reached is within."""


class Subscription(NamedTuple):
    """A browser, as it describes itself."""

    endpoint: str
    p256dh: str
    auth: str


def new_key() -> str:
    """What signs a site's messages, for `PUSH_KEY`."""
    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return _text(number.to_bytes(32, "big"))


def public_key() -> str:
    """What browsers know the site by; empty: it pushes nothing."""
    if not settings.PUSH_KEY:
        return ""
    vapid = _signing(settings.PUSH_KEY).vapid
    return str(vapid.get_application_server_key(vapid.public_key))


def verify(subscription: Subscription) -> None:
    """Raise ValueError unless a message could be sent there."""
    parts = urlsplit(subscription.endpoint)
    usual = parts.port in (None, _HTTPS) or settings.PUSH_PRIVATELY
    if (
        not _ADDRESS.fullmatch(subscription.endpoint)
        or not usual
        or len(subscription.endpoint) > MOST_ADDRESS
    ):
        raise ValueError("endpoint: expected the https address of a push service")
    if len(_bytes(subscription.auth)) != 16:
        raise ValueError("auth: expected 16 bytes")
    ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _bytes(subscription.p256dh))


def push(to: Subscription, message: str) -> int:
    """Send a message; the status that the push service answers, or `NO_ANSWER`."""
    keys = {"auth": to.auth, "p256dh": to.p256dh}
    with suppress(OSError, HTTPException, ValueError):
        sealed = _signing(settings.PUSH_KEY).get(
            message, WebPushSubscription.model_validate({"endpoint": to.endpoint, "keys": keys})
        )
        headers = {name: str(value) for name, value in sealed.headers.items()}
        return _posted(to.endpoint, sealed.encrypted, {**headers, "topic": "news"})
    return NO_ANSWER


@cache
def _signing(key: str) -> WebPush:
    number = int.from_bytes(_bytes(key), "big")
    private, pem = ec.derive_private_key(number, ec.SECP256R1()), written.Encoding.PEM
    public = private.public_key()
    return WebPush(
        private.private_bytes(pem, written.PrivateFormat.PKCS8, written.NoEncryption()),
        public.public_bytes(pem, written.PublicFormat.SubjectPublicKeyInfo),
        subscriber=parseaddr(settings.DEFAULT_FROM_EMAIL)[1],
        ttl=TTL_S,
    )


def _posted(endpoint: str, body: bytes, headers: dict[str, str]) -> int:
    parts = urlsplit(endpoint)
    host, port = parts.hostname or "", parts.port or _HTTPS
    path = endpoint.removeprefix(f"https://{parts.netloc}")
    plain = socket.create_connection(_public_address(host, port), TIMEOUT_S)
    with plain, closing(HTTPSConnection(host, port)) as connection:
        connection.sock = ssl.create_default_context().wrap_socket(plain, server_hostname=host)
        late = Timer(LONGEST_S, connection.sock.shutdown, [socket.SHUT_RDWR])
        late.start()
        try:
            connection.request("POST", path, body, headers)
            return connection.getresponse().status
        finally:
            late.cancel()


def _public_address(host: str, port: int) -> tuple[str, int]:
    """Where a host is, if everybody can reach all of its addresses. Raises OSError."""
    rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [str(row[4][0]) for row in rows]
    if not all(map(_is_public, addresses)) and not settings.PUSH_PRIVATELY:
        raise OSError("that host is not on the Internet")
    return addresses[0], port


def _is_public(address: str) -> bool:
    parsed = ip_address(address)
    tunnel = any(parsed in network for network in _TUNNELS)
    reached = parsed.version == 4 or (parsed in _UNICAST and not tunnel)
    return parsed.is_global and not parsed.is_multicast and reached


def _bytes(text: str) -> bytes:
    return b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True)


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()
