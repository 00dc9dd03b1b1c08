"""No deadline: a shared machine may stop for a while in any example."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

settings.register_profile("records", deadline=None, suppress_health_check=[HealthCheck.too_slow])
if "HYPOTHESIS_PROFILE" not in os.environ:
    settings.load_profile("records")
