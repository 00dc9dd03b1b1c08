"""Storing what a study file holds, item by item: its records, then its remarks and chapters.

All of it or nothing: nobody sees any of it until the last item is stored, and all of it is deleted
if one is invalid. An item that was stored already is not stored again, so that a job can go on
where a worker has died.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from django.db import IntegrityError, transaction

from games.archive.store import insert, read_record, says_the_same
from games.archive.uploads import refuse_future, refuse_open_table, refuse_unseen
from games.models import Match
from games.people.visitor import Author, Reader
from games.records.log import Header, RecordFault
from games.records.notation import parse_line
from games.records.shape import identifier, whole
from games.records.strict import Malformed
from replays.models import Note, Study, Variation
from replays.notes import notes
from replays.notes.audience import Sharing
from replays.notes.positions import Extents
from replays.studies import chapters, unfinished, writing
from replays.studies.bundles.exporting import MaySee
from replays.studies.bundles.parsing import Bundle
from replays.studies.bundles.shape import (
    BadBundleError,
    blaming,
    events_before,
    mapping,
    record_name,
)

_FIELDS: Final = frozenset(
    ("round", "event", "until", "by", "at", "glyph", "tags", "text", "marks", "arrows", "events")
)
_STORE_US: Final = 3_000
"""CPU time to store a remark or chapter, to check a line of a record, and to replay an event."""
CHECK_US: Final = 70
_REPLAY_US: Final = 3


class Item(NamedTuple):
    """A record (`at` 0), a remark of that record, or (`record` 0) a chapter; from 1."""

    record: int
    at: int
    us: int
    """About how much CPU time it takes."""


def items_of(bundle: Bundle) -> list[Item]:
    """Everything in a file, in an order in which nothing refers to what comes later."""
    index, bodies = bundle
    items = [Item(at, 0, CHECK_US * body.count(b"\n")) for at, body in enumerate(bodies, 1)]
    for record, remarks in enumerate(index.remarks, 1):
        items += [
            Item(record, at, _us(remark.get("variation"))) for at, remark in enumerate(remarks, 1)
        ]
    for at, said in enumerate(index.chapters, 1):
        asks = said.get("question") or said.get("quiz")
        items.append(Item(0, at, _us(said if asks else None)))
    return items


def _us(replayed: Any) -> int:
    """To store something for which a match is replayed up to a place, if there is one."""
    return _STORE_US + _REPLAY_US * events_before(replayed)


def store(bundle: Bundle, author: Author, may_see: MaySee) -> Study:
    """Store a study that was read, all of it or nothing. Raises BadBundleError.

    `may_see`: whether the author may see a match that is stored already.
    """
    made = begin(bundle, author)
    work = Import(bundle, made, may_see)
    try:
        for item in work.items:
            work.store(item)
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
        self.items = items_of(bundle)
        self._index, self._bodies = bundle
        self._study, self._may_see = study, may_see
        self._nobody = Author(study.owner, study.by)
        self._extents = Extents()
        self._matches: dict[int, Match] = {}
        self._lines: dict[int, dict[str, Variation]] = {}
        """Of each record, by their ids in the file."""
        self._notes: dict[int, dict[str, Note]] = {}

    def skip(self, count: int) -> None:
        """Go on after so many items that are stored already."""
        kept: dict[str, Any] = {}
        for kind in (Note, Variation):
            kept |= {row.key: row for row in kind._default_manager.filter(study=self._study)}
        for item in self.items[:count]:
            if item.record and item.at:
                self._remember(item, kept[self._key(item)])
            elif item.record:
                header = header_in(self._bodies[item.record - 1])
                self._matches[item.record] = Match.objects.get(record_id=header and header.id)

    def store(self, item: Item, tell: Callable[[], object] | None = None) -> None:
        """Store an item; `tell` is called at each line of a record. Raises BadBundleError."""
        if not item.record:
            with blaming(f"chapters, {item.at}"):
                self._add_chapter(item.at)
        elif not item.at:
            self._matches[item.record] = self._match(item.record, tell)
        else:
            with blaming(f"records, {item.record}, remarks, {item.at}"):
                self._remember(item, self._add_remark(item))

    # --- Records -----------------------------------------------------------------------------

    def _match(self, record: int, tell: Callable[[], object] | None) -> Match:
        """The match of a record: the one already stored, or a new one that nobody sees yet."""
        name, body = record_name(record), self._bodies[record - 1]
        try:
            _, packed = read_record(io.BytesIO(body), tell)
            header = packed.summary.header
            refuse_future(header)
            refuse_open_table(header.id)
            refuse_unseen(header)
        except RecordFault as fault:
            raise BadBundleError(f"{name}, line {fault.line}: {fault.message}") from None
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
            raise BadBundleError(f"{name}: the archive has another record with this id")
        return known

    # --- Notes and variations ----------------------------------------------------------------

    def _key(self, item: Item) -> str:
        """A remark's key, the same whenever it is stored."""
        return f"{self._study.key}-{item.record}-{item.at}"

    def _said(self, item: Item) -> dict[str, Any]:
        return self._index.remarks[item.record - 1][item.at - 1]

    def _remember(self, item: Item, made: Note | Variation) -> None:
        (fields,) = self._said(item).values()
        if "id" not in fields:
            return
        if isinstance(made, Note):
            self._notes.setdefault(item.record, {})[fields["id"]] = made
        else:
            self._lines.setdefault(item.record, {})[fields["id"]] = made

    def _add_remark(self, item: Item) -> Note | Variation:
        lines, written = self._lines.get(item.record, {}), self._notes.get(item.record, {})
        fields, line, reply = _remark(self._said(item), lines, written)
        match = self._matches[item.record]
        how: dict[str, Any] = {
            "key": self._key(item),
            "line": line,
            "study": self._study,
            "extents": self._extents,
        }
        if "variation" in self._said(item):
            return notes.write_variation(self._nobody, match, fields, Sharing(), **how)
        return notes.write(self._nobody, match, fields, Sharing(), **how, reply=reply)

    # --- Chapters ----------------------------------------------------------------------------

    def _add_chapter(self, number: int) -> None:
        if self._study.chapters.filter(number=number).exists():
            return
        said = dict(self._index.chapters[number - 1])
        record = whole(said.pop("record", None), "record", 1, len(self._bodies))
        line = _named(self._lines.get(record, {}), said.pop("line", None), "line")
        match = self._matches[record]
        if "quiz" in said:  # the word in older files
            said["question"] = said.pop("quiz")
        if "match" in said:
            raise Malformed('unknown key "match"')
        fields = {**said, "match": match.pk, **({"line": line.key} if line else {})}
        nobody = Reader([self._study.owner])
        parsed = chapters.parse(fields, nobody, lambda _: match, self._extents)
        writing.append(self._study, parsed)


def _remark(
    said: Mapping[str, Any], lines: Mapping[str, Variation], written: Mapping[str, Note]
) -> tuple[dict[str, Any], Variation | None, Note | None]:
    """A remark's fields, line and the note it answers."""
    if len(said) != 1 or not said.keys() <= {"note", "variation"}:
        raise Malformed("expected a note or a variation")
    fields = mapping(next(iter(said.values())), "remark")
    line = _named(lines, fields.get("line"), "line")
    reply = _named(written, fields.get("reply"), "reply")
    for name in fields.keys() - {*_FIELDS, "id", "line", "reply"}:
        raise Malformed(f"unknown key {name[:40]!r}")
    if "id" in fields and (identifier(fields["id"]) in lines or fields["id"] in written):
        raise Malformed("id: expected an id that nothing else has")
    return {key: fields[key] for key in _FIELDS if key in fields}, line, reply


def _named(known: Mapping[str, Any], name: Any, what: str) -> Any:
    if name is None:
        return None
    if not isinstance(name, str) or name not in known:
        raise Malformed(f"{what}: nothing above has this id")
    return known[name]
