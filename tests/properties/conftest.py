"""Which hypothesis profiles are there? `small` by default, `deep` by LASTCARD_SEARCH=deep."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "small",
    max_examples=25,
    stateful_step_count=60,
    deadline=None,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile(
    "deep", settings.get_profile("small"), max_examples=600, stateful_step_count=150
)
settings.load_profile(os.environ.get("LASTCARD_SEARCH", "small"))
