"""The frames of docs/reference/asyncapi.yaml, to hold real traffic against."""

import json
from functools import cache
from typing import Any

import yaml
from jsonschema import Draft202012Validator

from tests.services import ROOT


@cache
def document() -> dict[str, Any]:
    """The AsyncAPI document."""
    loaded: dict[str, Any] = yaml.safe_load((ROOT / "docs/reference/asyncapi.yaml").read_text())
    return loaded


def _at(reference: str) -> Any:
    """What a reference within the document points at."""
    node: Any = document()
    for part in reference.removeprefix("#/").split("/"):
        node = node[part]
    return node


@cache
def _messages(operation: str) -> dict[str, str]:
    """The references of an operation's messages in its channel, by type of frame."""
    messages = document()["operations"][operation]["messages"]
    return {message["$ref"].rsplit("/", 1)[1]: message["$ref"] for message in messages}


@cache
def _validator(operation: str, kind: str) -> Draft202012Validator:
    payload = f"{_at(_messages(operation)[kind])['$ref']}/payload"
    schema = {"$ref": payload, "components": document()["components"]}
    return Draft202012Validator(schema)


def said_by(operation: str) -> set[str]:
    """The types of frames of an operation, such as `say` (clients) or `hear` (the server)."""
    return set(_messages(operation))


def hold(text: str, operation: str) -> dict[str, Any]:
    """A frame from its text; fails unless it is as the document says."""
    frame: dict[str, Any] = json.loads(text)
    assert frame["type"] in said_by(operation), frame
    _validator(operation, frame["type"]).validate(frame)
    return frame
