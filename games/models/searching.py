"""The look-up `says`: a text contains another, whatever the case, in every script.

Django's `icontains` compares ASCII letters alone without case on SQLite, and on PostgreSQL those
that the database's locale knows.
"""

import json
import unicodedata
from typing import Any

from django.db.backends.signals import connection_created
from django.db.models import CharField, JSONField, Lookup, TextField


class Says(Lookup):
    """Whether a text, or the texts of a JSON value, contain another."""

    lookup_name = "says"
    prepare_rhs = False

    def as_sqlite(self, compiler: Any, connection: Any) -> tuple[str, list[Any]]:
        sql, params = self.process_lhs(compiler, connection)
        written = "RATUKI_JSON" if isinstance(self.lhs.output_field, JSONField) else "RATUKI_FOLD"
        return f"INSTR({written}({sql}), RATUKI_FOLD(%s)) > 0", [*params, self.rhs]

    def as_postgresql(self, compiler: Any, connection: Any) -> tuple[str, list[Any]]:
        sql, params = self.process_lhs(compiler, connection)
        folded = 'LOWER(NORMALIZE({}::text, NFC) COLLATE "und-x-icu")'
        places = f"STRPOS({folded.format(sql)}, {folded.format('%s')}) > 0"
        return places, [*params, self.rhs]


def _fold(text: str | None) -> str | None:
    return unicodedata.normalize("NFC", text.casefold()) if text else text


def _json(text: str | None) -> str | None:
    return _fold(json.dumps(json.loads(text), ensure_ascii=False)) if text else text


def _teach_sqlite(connection: Any, **_: Any) -> None:
    if connection.vendor == "sqlite":
        for name, function in (("RATUKI_FOLD", _fold), ("RATUKI_JSON", _json)):
            connection.connection.create_function(name, 1, function, deterministic=True)


def register() -> None:
    """Let every field of texts be searched so."""
    for field in (CharField, JSONField, TextField):
        field.register_lookup(Says)
    connection_created.connect(_teach_sqlite)
