"""`python -m deploy.client_frames`: write the clients' frames into docs/reference/asyncapi.yaml.

Each message there is a frame's class: its docstring, and its JSON schema.
"""

from pathlib import Path
from typing import Any, Final

import yaml
from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from games.live.host.client_frames import FRAMES
from replays.reviews.client_frames import REVIEW_FRAMES

ASYNCAPI: Final = Path(__file__).parent.parent / "docs" / "reference" / "asyncapi.yaml"
_BEGIN: Final = "    # Clients' frames, written by `python -m deploy.client_frames`\n"
_END: Final = "    # End of the clients' frames\n"


class _WithoutNull(GenerateJsonSchema):
    """None stands for an absent field. No frame has a null."""

    def nullable_schema(self, schema: Any) -> dict[str, Any]:
        return self.generate_inner(schema["schema"])


def written(document: str) -> str:
    """The document with the frames as they are now."""
    before, _, rest = document.partition(_BEGIN)
    _, _, after = rest.partition(_END)
    text = yaml.safe_dump(messages(), sort_keys=False, width=120, default_flow_style=None)
    lines = (f"    {line}" for line in text.splitlines(keepends=True))
    return f"{before}{_BEGIN}{''.join(lines)}{_END}{after}"


def messages() -> dict[str, Any]:
    """The AsyncAPI messages of all frames, by name. A review's of the same type have a prefix."""
    match, review = _by_type(FRAMES), _by_type(REVIEW_FRAMES)
    own = {
        f"review_{name}" if name in match else name: message
        for name, message in review.items()
        if match.get(name) != message
    }
    return {**match, **own}


def _by_type(frames: TypeAdapter[Any]) -> dict[str, Any]:
    schema = frames.json_schema(schema_generator=_WithoutNull)
    definitions = schema["$defs"]
    return {
        name: _message(target, definitions)
        for name, target in schema["discriminator"]["mapping"].items()
    }


def _message(target: str | dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    if isinstance(target, str):
        payload = _payload(definitions[target.rpartition("/")[2]])
    else:
        parts = [definitions[part["$ref"].rpartition("/")[2]] for part in target["oneOf"]]
        payload = {"description": target["description"], "oneOf": list(map(_payload, parts))}
    summary, _, rest = payload.pop("description").partition("\n\n")
    about = {"description": " ".join(rest.split())} if rest else {}
    return {"summary": " ".join(summary.split()), **about, "payload": payload}


def _payload(schema: dict[str, Any]) -> dict[str, Any]:
    """A class's schema without names and defaults. Fields with one possible value are required."""
    fields = {
        name: {key: part for key, part in field.items() if key not in ("title", "default")}
        for name, field in schema["properties"].items()
    }
    fixed = [name for name in ("type", "do") if name in fields]
    for name in fixed:
        del fields[name]["type"]
    rest = {key: value for key, value in schema.items() if key not in ("title", "properties")}
    return {
        **rest,
        "required": [*fixed, *schema.get("required", ())],
        "properties": {name: fields[name] for name in [*fixed, *fields]},
    }


if __name__ == "__main__":
    ASYNCAPI.write_text(written(ASYNCAPI.read_text()))
