"""A push service on this machine, and a browser that can read what comes through it."""

from __future__ import annotations

import ssl
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Event, Thread

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

CURVE = ec.SECP256R1()
HOST = "localhost"


def text(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


class BrowserKeys:
    """A browser's keys; it reads messages as RFC 8188 and RFC 8291 say."""

    def __init__(self) -> None:
        self._private = ec.generate_private_key(CURVE)
        self._auth = b"sixteen bytes..!"
        point = self._private.public_key()
        self._public = point.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def subscription(self, endpoint: str) -> dict[str, str]:
        """What it tells the site."""
        keys = {"p256dh": text(self._public), "auth": text(self._auth)}
        return {"endpoint": endpoint, "zone": "UTC", **keys}

    def read(self, body: bytes) -> str:
        """The message in a body."""
        salt, length = body[:16], body[20]
        sender, sealed = body[21 : 21 + length], body[21 + length :]
        shared = self._private.exchange(
            ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, sender)
        )
        info = b"WebPush: info\0" + self._public + sender
        secret = HKDF(SHA256(), 32, self._auth, info).derive(shared)
        key = HKDF(SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(secret)
        nonce = HKDF(SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(secret)
        return AESGCM(key).decrypt(nonce, sealed, None).rstrip(b"\2").decode()


class PushService:
    """What has come, by path; `status`: what is answered; `dripping`: a letter now and then."""

    def __init__(self, port: int) -> None:
        self.status = 201
        self.dripping = False
        self.stopped = Event()
        self.came: list[tuple[str, dict[str, str], bytes]] = []
        self.url = f"https://{HOST}:{port}"


@contextmanager
def push_service(folder: Path) -> Iterator[tuple[PushService, Path]]:
    """A push service, and the certificate by which it is trusted."""
    certificate, key = _certificate(folder)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            service.came.append((self.path, dict(self.headers), body))
            with suppress(OSError):
                while service.dripping and not service.stopped.wait(0.05):
                    self.wfile.write(b"H")
                self._answer()

        def _answer(self) -> None:
            self.send_response(service.status)
            self.send_header("Location", "https://localhost/elsewhere")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Nothing."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    service = PushService(server.server_port)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield service, certificate
    finally:
        service.stopped.set()
        server.shutdown()
        thread.join()
        server.server_close()


def _certificate(folder: Path) -> tuple[Path, Path]:
    key = ec.generate_private_key(CURVE)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, HOST)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, SHA256())
    )
    paths = folder / "certificate.pem", folder / "key.pem"
    paths[0].write_bytes(made.public_bytes(Encoding.PEM))
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    paths[1].write_bytes(secret)
    return paths
