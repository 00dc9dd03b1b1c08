"""Read settings from the environment, and create a secret if none is given."""

import fcntl
import hashlib
import os
import secrets
from collections.abc import Iterable
from datetime import time
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any
from urllib.parse import quote, urlsplit

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

SQLITE_OPTIONS = {
    # Make writers queue from their first statement instead of failing at a later one.
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    # NORMAL: a killed process loses nothing. A power cut may cost the last commits.
    "init_command": (
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; "
        "PRAGMA cache_size=-32000; PRAGMA mmap_size=268435456; PRAGMA temp_store=MEMORY;"
    ),
}


POSTGRES_OPTIONS = {
    # A request waiting for a connection fails soon and is retried. Connection attempts stop before
    # their pauses grow long, so a recovered server is found at once.
    "pool": {"min_size": 2, "max_size": 16, "timeout": 3, "reconnect_timeout": 1},
    "connect_timeout": 3,
    "tcp_user_timeout": 5_000,
    # A process that freezes during a commit must not keep others from taking over. To compile a
    # page's query, or to share it out, takes longer than to run it.
    "options": "-c idle_in_transaction_session_timeout=5s -c jit=off"
    " -c max_parallel_workers_per_gather=0",
}


_ADVICE = (
    "The folder for this site's data, {}, cannot be used: {}.\n"
    "Make it writable for the user who runs this, or set RATUKI_VAR to another folder."
)


def flag(name: str, default: bool = False) -> bool:
    """Whether the variable `name` means yes: 1, true, yes or on."""
    value = os.environ.get(name, "")
    return value.strip().lower() in {"1", "true", "yes", "on"} if value else default


def words(name: str, default: str = "") -> list[str]:
    """The variable `name` as a list, split at commas."""
    return [word.strip() for word in os.environ.get(name, default).split(",") if word.strip()]


def time_of_day(name: str, default: str) -> time | None:
    """The variable `name` as a time such as 03:30. None if it is set to nothing."""
    text = os.environ.get(name, default)
    try:
        return time.fromisoformat(text) if text else None
    except ValueError:
        message = f"{name}: expected a time such as {default}, found {text!r}"
        raise ImproperlyConfigured(message) from None


def host_of(origin: str) -> str:
    """The host name of an origin such as ``https://example.org:8443``."""
    return urlsplit(origin).hostname or ""


def var_folder(usual: Path) -> Path:
    """The folder for generated files, at RATUKI_VAR or `usual`. Ends the program without one."""
    folder = Path(os.environ.get("RATUKI_VAR", usual))
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not os.environ.get("DATABASE_URL"):
            TemporaryFile(dir=folder).close()
    except OSError as error:
        raise SystemExit(_ADVICE.format(folder, error.strerror)) from None
    return folder


def database(folder: Path) -> dict[str, Any]:
    """The database in DATABASE_URL. Without it, an SQLite file in `folder`."""
    url = os.environ.get("DATABASE_URL") or f"sqlite:///{quote(str(folder / 'ratuki.sqlite3'))}"
    config: dict[str, Any] = dict(dj_database_url.parse(url, conn_max_age=0))
    engine = config["ENGINE"].rsplit(".", 1)[-1]
    options = config.setdefault("OPTIONS", {})
    if engine == "sqlite3":
        options.update(SQLITE_OPTIONS)
        keep_private(Path(config["NAME"]))
        # A file, as in production: threads of an in-memory database lock each other out. One per
        # process, so that test runs can overlap.
        config["TEST"] = {"NAME": str(folder / f"test-{os.getpid()}.sqlite3")}
    elif engine == "postgresql":
        config["CONN_HEALTH_CHECKS"] = True
        options.update(POSTGRES_OPTIONS)
    return config


def keep_private(path: Path) -> None:
    """Make a database file private. SQLite gives its companion files the same mode."""
    if path.is_absolute() and path.parent.is_dir():
        os.close(os.open(path, os.O_CREAT | os.O_RDONLY, 0o600))
        if path.stat().st_uid == os.geteuid():
            path.chmod(0o600)


def channel_layers() -> dict[str, Any]:
    """Redis at REDIS_URL as the doorbell between processes. Without it, a single process."""
    url = os.environ.get("REDIS_URL")
    if not url:
        return {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    backend = "channels_redis.pubsub.RedisPubSubChannelLayer"
    return {"default": {"BACKEND": backend, "CONFIG": {"hosts": [url]}}}


def counting_caches() -> dict[str, Any]:
    """`rate_limits`: counted across processes, in Redis. `local_rate_limits`: in this one.

    Without Redis, both are in this process.
    """
    options = {"MAX_ENTRIES": 100_000}
    backend = "django.core.cache.backends.locmem.LocMemCache"
    local = {"BACKEND": backend, "LOCATION": "rate_limits", "OPTIONS": options}
    url = os.environ.get("REDIS_URL")
    if not url:
        return {"rate_limits": local, "local_rate_limits": local}
    backend = "django.core.cache.backends.redis.RedisCache"
    patience = {"socket_timeout": 1, "socket_connect_timeout": 1}
    shared = {"BACKEND": backend, "LOCATION": url, "KEY_PREFIX": "rate_limits", "OPTIONS": patience}
    return {"rate_limits": shared, "local_rate_limits": local}


def job_queue(folder: Path) -> dict[str, Any]:
    """Where jobs are queued: Redis at REDIS_URL, else PostgreSQL, else an SQLite file."""
    if redis := os.environ.get("REDIS_URL"):
        patience = "socket_connect_timeout=2&socket_timeout=5"
        url = f"{redis}{'&' if '?' in redis else '?'}{patience}"
        return {"storage": "huey.storage.PriorityRedisStorage", "url": url}
    url = os.environ.get("DATABASE_URL", "")
    if url.startswith("postgres"):
        return {"storage": "huey.storage.PostgresStorage", "dsn": url}
    path = folder / "jobs.sqlite3"
    keep_private(path)
    # A message that a power cut loses is sent again.
    return {"storage": "huey.storage.SqliteStorage", "filename": str(path), "fsync": False}


def secret_key(folder: Path, required: bool) -> str:
    """SECRET_KEY. If unset and not `required`, one generated once and kept in `folder`."""
    given = os.environ.get("SECRET_KEY")
    if given:
        return given
    if required:
        raise ImproperlyConfigured("SECRET_KEY must be set where the site is served by https")
    path = folder / "secret_key"
    key = path.read_text().strip() if path.exists() else ""
    if not key:
        # Several processes may begin at once: the first one to have the lock writes.
        with os.fdopen(os.open(path, os.O_CREAT | os.O_RDWR, 0o600), "r+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            key = file.read().strip() or secrets.token_urlsafe(64)
            file.seek(0)
            file.write(key)
    return key


def release_name(version: str, sources: Iterable[Path]) -> str:
    """`version` and a short hash over every file in `sources`, such as ``0.1.0-3f9a11c2``.

    Static files are served under this name, so a page never loads a module of another release, and
    a browser may keep each file for ever. `sources`: folders and files.
    """
    digest = hashlib.sha256()
    for source in sources:
        for path in [source] if source.is_file() else sorted(source.rglob("*")):
            if path.is_file():
                digest.update(path.relative_to(source.parent).as_posix().encode())
                digest.update(hashlib.sha256(path.read_bytes()).digest())
    return f"{version}-{digest.hexdigest()[:8]}"
