"""The site's settings, without the regular jobs of workers, and with one that takes its time."""

from ratuki_site.settings import *  # noqa: F403 - the same but for two
from ratuki_site.settings import JOB_KINDS

JOBS_EVERY_MINUTE = []
JOB_KINDS = {**JOB_KINDS, "tick": "tests.jobs.counting.TICKING"}
