"""The API's description: complete, and true of what is answered."""

import gzip
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import jsonschema
import pytest
import schemathesis
from django.contrib.auth import get_user_model
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from django.test import Client
from django.urls import get_resolver
from hypothesis import HealthCheck, Phase, settings
from jsonschema.exceptions import best_match
from schemathesis.checks import CHECKS

from games.models import Account
from games.people import tokens
from ratuki_site.api import description
from replays.stored import reports
from tests.addresses import names
from tests.notes.browsers import guest, post
from tests.notes.making import fresh
from tests.people.programs import program
from tests.studies.making import chapter, study
from tests.web.records import store

pytestmark = pytest.mark.django_db
get_resolver().url_patterns  # noqa: B018 - the addresses are known from here on
DESCRIBED: dict[str, Any] = json.loads(description())
PROBLEM = "application/problem+json"


def verify(method: str, template: str, response: Any) -> None:
    """The description allows the answer."""
    responses = DESCRIBED["paths"][f"/api/v1{template}"][method.lower()]["responses"]
    status = str(response.status_code)
    told = responses.get(status) or responses[f"{status[0]}XX"]
    kind = response["Content-Type"].partition(";")[0]
    schema = {**told["content"][kind]["schema"], "components": DESCRIBED["components"]}
    body = response.content
    if response.get("Content-Encoding") == "gzip":
        body = gzip.decompress(body)
    wrong = best_match(jsonschema.Draft202012Validator(schema).iter_errors(json.loads(body)))
    assert wrong is None, f"{method} {template}: {wrong.json_path}: {wrong.message[:200]}"


def test_every_address_of_the_api_is_described() -> None:
    every = {name for name in names(get_resolver().url_patterns) if name.startswith("api:")}
    operations = [operation for path in DESCRIBED["paths"].values() for operation in path.values()]
    ids = [operation["operationId"] for operation in operations]
    assert len(set(ids)) == len(ids)
    assert len(DESCRIBED["paths"]) == len(every - {"api:openapi", "api:nothing"})
    assert all(
        operation["summary"] and {"4XX", "503"} <= operation["responses"].keys()
        for operation in operations
    )
    assert not [path for path in DESCRIBED["paths"] if path.endswith("/")]


def test_what_is_answered_is_as_described() -> None:
    kim, match = guest("Kim"), store("Ada", "Bo")
    lesson = study(kim)
    made = chapter(kim, lesson, match)
    said = {"key": fresh(), "round": 1, "event": 3, "text": "Look.", "marks": ["stack:0"]}
    note = post(kim, f"/api/v1/matches/{match.pk}/notes", **said)
    verify("POST", "/matches/{pk}/notes", note)
    played = post(kim, f"/api/v1/matches/{match.pk}/what-if", round=1, event=3, bots={"ms": 2_000})
    verify("POST", "/matches/{pk}/what-if", played)
    opened = post(Client(), "/api/v1/tables", name="Dee")
    verify("POST", "/tables", opened)
    filled = {"pk": match.pk, "number": made.number, "key": lesson.key, "name": "scores"}
    filled["table_id"] = opened.json()["id"]
    asked = {
        "/notes/{key}": {"key": note.json()["key"]},
        "/notes/{key}/history": {"key": note.json()["key"]},
        "/matches/{pk}/analysis/{number}": {"number": 1},
        "/players/{name}/figures": {"name": "Ada"},
        "/players/{name}/matches": {"name": "Ada"},
    }
    reports.make(match)
    counts = {200: 0, 404: 0}
    for path, operations in DESCRIBED["paths"].items():
        template = path.removeprefix("/api/v1")
        if "get" in operations and template != "/stream":  # which never ends
            query = {"match": match.pk} if template == "/tags/matrix" else {}
            address = path.format(**{**filled, **asked.get(template, {})})
            response = kim.get(address, query)
            assert response.status_code in {200, 202, 404}, address
            verify("GET", template, response)
            counts[404 if response.status_code == 404 else 200] += 1
    assert counts[200] > 2 * counts[404], counts


