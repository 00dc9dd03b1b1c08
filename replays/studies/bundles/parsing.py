"""Reading a study file: its index and its records, before anything is stored."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, BinaryIO, Final, NamedTuple

from games.engine.message import message_of
from games.pages.operations import title_of
from games.records.log import MAX_TEXT
from games.records.shape import Fields, listed, sent, text, whole
from games.records.strict import Malformed, decode
from replays.studies.bundles.shape import (
    INDEX,
    MAX_ALL,
    MAX_INDEX,
    MAX_RECORD,
    MAX_RECORDS,
    MAX_REMARKS,
    VERSION,
    BadBundleError,
    blaming,
    mapping,
    record_name,
)
from replays.studies.writing import MOST_CHAPTERS

_UNREADABLE: Final = (
    *(zipfile.BadZipFile, NotImplementedError, EOFError, OSError, UnicodeError),
    *(zlib.error, ValueError, RuntimeError),
)
"""The exceptions of a damaged or hostile zip."""


class Index(NamedTuple):
    """What an index says: the study's words, each record's remarks, and the chapters."""

    title: str
    text: str
    remarks: list[list[dict[str, Any]]]
    chapters: list[dict[str, Any]]


class Bundle(NamedTuple):
    """A file that was read: its index, and the records that it names."""

    contents: Index
    records: list[bytes]

    @property
    def size(self) -> int:
        """Bytes of the records."""
        return sum(map(len, self.records))


def read(file: BinaryIO) -> Bundle:
    """The index and the records. Raises BadBundleError before anything large is unpacked."""
    try:
        with zipfile.ZipFile(file) as packed:
            return _unzipped(packed)
    except BadBundleError:
        raise
    except _UNREADABLE as fault:
        raise BadBundleError(
            "the file is not a readable zip: {fault}", fault=message_of(fault)
        ) from None
    except zipfile.LargeZipFile:
        raise BadBundleError("the zip is too large") from None


def _unzipped(packed: zipfile.ZipFile) -> Bundle:
    infos = _infos(packed)
    index = _index(_body(packed, infos, INDEX, MAX_INDEX))
    wanted = [record_name(at) for at in range(1, len(index.remarks) + 1)]
    for name in infos.keys() - {INDEX, *wanted}:
        raise BadBundleError("{name!r} is not in the index", name=name[:80])
    return Bundle(index, [_body(packed, infos, name, MAX_RECORD) for name in wanted])


def _infos(packed: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    infos = packed.infolist()
    if len(infos) > MAX_RECORDS + 1:
        raise BadBundleError(
            "expected at most {most} files, found {found}", most=MAX_RECORDS + 1, found=len(infos)
        )
    if len({info.filename for info in infos}) < len(infos):
        raise BadBundleError("two files have the same name")
    if sum(info.file_size for info in infos) > MAX_ALL:
        raise BadBundleError("expected at most {most} MiB unpacked", most=MAX_ALL // 2**20)
    for info in infos:
        if info.flag_bits & 1 or info.is_dir():
            raise BadBundleError("{name!r} is encrypted or a folder", name=info.filename[:80])
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise BadBundleError("{name!r} is packed in an unknown way", name=info.filename[:80])
    return {info.filename: info for info in infos}


def _body(
    packed: zipfile.ZipFile, infos: Mapping[str, zipfile.ZipInfo], name: str, most: int
) -> bytes:
    """A file's bytes: never more than `most`, whatever the zip says about its size."""
    info = infos.get(name)
    if info is None:
        raise BadBundleError("{name} is missing", name=name)
    if info.file_size > most:
        raise BadBundleError(
            "{name}: expected at most {most} bytes, found {found}",
            name=name,
            most=most,
            found=info.file_size,
        )
    with packed.open(info) as opened:
        body = opened.read(most + 1)
    if len(body) != info.file_size:
        raise BadBundleError("{name}: its size is not the one that the zip says", name=name)
    return body


def _index(body: bytes) -> Index:
    with blaming(INDEX):
        fields = Fields(sent(decode(body)), "index")
        whole(fields.need("ratuki_study"), "ratuki_study", VERSION, VERSION)
        title = title_of(fields.need("title"))
        words = text(fields.need("text"), "text", MAX_TEXT)
        records = listed(fields.need("records"), "records")
        chapters = listed(fields.need("chapters"), "chapters")
        fields.done()
        _at_most(records, MAX_RECORDS, "records")
        _at_most(chapters, MOST_CHAPTERS, "chapters")
        remarks = [_listed_remarks(record, at) for at, record in enumerate(records, 1)]
        _at_most(list(chain.from_iterable(remarks)), MAX_REMARKS, "notes and variations")
        return Index(title, words, remarks, [mapping(chapter, "chapters") for chapter in chapters])


def _at_most(entries: Sequence[Any], most: int, name: str) -> None:
    if len(entries) > most:
        raise Malformed(
            "{name}: expected at most {most}, found {found}",
            name=name,
            most=most,
            found=len(entries),
        )


def _listed_remarks(value: Any, at: int) -> list[dict[str, Any]]:
    fields = Fields(value, f"records, {at}")
    if fields.need("file") != record_name(at):
        raise Malformed(
            "records, {at}: expected the file {record_name}", at=at, record_name=record_name(at)
        )
    remarks = listed(fields.need("remarks"), "remarks")
    fields.done()
    return [mapping(remark, "remarks") for remark in remarks]
