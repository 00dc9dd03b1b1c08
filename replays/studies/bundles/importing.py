"""Storing what a study file holds, all of it or nothing."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from django.db import IntegrityError, transaction

from games.archive.store import insert, read_record, says_the_same
from games.archive.uploads import refuse_future, refuse_open_table
from games.models import Match, Upload
from games.people.person import Person, encode
from games.records.log import RecordFault
from games.records.shape import whole
from games.records.strict import Malformed
from replays.annotations import notes
from replays.annotations.access import Reader
from replays.annotations.audience import Sharing
from replays.annotations.notes import Author
from replays.annotations.positions import ExtentOf, Extents, extent_of
from replays.models import Note, Study, Variation
from replays.models.sharing import new_key
from replays.studies import chapters, writing
from replays.studies.bundles.exporting import MaySee
from replays.studies.bundles.parsing import Bundle
from replays.studies.bundles.shape import BadBundleError, blaming, mapping, record_name

_FIELDS: Final = ("round", "event", "until", "glyph", "tags", "text", "marks", "arrows", "events")


class Importer(NamedTuple):
    """Who imports a study, and what they may see; `extents`: what has been read of its matches."""

    author: Author
    person: Person
    reader: Reader
    may_see: MaySee
    extents: ExtentOf = extent_of


def store(bundle: Bundle, importer: Importer) -> Study:
    """Store a study that was read, all of it or nothing. Raises BadBundleError."""
    index, records = bundle
    importer = importer._replace(extents=Extents())
    with transaction.atomic():
        matches = [
            _match(name, body, importer)
            for name, body in ((record_name(at), body) for at, body in enumerate(records, 1))
        ]
        with blaming("study"):
            made = writing.create(importer.author, new_key(), index.title, index.text)
        lines: dict[str, Variation] = {}
        for at, (match, remarks) in enumerate(zip(matches, index.remarks, strict=True), 1):
            lines |= _add_remarks(made, match, remarks, importer, f"records, {at}")
        for at, said in enumerate(index.chapters, 1):
            with blaming(f"chapters, {at}"):
                _add_chapter(made, dict(said), matches, lines, importer)
    return made


def _match(name: str, body: bytes, importer: Importer) -> Match:
    """The match of a record: the one already stored, or a new one."""
    try:
        _, packed = read_record(io.BytesIO(body))
        header = packed.summary.header
        refuse_future(header)
        refuse_open_table(header.id)
    except RecordFault as fault:
        raise BadBundleError(f"{name}, line {fault.line}: {fault.message}") from None
    known = Match.objects.filter(record_id=header.id).first()
    if known is None:
        try:
            with transaction.atomic():
                (made,) = insert([packed], Match.Origin.UPLOADED)
                Upload.objects.create(
                    person=encode(importer.person), name=importer.author.name, bytes=0, match=made
                )
        except IntegrityError:
            known = Match.objects.get(record_id=header.id)
        else:
            return made
    if not importer.may_see(known) or not says_the_same(known, packed):
        raise BadBundleError(f"{name}: the archive has another record with this id")
    return known


def _add_remarks(
    study: Study,
    match: Match,
    remarks: Sequence[dict[str, Any]],
    importer: Importer,
    place: str,
) -> dict[str, Variation]:
    """Store a record's notes and variations; each variation by its id in the file."""
    lines: dict[str, Variation] = {}
    written: dict[str, Note] = {}
    for at, said in enumerate(remarks, 1):
        with blaming(f"{place}, remarks, {at}"):
            name, fields, line, reply = _remark(said, lines, written)
            common: dict[str, Any] = {
                "key": new_key(),
                "line": line,
                "study": study,
                "extents": importer.extents,
            }
            who = importer.author, match, fields, Sharing()
            if "variation" in said:
                lines[name] = notes.keep(*who, **common)
            else:
                written[name] = notes.write(*who, **common, reply=reply)
    return lines


def _remark(
    said: Mapping[str, Any], lines: Mapping[str, Variation], written: Mapping[str, Note]
) -> tuple[str, dict[str, Any], Variation | None, Note | None]:
    """A remark's id, fields, line and the note it answers."""
    if len(said) != 1 or not said.keys() <= {"note", "variation"}:
        raise Malformed("expected a note or a variation")
    fields = mapping(next(iter(said.values())), "remark")
    line = _named(lines, fields.get("line"), "line")
    reply = _named(written, fields.get("reply"), "reply")
    for name in fields.keys() - {*_FIELDS, "id", "line", "reply", "by", "at"}:
        raise Malformed(f"unknown key {name[:40]!r}")
    own = fields.get("id")
    if not isinstance(own, str) or own in lines or own in written:
        raise Malformed("id: expected an id that nothing else has")
    return own, {key: fields[key] for key in _FIELDS if key in fields}, line, reply


def _named(known: Mapping[str, Any], name: Any, what: str) -> Any:
    if name is None:
        return None
    if not isinstance(name, str) or name not in known:
        raise Malformed(f"{what}: nothing above has this id")
    return known[name]


def _add_chapter(
    study: Study,
    said: dict[str, Any],
    matches: Sequence[Match],
    lines: Mapping[str, Variation],
    importer: Importer,
) -> None:
    at = whole(said.pop("record", None), "record", 1, len(matches))
    line = _named(lines, said.pop("line", None), "line")
    match = matches[at - 1]
    if "quiz" in said:  # the word in older files
        said["question"] = said.pop("quiz")
    if "match" in said:
        raise Malformed('unknown key "match"')
    fields = {**said, "match": match.pk, **({"line": line.key} if line else {})}
    parsed = chapters.parse(fields, importer.reader, lambda _: match, importer.extents)
    writing.append(study, parsed)
