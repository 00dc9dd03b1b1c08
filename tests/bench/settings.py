"""The site's settings, without the regular jobs that would take turns with what is measured."""

from ratuki_site.settings import *  # noqa: F403 - the same but for one

JOBS_EVERY_MINUTE: list[str] = []
