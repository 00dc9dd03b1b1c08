"""What operators of the site are shown, and who counts as one."""

from __future__ import annotations

import http.client
import re
from collections.abc import Iterator

import pytest
from prometheus_client.parser import text_string_to_metric_families

from ratuki_site.health import from_here, has_token
from tests.services import Postgres, Site

TOKEN = "a-token-of-this-test"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with Site(tmp_path_factory.mktemp("var"), {"METRICS_TOKEN": TOKEN}) as site:
        site.migrate()
        yield site.start()


def get(site: Site, path: str, method: str = "GET", **headers: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=60)
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, headers=names)
    response = connection.getresponse()
    body = response.read().decode()
    connection.close()
    return response.status, body


def test_a_running_process_is_live_and_ready(site: Site) -> None:
    assert get(site, "/health/live") == (200, "alive\n")
    assert get(site, "/health/ready") == (200, "ready\n")
    assert get(site, "/health/ready", "HEAD") == (200, "")
    assert get(site, "/health/ready", "POST")[0] == 405


def test_health_is_told_whatever_the_host_is_called(site: Site) -> None:
    assert get(site, "/health/ready", Host="10.0.0.7:8001")[0] == 200
    assert get(site, "/", Host="10.0.0.7:8001")[0] == 400


def test_health_is_not_redirected_to_https(tmp_path) -> None:
    secret = {"SECRET_KEY": "0123456789abcdefghijklmnopqrstuvwxyz" * 2}
    with Site(tmp_path, {"SITE_ORIGINS": "https://ratuki.example", **secret}) as site:
        site.migrate()
        site.start()
        assert get(site, "/health/live")[0] == 200
        assert get(site, "/health/ready")[0] == 200
        assert get(site, "/", Host="ratuki.example")[0] == 301


@pytest.mark.postgres
def test_without_its_database_a_process_is_live_and_not_ready(postgres: Postgres, tmp_path) -> None:
    with Site(tmp_path, {"DATABASE_URL": postgres.url()}) as site:
        site.migrate()
        site.start()
        assert get(site, "/health/ready")[0] == 200
        postgres.stop("immediate")
        try:
            assert get(site, "/health/ready") == (503, "no database\n")
            assert get(site, "/health/live")[0] == 200
        finally:
            postgres.start()


def test_metrics_are_told_here_and_by_token(site: Site) -> None:
    status, text = get(site, "/metrics")
    assert status == 200
    families = {family.name: family for family in text_string_to_metric_families(text)}
    assert {
        "ratuki_live_matches",
        "ratuki_sockets",
        "ratuki_lines",
        "ratuki_commit_seconds",
        "ratuki_players_seconds",
        "ratuki_spectators_seconds",
        "ratuki_resyncs",
        "ratuki_refused",
        "process_resident_memory_bytes",
    } <= families.keys()
    assert {name: families[name].samples[0].value for name in families if "_job_" in name} == {
        "ratuki_job_oldest_waiting_seconds": 0,
        "ratuki_job_workers": 0,
    }
    assert get(site, "/metrics", X_Forwarded_For="192.0.2.7")[0] == 403
    behind = {"X_Forwarded_For": "127.0.0.1"}
    assert get(site, "/metrics", **behind)[0] == 403
    assert get(site, "/metrics", **behind, Authorization=f"Bearer {TOKEN}")[0] == 200
    assert get(site, "/metrics", **behind, Authorization=f"Bearer {TOKEN}x")[0] == 403


def test_no_name_of_a_person_or_match_is_a_metric(site: Site) -> None:
    labels = set(re.findall(r"(\w+)=\"", get(site, "/metrics")[1]))
    assert labels <= {"le", "kind", "phase", "rule", "code", "generation", "state"} | {
        "implementation", "major", "minor", "patchlevel", "version",
    }  # fmt: skip


def test_only_the_machine_itself_needs_no_token() -> None:
    assert from_here({"client": ("127.0.0.1", 5), "headers": []})
    assert from_here({"client": ("::1", 5), "headers": []})
    assert not from_here({"client": ("192.0.2.7", 5), "headers": []})
    assert not from_here({"client": None, "headers": []})
    assert not from_here({"client": ("127.0.0.1", 5), "headers": [(b"forwarded", b"for=_x")]})


def test_no_token_opens_nothing() -> None:
    sent = {"headers": [(b"authorization", b"Bearer ")]}
    assert not has_token(sent, "")
