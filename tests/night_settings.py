"""The settings of `quiet_settings`, with the night's work as the only regular one."""

from tests.quiet_settings import *  # noqa: F403 - the same but for one

JOBS_EVERY_MINUTE = ["replays.jobs.night.begin"]
