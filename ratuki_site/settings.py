"""Settings. Whatever differs between installations comes from the environment.

docs/reference/hosting.md lists what that is.

SITE_ORIGINS decides most: if all origins are https, everything that production requires is on.
The default is the demo on this machine, still with DEBUG off.
"""

import os
from pathlib import Path

from csp.constants import NONE, SELF
from django.contrib.messages import constants as message_levels

from ratuki_site import __version__
from ratuki_site.environment import (
    channel_layers,
    counting_caches,
    database,
    flag,
    host_of,
    job_queue,
    release_name,
    secret_key,
    time_of_day,
    var_folder,
    words,
)

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = var_folder(BASE_DIR / "var")

# --- Where the site lives -------------------------------------------------------------

PORT = os.environ.get("PORT", "8000")
BIND = os.environ.get("BIND", "127.0.0.1")
SITE_ORIGINS = words("SITE_ORIGINS", f"http://127.0.0.1:{PORT},http://localhost:{PORT}")
HTTPS = all(origin.startswith("https://") for origin in SITE_ORIGINS)
DEBUG = flag("DEBUG")
# One file of data has one folder, so all its processes find the same key there.
SECRET_KEY = secret_key(VAR_DIR, required=HTTPS and "DATABASE_URL" in os.environ)
ALLOWED_HOSTS = words("ALLOWED_HOSTS") or sorted({host_of(origin) for origin in SITE_ORIGINS})
CSRF_TRUSTED_ORIGINS = SITE_ORIGINS
MAX_BODY_BYTES = 16 * 2**20

# --- Parts ----------------------------------------------------------------------------

INSTALLED_APPS = [
    # Only for `runserver`: the app imports its whole server, which would slow down every command.
    *(["daphne"] if DEBUG else []),
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "axes",
    "csp",
    "channels",
    "simple_history",
    "games",
    "replays",
]
MIDDLEWARE = [
    "ratuki_site.layers.HeadersMiddleware",
    "ratuki_site.layers.CompressMiddleware",
    "games.people.languages.LanguageMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "games.people.visit.DoorMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "ratuki_site.status_pages.MethodPageMiddleware",
    "ratuki_site.rate_limits.RateLimitMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "axes.middleware.AxesMiddleware",
    "replays.pages.retries.FormsMiddleware",
]
ROOT_URLCONF = "ratuki_site.urls"
ASGI_APPLICATION = "ratuki_site.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "games.pages.playing.own_table",
                "games.people.door.for_templates",
                "replays.pages.classes.homework.homework_due",
                "replays.pages.news.views.bell",
                "replays.pages.studies.daily.today",
            ],
            "builtins": ["games.pages.times"],
        },
    }
]

# --- Data -----------------------------------------------------------------------------

DATABASES = {"default": database(VAR_DIR)}
CHANNEL_LAYERS = channel_layers()
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
CACHES = {
    "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
    **counting_caches(),
}
JOB_QUEUE = job_queue(VAR_DIR)
WRITTEN_OUT_DIR = Path(os.environ.get("WRITTEN_OUT_DIR", VAR_DIR / "written-out"))

# For servers and workers: with the defaults, pauses of the cyclic collector dominate tail latency,
# and rollouts cost half as much again.
GARBAGE_THRESHOLDS = (200_000, 50, 1_000)
JOB_KINDS = {
    "clip": "replays.stored.clips.KIND",
    "judge": "replays.stored.judging.KIND",
    "occurrences": "replays.patterns.searching.OCCURRENCES",
    "pattern": "replays.patterns.searching.KIND",
    "players": "replays.ratings.ledger.KIND",
    "report": "replays.stored.reports.KIND",
    "reports again": "replays.stored.reports.AGAIN",
}
# Every night at this time (UTC) a worker starts tidying and a backup; the first time at once.
NIGHTLY_AT = time_of_day("NIGHTLY_AT", "03:30")
BACKUP_DAYS = int(os.environ.get("BACKUP_DAYS", "14"))
JOBS_EVERY_MINUTE = [
    "replays.jobs.starting.tidy",
    "replays.stored.clips.forget_old",
    "replays.ratings.ledger.look_round",
    "replays.patterns.searching.look_round",
    "replays.stored.judging.look_round",
    "replays.homework.progress.look_round",
    "replays.studies.daily.run_due",
    "replays.studies.copying.forget_old",
    "replays.pages.classes.children.forget_deleted",
    "replays.pages.news.mail.run_due",
    "replays.jobs.night.begin",
    "replays.news.tell_followers",
]
KEEPERS = ["replays.handover"]
CLASSES = "replays.classes.membership"
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 2**20
FILE_UPLOAD_MAX_MEMORY_SIZE = 2 * 2**20

