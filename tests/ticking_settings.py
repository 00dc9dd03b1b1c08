"""The site's settings with a kind of job that only waits, for `python -m tests.bench kills`."""

from tests.quiet_settings import *  # noqa: F403 - the same but for one
from tests.quiet_settings import JOB_KINDS

JOB_KINDS = {**JOB_KINDS, "tick": "tests.bench.killing.KIND"}
