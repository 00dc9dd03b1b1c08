"""The site's settings, without the regular jobs that workers would also do."""

from ratuki_site.settings import *  # noqa: F403 - the same but for one

JOBS_EVERY_MINUTE = []
