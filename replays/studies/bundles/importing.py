"""Storing the content of a study file, item by item: its records, then its remarks and chapters.

All of it or nothing: no one sees any of it until the last item is stored, and all of it is deleted
if one is invalid. An item that is stored already is not stored again, so a job can begin again.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction

from games.archive.store import insert, read_record, says_the_same
from games.archive.uploads import refuse_future, refuse_open_table, refuse_unseen
from games.engine.message import message_of
from games.models import Match
from games.people.visitor import Author, Reader
from games.records.log import Header, RecordFault
from games.records.log import Note as RecordNote
from games.records.log import Variation as RecordVariation
from games.records.notation import parse_line
from games.records.parsing import line_from
from games.records.shape import legible, text, whole
from games.records.strict import Malformed
from replays.models import Note, Study, Variation
from replays.notes import notes
from replays.notes.audience import Sharing
from replays.notes.positions import Extents
from replays.studies import chapters, unfinished, writing
from replays.studies.bundles.exporting import MaySee
from replays.studies.bundles.parsing import Bundle
from replays.studies.bundles.shape import BadBundleError, blaming, record_name


def items_of(bundle: Bundle) -> list[tuple[int, int]]:
    """Everything in a file. Items refer only to earlier ones.

    A record is (record, 0), a remark of it (record, remark), and a chapter (0, chapter), from 1.
    """
    index, bodies = bundle
    items = [(at, 0) for at in range(1, len(bodies) + 1)]
    for record, remarks in enumerate(index.remarks, 1):
        items += [(record, at) for at in range(1, len(remarks) + 1)]
    return items + [(0, at) for at in range(1, len(index.chapters) + 1)]


def store(bundle: Bundle, author: Author, may_see: MaySee) -> Study:
    """Store a study that was read, all of it or nothing. Raises BadBundleError.

    `may_see`: whether the author may see a match that is stored already.
    """
    made = begin(bundle, author)
    work = Import(bundle, made, may_see)
    try:
        for item in items_of(bundle):
            work.store(*item)
    except BaseException:
        unfinished.discard(made)
        raise
    unfinished.finish(made, author)
    return made


def begin(bundle: Bundle, author: Author) -> Study:
    """An unfinished study to store a file in. Raises BadBundleError."""
    unfinished.forget_old()
    with blaming("study"):
        return unfinished.begin(author, bundle.contents.title, bundle.contents.text)


def header_in(body: bytes) -> Header | None:
    """The header of a record that is not checked yet, if it has one."""
    try:
        line = parse_line(body.split(b"\n", 1)[0], 1)
    except RecordFault:
        return None
    return line if isinstance(line, Header) else None


class Import:
    """A file that is being stored in an unfinished study."""

    def __init__(self, bundle: Bundle, study: Study, may_see: MaySee) -> None:
        self._index, self._bodies = bundle
        self._study, self._may_see = study, may_see
        self._nobody = Author(study.owner, study.by)
        self._extents = Extents()
        self._matches: dict[int, Match] = {}
        self._lines: dict[int, dict[str, Variation]] = {}
        """Each record's, by their ids in the file."""
        self._notes: dict[int, dict[str, Note]] = {}

    def store(self, record: int, at: int) -> None:
        """Store an item of `items_of`. Raises BadBundleError."""
        if not record:
            with blaming(f"chapters, {at}"):
                self._add_chapter(at)
        elif not at:
            self._matches[record] = self._match(record)
        else:
            with blaming(f"records, {record}, remarks, {at}"):
                self._add_remark(record, at)

    # --- Records -----------------------------------------------------------------------------

    def _match(self, record: int) -> Match:
        """The match of a record: the one already stored, or a new hidden one."""
        name, body = record_name(record), self._bodies[record - 1]
        try:
            _, packed = read_record(io.BytesIO(body))
            header = packed.summary.header
            refuse_future(header)
            refuse_open_table(header.id)
            refuse_unseen(header)
        except RecordFault as fault:
            raise BadBundleError(
                "{name}, line {line}: {fault}", name=name, line=fault.line, fault=message_of(fault)
            ) from None
        known = Match.objects.filter(record_id=header.id).first()
        if known is None:
            try:
                with transaction.atomic():
                    (made,) = insert([packed], Match.Origin.UPLOADED)
                    unfinished.hold_back(made, self._study)
            except IntegrityError:
                known = Match.objects.get(record_id=header.id)
            else:
                return made
        mine = self._may_see(known) or unfinished.came_with(known, self._study)
        if not mine or not says_the_same(known, packed):
            raise BadBundleError("{name}: the archive has another record with this id", name=name)
        return known

    # --- Notes and variations ----------------------------------------------------------------

    def _add_remark(self, record: int, at: int) -> None:
        said = _remark(self._index.remarks[record - 1][at - 1])
        lines = self._lines.setdefault(record, {})
        written = self._notes.setdefault(record, {})
        if said.id and (said.id in lines or said.id in written):
            raise Malformed("id: expected an id that nothing else has")
        match = self._matches[record]
        how: dict[str, Any] = {
            "key": f"{self._study.key}-{record}-{at}",
            "line": _named(lines, said.line, "line"),
            "study": self._study,
            "extents": self._extents,
        }
        if isinstance(said, RecordVariation):
            line = notes.write_variation(self._nobody, match, said, Sharing(), **how)
            if said.id:
                lines[said.id] = line
        else:
            how["reply"] = _named(written, said.reply, "reply")
            note = notes.write(self._nobody, match, said, Sharing(), **how)
            if said.id:
                written[said.id] = note

    # --- Chapters ----------------------------------------------------------------------------

    def _add_chapter(self, number: int) -> None:
        if self._study.chapters.filter(number=number).exists():
            return
        said = dict(self._index.chapters[number - 1])
        record = whole(said.pop("record", None), "record", 1, len(self._bodies))
        name = said.pop("line", None)
        line = _named(self._lines.get(record, {}), name and text(name, "line"), "line")
        match = self._matches[record]
        if "match" in said:
            raise Malformed('unknown key "match"')
        fields = {**said, "match": match.pk, **({"line": line.key} if line else {})}
        nobody = Reader([self._study.owner])
        parsed = chapters.parse(fields, nobody, lambda _: match, self._extents)
        writing.append(self._study, parsed)


def _remark(said: dict[str, Any]) -> RecordNote | RecordVariation:
    """A note or variation of a record, whose tags can be seen. Raises Malformed."""
    line = line_from(said)
    if not isinstance(line, RecordNote | RecordVariation):
        raise Malformed("expected a note or a variation")
    for tag in line.tags:
        legible(tag, "tags")
    return line


def _named(known: Mapping[str, Any], name: str | None, what: str) -> Any:
    if name is None:
        return None
    if name not in known:
        raise Malformed("{what}: nothing above has this id", what=what)
    return known[name]