# --- People ---------------------------------------------------------------------------

PASSWORD_HASHERS = [
    "games.people.log_ins.Hasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
_VALIDATORS = (
    "UserAttributeSimilarityValidator",
    "MinimumLengthValidator",
    "CommonPasswordValidator",
    "NumericPasswordValidator",
)
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"} for name in _VALIDATORS
]
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
LOGIN_URL = "accounts:log_in"
LOGIN_REDIRECT_URL = "accounts:profile"
LOGOUT_REDIRECT_URL = "games:home"
# Ten wrong passwords for a name from one address lock that pair for an hour.
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = 1
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_LOCKOUT_CALLABLE = "ratuki_site.rate_limits.locked"
AXES_CLIENT_IP_CALLABLE = "games.people.addresses.for_log_ins"
AXES_RESET_ON_SUCCESS = True
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_HANDLER = "games.people.passwords.FailedLogIns"
AXES_VERBOSE = False
# What only computes: nothing is kept of it, and it may be asked for twice.
COMPUTE_ONLY = frozenset(("api:analysis", "api:decisions", "api:what_if", "api:try", "api:receipt"))
# What a token needs the scope `play` for (games.people.tokens).
PLAY_OPERATIONS = frozenset(
    (
        *("POST api:tables", "POST api:join", "POST api:leave", "GET api:stream"),
        *("POST api:accept", "POST api:decline"),
    )
)
# A bot's token needs `play` for these. A person's can't have it: `read` or `write` will do.
CHALLENGE_OPERATIONS = frozenset(("GET api:challenges", "POST api:challenges"))
# What pages of other origins may read: as strangers, since browsers send no cookies to `*`.
OPEN_TO_ORIGINS = frozenset(
    (
        *("api:openapi", "api:tables", "api:table", "api:log", "api:matches"),
        *("api:analysis", "api:player_matches", "api:charts", "api:chart", "api:player_figures"),
        "replays:oembed",
    )
)
# Forms of pages that make something: sent twice, each is done once (replays.pages.retries).
FORMS_ONCE = frozenset(
    (
        *("games:new", "games:quick", "replays:my_classes", "replays:my_studies"),
        *("replays:start_review", "replays:start_study_review"),
        *("replays:new_children", "replays:new_codes", "replays:change_child"),
        *("replays:new_homework", "replays:seat_class", "replays:send_drill"),
        *("replays:patterns", "accounts:programs"),
    )
)
# What a child's account that a coach has made may change (games.people.visit): its homework, and
# private matches against bots.
SUPERVISED_MAY = frozenset(
    (
        *("accounts:log_in", "accounts:log_out", "accounts:browsers", "accounts:language"),
        "faults",
        *("games:quick", "games:guided", "games:new", "games:sit", "games:fill", "games:stand_up"),
        *("replays:chapter_start", "api:chapter_answer", "api:chapter_opened"),
        *("replays:practice", "replays:practise_playlist", "replays:release_match"),
        "replays:spoilers",
        "api:read_news",
        *COMPUTE_ONLY,
    )
)
# What visitors without an account may always ask for, besides the pages of accounts and the admin.
STRANGERS_MAY = frozenset(
    (
        *(
            "games:home",
            "games:players_guide",
            "games:rules",
            "games:fair_play",
            "robots",
            "faults",
            "too_large",
        ),
        *("favicon", "touch_icon"),
        *("replays:join_class", "replays:stop_news", "replays:spoilers", "api:openapi"),
    )
)
# Where guests play: open to them too where watching is for members (games.people.door).
GUESTS_PLAY = frozenset(
    (
        *("games:lobby", "games:rename", "games:quick", "games:guided", "games:new", "games:join"),
        *("games:table", "games:sit", "games:stand_up", "games:fill", "games:new_link"),
        *("api:name", "api:tables", "api:table", "api:join", "api:leave"),
    )
)
# Pages on which a visitor plays at once.
PLAYED_BY_READING = frozenset(("replays:ghost_race",))
# How many POSTs to a view an account or a guest may make within how many seconds.
POST_LIMITS = {
    "faults": (30, 600),
    "accounts:sign_up": (300, 3_600),
    "accounts:reset": (10, 3_600),
    "accounts:log_in": (1_000, 3_600),
    "accounts:password": (20, 3_600),
    "accounts:delete": (10, 3_600),
    "accounts:programs": (20, 3_600),
    "accounts:name": (10, 86_400),
    "accounts:address": (10, 3_600),
    "games:rename": (30, 600),
    "games:quick": (30, 600),
    "games:new": (30, 600),
    "games:join": (60, 600),
    "api:tables": (30, 600),
    "api:join": (120, 600),
    # Under the 20 that a bot has open for a minute each: no address can fill them all the time.
    "api:challenges": (15, 60),
    "replays:upload": (30, 600),
    "replays:complaint": (60, 3_600),
    "api:analysis": (60, 3_600),
    "replays:patterns": (120, 3_600),
    "api:receipt": (60, 600),
    "api:what_if": (120, 60),
    "api:clips": (120, 60),
    "api:try": (120, 60),
    "replays:start_review": (120, 600),
    "replays:start_study_review": (120, 600),
    "api:keep_review": (120, 600),
    "replays:practice": (120, 600),
    "api:study_copy": (20, 3_600),
    "replays:my_classes": (30, 3_600),
    "replays:enter_class": (60, 3_600),
    "replays:new_children": (30, 3_600),
    "replays:new_codes": (30, 3_600),
    "replays:change_homework": (60, 3_600),
    "": (600, 600),
}
# How many forms with that status in response an address may send: accounts made, wrong passwords. A
# school behind one address logs in as often as it likes, and misspells.
OUTCOME_LIMITS = {"accounts:sign_up": (302, 30, 3_600), "accounts:log_in": (200, 100, 3_600)}
# What is costly to read: a PNG takes a tenth of a second, a record of 4 MiB as long, exporting a
# study up to some seconds.
GET_LIMITS = {
    "replays:picture": (120, 60),
    "replays:chart_png": (120, 60),
    "replays:chart_svg": (240, 60),
    "replays:record": (120, 60),
    "replays:class_csv": (30, 600),
    "replays:sheet_csv": (30, 600),
    "replays:rivals": (120, 60),
    "replays:story": (120, 60),
    "api:matches": (120, 60),
    "api:player_matches": (120, 60),
    "api:charts": (240, 60),
    "api:chart": (240, 60),
    "api:round_analysis": (240, 60),
    "api:notes": (240, 60),
    "api:chapter_notes": (240, 60),
}
# How often as much an address may ask, where a class may be behind it. Once, where a new guest
# would begin a new count, or for programs, which are no persons. Three times, where an answer costs
# much CPU.
ADDRESS_TIMES = {
    "": 10,
    "accounts:sign_up": 1,
    "accounts:reset": 1,
    "accounts:log_in": 1,
    "accounts:delete": 1,
    "api:study_copy": 3,
    "replays:patterns": 3,
    "api:analysis": 3,
    "api:what_if": 3,
    "api:clips": 3,
    "api:try": 3,
    "replays:upload": 3,
    "api:tables": 1,
    "api:join": 1,
    "api:challenges": 1,
    "replays:picture": 1,
    "replays:chart_png": 1,
    "replays:rivals": 3,
    "replays:record": 3,
    "api:matches": 3,
    "api:player_matches": 3,
    "api:receipt": 3,
}
POST_LIMITS_AS = {
    "games:challenge": "api:challenges",
    "admin:login": "accounts:log_in",
    "api:name": "games:rename",
    "api:patterns": "replays:patterns",
}
# How many log-in attempts a name allows from anywhere: slow for distributed guessing, and out of
# reach for typing errors.
LOG_IN_LIMIT_BY_NAME = (60, 3_600)
# Bytes of records that each account, each guest, everyone at an address, all guests there and all
# guests together may upload per day.
UPLOAD_BYTES_A_DAY = {
    "account": 64 * 2**20,
    "guest": 12 * 2**20,
    "address": 192 * 2**20,
    "address_guests": 48 * 2**20,
    "guests": 256 * 2**20,
}
# What waits in this process for clients that don't read (ratuki_site.unread): how long a connection
# may take nothing, and how many bytes may wait for one address.
UNREAD_SECONDS = float(os.environ.get("UNREAD_SECONDS", "30"))
UNREAD_BYTES = int(os.environ.get("UNREAD_MIB", "32")) * 2**20
# How many tables may be open at a time, and how many of those that one address has opened.
LIVE_TABLES = int(os.environ.get("LIVE_TABLES", "500"))
LIVE_TABLES_PER_ADDRESS = int(os.environ.get("LIVE_TABLES_PER_ADDRESS", "60"))
# The same of programs that do not send PROGRAM_TOKEN as their bearer token.
LIVE_PROGRAM_TABLES_PER_ADDRESS = int(os.environ.get("LIVE_PROGRAM_TABLES_PER_ADDRESS", "10"))
PROGRAM_TOKEN = os.environ.get("PROGRAM_TOKEN", "")
TIME_ZONE = "UTC"
USE_TZ = True
MESSAGE_TAGS = {message_levels.DEBUG: "info", message_levels.ERROR: "bad"}

