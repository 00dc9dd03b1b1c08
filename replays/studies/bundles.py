"""A study as one file: a zip of the records it needs, with an index of everything else.

    index.json           title, introduction, chapters, and each record's notes and variations
    records/1.ratuki     the matches, in the order in which chapters first name them

Notes and variations are written as in a record (docs/record-format.md). A file is read strictly:
nothing but what the index names, everything within bounds before it is unpacked, and every record
and note checked like any other. What is imported belongs to the importer.
"""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, BinaryIO, Final, NamedTuple

from django.db import IntegrityError, transaction

from games.archive.store import insert, read_record, record_of, says_the_same
from games.archive.uploads import refuse_future, refuse_open_table
from games.models import Match, Upload
from games.people.person import Person, encode
from games.records.log import MAX_TEXT, RecordFault
from games.records.notation import write_line
from games.records.shape import Fields, listed, one_line, text, whole
from games.records.strict import Malformed, decode
from replays.annotations import notes
from replays.annotations.access import Reader
from replays.annotations.notes import Author, Sharing, as_records
from replays.annotations.positions import Unfit
from replays.models import Chapter, Note, Study, Variation
from replays.models.sharing import new_key
from replays.studies import chapters, writing

VERSION: Final = 1
INDEX: Final = "index.json"
MAX_FILE: Final = 2 * 2**20
"""Bytes of the zip."""
MAX_INDEX: Final = 2**19
MAX_RECORD: Final = 4 * 2**20
MAX_ALL: Final = 8 * 2**20
"""Bytes of everything in it, unpacked."""
MAX_RECORDS: Final = 50
MAX_EVENTS: Final = 100_000
"""In all matches of an exported study."""
MAX_REMARKS: Final = 600
"""Notes and variations of a study in a file."""
_NO_DATE: Final = (1980, 1, 1, 0, 0, 0)
_FIELDS: Final = ("round", "event", "until", "glyph", "tags", "text", "marks", "arrows", "events")
_CHAPTER: Final = ("title", "group", "text", "round", "event", "until", "view", "speed", "question")
_UNREADABLE: Final = (
    *(zipfile.BadZipFile, NotImplementedError, EOFError, OSError, UnicodeError),
    *(zlib.error, ValueError, RuntimeError),
)
"""What a damaged or hostile zip raises."""
MaySee = Callable[[Match], bool]


class BadBundleError(ValueError):
    """The file is no study; the message says what is wrong and where."""


# --- Out -----------------------------------------------------------------------------------------


def pack(study: Study, may_see: MaySee) -> bytes:
    """The study as a file, with the chapters on matches that may be seen. Raises Unfit."""
    rows = list(study.chapters.select_related("match", "line").order_by("place", "number"))
    rows = [row for row in rows if row.match.over and may_see(row.match)]
    matches = list({row.match_id: row.match for row in rows}.values())
    if len(matches) > MAX_RECORDS:
        raise Unfit(f"at most {MAX_RECORDS} matches fit into a file, the study has {len(matches)}")
    events = sum(match.events for match in matches)
    if events > MAX_EVENTS:
        raise Unfit(f"at most {MAX_EVENTS:,} events fit into a file, its matches have {events:,}")
    names: dict[str, str] = {}
    records = [
        {"file": _file(at), "remarks": _remarks(study, match, names)}
        for at, match in enumerate(matches, 1)
    ]
    if len(names) > MAX_REMARKS:
        raise Unfit(f"at most {MAX_REMARKS} notes fit into a file, the study has {len(names)}")
    numbers = {match.pk: at for at, match in enumerate(matches, 1)}
    index = {
        "ratuki_study": VERSION,
        "title": study.title,
        "text": study.text,
        "records": records,
        "chapters": [_chapter(row, numbers, names) for row in rows],
    }
    said = json.dumps(index, ensure_ascii=False, indent=1).encode()
    files = {_file(at): "".join(record_of(match)).encode() for at, match in enumerate(matches, 1)}
    _verify_importable(said, files)
    return _zipped({INDEX: said, **files})