def test_a_refusal_is_a_problem_whoever_refuses() -> None:
    match, kim = store("Ada", "Bo"), guest("Kim")
    child, strict = Client(), Client(enforce_csrf_checks=True)
    user = get_user_model().objects.create_user("calm-otter-1")
    Account.objects.create(user=user, name=user.username, skeleton="x", supervised=True)
    child.force_login(user)
    body = {"key": fresh(), "round": 1, "event": 0, "text": "x"}
    for response, status, words in (
        (kim.get("/api/nowhere"), 404, ""),
        (kim.get("/api/v1/nothing"), 404, ""),
        (kim.get("/api/v1/tables/"), 404, ""),
        (kim.get("/api/v1/tables%0A7"), 404, ""),
        (kim.get("/api/v1/matches%0A"), 404, ""),
        (kim.get("/api/v1/tables", headers={"Host": "elsewhere.example"}), 400, ""),
        (kim.delete(f"/api/v1/matches/{match.pk}/log"), 405, ""),
        (kim.get(f"/api/v1/matches/{match.pk}/log?from=x"), 422, ""),
        (post(child, "/api/v1/patterns"), 403, "this account may do this only inside its class"),
        (post(strict, f"/api/v1/matches/{match.pk}/notes", **body), 403, ""),
    ):
        told = response.json()
        assert (response.status_code, response["Content-Type"]) == (status, PROBLEM)
        assert (told["status"], bool(told["detail"])) == (status, True)
        assert words in told["detail"]
        assert response["Cache-Control"] == "no-store"
    renewed = {"X-CSRFToken": told["csrf"]}
    notes = f"/api/v1/matches/{match.pk}/notes"
    again = strict.post(notes, body, content_type="application/json", headers=renewed)
    assert again.status_code == 201
    assert kim.get(f"/api/v1/matches/{match.pk}/log?from=x").json()["field"] == "from"
    assert post(Client(), "/api/v1/tables", name="A", seats=9).json()["field"] == "seats"


schema = schemathesis.openapi.from_dict(DESCRIBED)
schema.app = get_wsgi_application()
schema.config.generation.update(max_examples=4)
KEPT = ("not_a_server_error", "status_code_conformance", "content_type_conformance")
CHECKED = [CHECKS.get_one(name) for name in (*KEPT, "response_schema_conformance")]


@contextmanager
def kept_open() -> Iterator[None]:
    """Requests close no connection, as those of Django's test client do."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@schema.parametrize()
@settings(
    max_examples=4,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_whatever_the_description_allows_gets_an_answer_that_it_describes(case: Any) -> None:
    with kept_open():
        case.call_and_validate(checks=CHECKED, headers={"Host": "testserver"})


def test_every_operation_says_what_it_needs() -> None:
    """Without a session an operation refuses exactly if its description names no other way."""
    stranger, wrong = Client(enforce_csrf_checks=True), []
    for template, operations in DESCRIBED["paths"].items():
        for method, operation in operations.items():
            address = re.sub(r"\{\w+\}", "7", template)
            ask = getattr(stranger, method)
            response = ask(address) if method == "get" else ask(address, b"{}", "application/json")
            refused = response.status_code in (401, 403)
            if refused == ({} in operation["security"]):
                wrong.append(f"{method} {template}: {response.status_code}")
            if refused:
                assert response["Content-Type"] == PROBLEM
                assert "session" in response.json()["detail"]
    assert wrong == []


def test_every_operation_says_which_scope_a_token_needs() -> None:
    """With any other scope an operation refuses; with one of its own it asks for nothing else."""
    kim, wrong = get_user_model().objects.create_user("Kim"), []
    for template, operations in DESCRIBED["paths"].items():
        for method, operation in operations.items():
            scopes = [scope for way in operation["security"] for scope in way.get("token", ())]
            address = re.sub(r"\{\w+\}", "7", template)
            for held in (*scopes, " ".join(tokens.SCOPES.keys() - set(scopes))):
                script = program(kim, *held.split())
                response = script.generic(method.upper(), address, "{}", "application/json")
                words = f"this needs a token with the scope {' or '.join(scopes)}"
                refused = response.status_code == 403 and response.json()["detail"] == words
                if response.status_code == 401 or refused == (held in scopes):
                    wrong.append(f"{method} {template} with {held}: {response.status_code}")
    assert wrong == []