# --- Languages ------------------------------------------------------------------------

# English is in the code. Each other language has a catalogue (docs/how-to/translate.md).
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("de", "Deutsch")]
LOCALE_PATHS = [BASE_DIR / "locale"]
LANGUAGE_COOKIE_NAME = "language"
LANGUAGE_COOKIE_AGE = 365 * 86_400
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = HTTPS

# --- Mail: for forgotten passwords, and news to who asks for it ------------------------

EMAIL_HOST = os.environ.get("EMAIL_HOST", "")
EMAIL_PORT = int(os.environ.get("EMAIL_PORT", "587"))
EMAIL_HOST_USER = os.environ.get("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = os.environ.get("EMAIL_HOST_PASSWORD", "")
EMAIL_TIMEOUT = 20
EMAIL_USE_TLS = flag("EMAIL_USE_TLS", default=True)
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'filebased'}.EmailBackend"
EMAIL_FILE_PATH = VAR_DIR / "mail"
DEFAULT_FROM_EMAIL = os.environ.get("MAIL_FROM", "Ratuki <ratuki@localhost>")

# --- Static files ---------------------------------------------------------------------

# The last two affect what is served too.
STATIC_SOURCES = [
    BASE_DIR / at
    for at in (
        *("games/static", "replays/static", "docs/players", "templates"),
        "ratuki_site/bundling.py",
    )
]
STATICFILES_DIRS = [("guide", BASE_DIR / "docs" / "players")]
RELEASE = os.environ.get("RELEASE") or release_name(__version__, STATIC_SOURCES)
STATIC_HOME = VAR_DIR / "static"
STATIC_ROOT = STATIC_HOME / RELEASE
STATIC_URL = f"/static/{RELEASE}/"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "ratuki_site.bundling.JoiningStorage"},
}

