"""Writing a study file."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from games.archive.store import record_of
from games.models import Match
from games.records.notation import write_line
from replays.models import Chapter, Note, Study
from replays.notes.access import by_its_writers
from replays.notes.positions import Unfit
from replays.notes.record_lines import as_records
from replays.studies.bundles.shape import (
    INDEX,
    MAX_ALL,
    MAX_INDEX,
    MAX_RECORD,
    MAX_RECORDS,
    MAX_REMARKS,
    VERSION,
    record_name,
)

_NO_DATE: Final = (1980, 1, 1, 0, 0, 0)
_CHAPTER: Final = ("title", "group", "text", "round", "event", "until", "view", "speed", "question")
MaySee = Callable[[Match], bool]


def pack(study: Study, may_see: MaySee) -> bytes:
    """The study as a file, with the chapters on matches that may be seen. Raises Unfit."""
    rows = list(study.chapters.select_related("match", "line").order_by("place", "number"))
    rows = [row for row in rows if row.match.over and may_see(row.match)]
    matches = list({row.match_id: row.match for row in rows}.values())
    if len(matches) > MAX_RECORDS:
        raise Unfit(
            "at most {most} matches fit into a file, the study has {count}",
            most=MAX_RECORDS,
            count=len(matches),
        )
    names: dict[str, str] = {}
    records = [
        {"file": record_name(at), "remarks": _remarks(study, match, names)}
        for at, match in enumerate(matches, 1)
    ]
    if len(names) > MAX_REMARKS:
        raise Unfit(
            "at most {most} notes fit into a file, the study has {count}",
            most=MAX_REMARKS,
            count=len(names),
        )
    numbers = {match.pk: at for at, match in enumerate(matches, 1)}
    chapters = [_chapter(row, numbers, names) for row in rows]
    index = {
        "ratuki_study": VERSION,
        "title": study.shown_title,
        "text": study.shown_text,
        "records": records,
        "chapters": chapters,
    }
    said = json.dumps(index, ensure_ascii=False, indent=1).encode()
    files = {
        record_name(at): "".join(record_of(match)).encode() for at, match in enumerate(matches, 1)
    }
    if len(said) > MAX_INDEX:
        raise Unfit(
            "its words, notes and variations are more than {most} KiB", most=MAX_INDEX // 2**10
        )
    sizes = [len(body) for body in files.values()]
    if max(sizes, default=0) > MAX_RECORD or len(said) + sum(sizes) > MAX_ALL:
        raise Unfit("its matches are too long")
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, body in {INDEX: said, **files}.items():
            packed.writestr(zipfile.ZipInfo(name, _NO_DATE), body, zipfile.ZIP_DEFLATED, 6)
    return out.getvalue()


def _remarks(study: Study, match: Match, names: dict[str, str]) -> list[Any]:
    """A study's notes and variations on a match, with short ids, added to `names`.

    Importers sign all of them, so there are no replies of readers among them.
    """
    shown = {"match": match, "deleted": None, "hidden": False}
    lines = study.variations.filter(**shown).select_related("line").order_by("depth", "pk")
    notes = study.notes.filter(by_its_writers(study), **shown)
    written = notes.select_related("line", "reply").order_by("pk")
    remarks: list[Any] = []
    for item, said in _with_lines([*lines, *written]):
        names[item.key] = f"{'n' if isinstance(item, Note) else 'v'}{len(names) + 1}"
        kind = "note" if isinstance(item, Note) else "variation"
        said[kind]["id"] = names[item.key]
        for name in ("line", "reply"):
            if name in said[kind]:
                said[kind][name] = names.get(said[kind][name], said[kind][name])
        remarks.append(said)
    known = set(names.values())
    return [remark for remark in remarks if _refers_to(remark) <= known]


def _with_lines(items: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
    for item in items:
        yield item, json.loads(write_line(as_records([item])[0]))


def _refers_to(said: Mapping[str, Mapping[str, Any]]) -> set[str]:
    (fields,) = said.values()
    return {fields[name] for name in ("line", "reply") if name in fields}


def _chapter(row: Chapter, numbers: Mapping[int, int], names: Mapping[str, str]) -> dict[str, Any]:
    fields = {name: getattr(row, name) for name in _CHAPTER}
    fields["title"] = row.shown_title
    fields["record"] = numbers[row.match_id]
    if row.line is not None:
        fields["line"] = names.get(row.line.key)
    return {name: value for name, value in fields.items() if value not in (None, "")}
