"""How long hypothesis looks: `pytest tests/engine --hypothesis-profile=long` for a long look.

From the root, where pytest reads this file too late for the option, say
`HYPOTHESIS_PROFILE=long pytest`.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "quick", max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "long", max_examples=4_000, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))