# --- Safety ---------------------------------------------------------------------------

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:", "blob:"],
        # Older browsers do not count the site's own WebSockets as 'self'.
        "connect-src": [SELF, *(origin.replace("http", "ws", 1) for origin in SITE_ORIGINS)],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "ratuki_site.status_pages.out_of_date"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 365 * 86_400 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
SECURE_HSTS_PRELOAD = HTTPS and os.environ.get("HSTS_PRELOAD") == "1"
SILENCED_SYSTEM_CHECKS = ["security.W021"]  # preloading is for the site's owner to decide
if flag("TRUST_PROXY"):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# --- Monitoring -----------------------------------------------------------------------

METRICS_TOKEN = os.environ.get("METRICS_TOKEN", "")

# --- Log ------------------------------------------------------------------------------

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "filters": {"expected": {"()": "ratuki_site.logs.ExpectedFilter"}},
    "handlers": {
        "stderr": {"class": "logging.StreamHandler", "formatter": "plain", "filters": ["expected"]}
    },
    "root": {"handlers": ["stderr"], "level": os.environ.get("LOG_LEVEL", "INFO")},
    "loggers": {
        "django": {"handlers": [], "level": "INFO", "propagate": True},
        "django.server": {"handlers": [], "level": "INFO", "propagate": True},
        "huey": {"handlers": [], "level": "WARNING", "propagate": True},
        "daphne": {"handlers": [], "level": "WARNING", "propagate": True},
    },
}