def _verify_importable(index: bytes, files: Mapping[str, bytes]) -> None:
    """Raise Unfit if the file could not be imported."""
    if len(index) > MAX_INDEX:
        raise Unfit(f"its words, notes and variations are more than {MAX_INDEX // 2**10} KiB")
    sizes = [len(body) for body in files.values()]
    if max(sizes, default=0) > MAX_RECORD or len(index) + sum(sizes) > MAX_ALL:
        raise Unfit("its matches are too long")


def _file(at: int) -> str:
    return f"records/{at}.ratuki"


def _zipped(files: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, body in files.items():
            packed.writestr(zipfile.ZipInfo(name, _NO_DATE), body, zipfile.ZIP_DEFLATED, 6)
    return out.getvalue()


def _remarks(study: Study, match: Match, names: dict[str, str]) -> list[Any]:
    """A study's notes and variations on a match, with short ids, added to `names`."""
    found = {"match": match, "deleted": None, "hidden": False}
    lines = study.variations.filter(**found).select_related("line").order_by("depth", "pk")
    written = study.notes.filter(**found).select_related("line", "reply").order_by("pk")
    told: list[Any] = []
    for item, said in _with_lines([*lines, *written]):
        names[item.key] = f"{'n' if isinstance(item, Note) else 'v'}{len(names) + 1}"
        kind = "note" if isinstance(item, Note) else "variation"
        said[kind]["id"] = names[item.key]
        for name in ("line", "reply"):
            if name in said[kind]:
                said[kind][name] = names.get(said[kind][name], said[kind][name])
        told.append(said)
    known = set(names.values())
    return [one for one in told if _refers_to(one) <= known]


def _with_lines(items: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
    for item in items:
        yield item, json.loads(write_line(as_records([item])[0]))


def _refers_to(said: Mapping[str, Mapping[str, Any]]) -> set[str]:
    (fields,) = said.values()
    return {fields[name] for name in ("line", "reply") if name in fields}


def _chapter(row: Chapter, numbers: Mapping[int, int], names: Mapping[str, str]) -> dict[str, Any]:
    told = {name: getattr(row, name) for name in _CHAPTER}
    told["record"] = numbers[row.match_id]
    if row.line is not None:
        told["line"] = names.get(row.line.key)
    return {name: value for name, value in told.items() if value not in (None, "")}


# --- In ------------------------------------------------------------------------------------------


class Index(NamedTuple):
    """What an index says: the study's words, each record's remarks, and the chapters."""

    title: str
    text: str
    remarks: list[list[dict[str, Any]]]
    chapters: list[dict[str, Any]]


class Importer(NamedTuple):
    """Who imports a study, and what they may see."""

    author: Author
    person: Person
    reader: Reader
    may_see: MaySee


class Bundle(NamedTuple):
    """A file that was read: its index, and the records that it names."""

    contents: Index
    records: list[bytes]

    @property
    def size(self) -> int:
        """Bytes of the records."""
        return sum(map(len, self.records))


def unpack(file: BinaryIO, importer: Importer) -> Study:
    """Store the study in a file, all of it or nothing. Raises BadBundleError."""
    return store(read(file), importer)


def store(bundle: Bundle, importer: Importer) -> Study:
    """Store a study that was read, all of it or nothing. Raises BadBundleError."""
    index, records = bundle
    with transaction.atomic():
        matches = [
            _match(name, body, importer)
            for name, body in ((_file(at), body) for at, body in enumerate(records, 1))
        ]
        with _blaming("study"):
            made = writing.create(importer.author, new_key(), index.title, index.text)
        lines: dict[str, Variation] = {}
        for at, (match, remarks) in enumerate(zip(matches, index.remarks, strict=True), 1):
            lines |= _add_remarks(made, match, remarks, importer, f"records, {at}")
        for at, said in enumerate(index.chapters, 1):
            with _blaming(f"chapters, {at}"):
                _add_chapter(made, dict(said), matches, lines, importer)
    return made


def read(file: BinaryIO) -> Bundle:
    """The index and the records. Raises BadBundleError before anything large is unpacked."""
    try:
        with zipfile.ZipFile(file) as packed:
            return _unzipped(packed)
    except BadBundleError:
        raise
    except _UNREADABLE as fault:
        raise BadBundleError(f"the file is not a readable zip: {fault}") from None
    except zipfile.LargeZipFile:
        raise BadBundleError("the zip is too large") from None


def _unzipped(packed: zipfile.ZipFile) -> Bundle:
    infos = _infos(packed)
    index = _index(_body(packed, infos, INDEX, MAX_INDEX))
    wanted = [_file(at) for at in range(1, len(index.remarks) + 1)]
    for name in infos.keys() - {INDEX, *wanted}:
        raise BadBundleError(f"{name[:80]!r} is not in the index")
    return Bundle(index, [_body(packed, infos, name, MAX_RECORD) for name in wanted])


def _infos(packed: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    infos = packed.infolist()
    if len(infos) > MAX_RECORDS + 1:
        raise BadBundleError(f"expected at most {MAX_RECORDS + 1} files, found {len(infos)}")
    if len({info.filename for info in infos}) < len(infos):
        raise BadBundleError("two files have the same name")
    if sum(info.file_size for info in infos) > MAX_ALL:
        raise BadBundleError(f"expected at most {MAX_ALL // 2**20} MiB unpacked")
    for info in infos:
        if info.flag_bits & 1 or info.is_dir():
            raise BadBundleError(f"{info.filename[:80]!r} is encrypted or a folder")
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise BadBundleError(f"{info.filename[:80]!r} is packed in an unknown way")
    return {info.filename: info for info in infos}


def _body(
    packed: zipfile.ZipFile, infos: Mapping[str, zipfile.ZipInfo], name: str, most: int
) -> bytes:
    """A file's bytes: never more than `most`, whatever the zip says about its size."""
    info = infos.get(name)
    if info is None:
        raise BadBundleError(f"{name} is missing")
    if info.file_size > most:
        raise BadBundleError(f"{name}: expected at most {most} bytes, found {info.file_size}")
    with packed.open(info) as opened:
        body = opened.read(most + 1)
    if len(body) != info.file_size:
        raise BadBundleError(f"{name}: its size is not the one that the zip says")
    return body


def _index(body: bytes) -> Index:
    with _blaming(INDEX):
        fields = Fields(decode(body), "index")
        whole(fields.need("ratuki_study"), "ratuki_study", VERSION, VERSION)
        title = one_line(fields.need("title"), "title", 100, "a title")
        words = text(fields.need("text"), "text", MAX_TEXT)
        records = listed(fields.need("records"), "records")
        told = listed(fields.need("chapters"), "chapters")
        fields.done()
        _at_most(records, MAX_RECORDS, "records")
        _at_most(told, writing.MOST_CHAPTERS, "chapters")
        remarks = [_listed_remarks(one, at) for at, one in enumerate(records, 1)]
        _at_most([one for some in remarks for one in some], MAX_REMARKS, "notes and variations")
        return Index(title, words, remarks, [_object(one, "chapters") for one in told])


def _at_most(found: Sequence[Any], most: int, name: str) -> None:
    if len(found) > most:
        raise Malformed(f"{name}: expected at most {most}, found {len(found)}")


def _listed_remarks(value: Any, at: int) -> list[dict[str, Any]]:
    fields = Fields(value, f"records, {at}")
    if fields.need("file") != _file(at):
        raise Malformed(f"records, {at}: expected the file {_file(at)}")
    found = listed(fields.need("remarks"), "remarks")
    fields.done()
    return [_object(one, "remarks") for one in found]


def _object(value: Any, name: str) -> dict[str, Any]:
    if type(value) is not dict:
        raise Malformed(f"{name}: expected objects")
    return value


class _blaming:  # noqa: N801 - reads as a word where it is used
    """Turn what is wrong inside into a BadBundleError that begins with a place."""

    def __init__(self, place: str) -> None:
        self._place = place

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, (Malformed, Unfit)):
            raise BadBundleError(f"{self._place}: {error}") from None


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
        with _blaming(f"{place}, remarks, {at}"):
            name, fields, line, reply = _remark(said, lines, written)
            common: dict[str, Any] = {"key": new_key(), "line": line, "study": study}
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
    fields = _object(next(iter(said.values())), "remark")
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
    parsed = chapters.parse(fields, importer.reader, lambda _: match)
    writing.append(study, parsed)
