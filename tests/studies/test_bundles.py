"""A study as a file: out and in again unchanged, and a bad file says why."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from django.conf import settings as settings_
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, override_settings
from django.utils import timezone
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from games.archive.packing import pack as pack_record
from games.archive.store import insert, lines_of_rounds
from games.engine.events import Event
from games.models import Match, Upload
from games.people.visitor import Reader
from games.records.log import Variation as RecordVariation
from replays.jobs import queue, starting, workers
from replays.models import Chapter, Job, Note, Study, StudyFile, Variation
from replays.models.sharing import new_key
from replays.notes.audience import Sharing
from replays.notes.notes import write, write_variation
from replays.studies import unfinished
from replays.studies.bundles import importing, later
from replays.studies.bundles.exporting import pack
from replays.studies.bundles.parsing import read
from replays.studies.bundles.shape import BadBundleError
from replays.studies.chapters import parse
from replays.studies.questions import question_of
from replays.studies.writing import add, create
from tests.jobs.counting import die, lapse, work
from tests.notes import making
from tests.notes.browsers import guest, post
from tests.notes.making import ADA, BO, fresh
from tests.studies.making import chapter, data, question, study
from tests.web.records import record, store

pytestmark = pytest.mark.django_db


def unpacked(body: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def plain(body: bytes) -> dict[str, Any]:
    """A file without who wrote its notes and when: what is imported is the importer's."""
    whole: dict[str, Any] = dict(unpacked(body))
    index = json.loads(whole["index.json"])
    for entry in index["records"]:
        for remark in entry["remarks"]:
            (fields,) = remark.values()
            fields.pop("by", None)
            fields.pop("at", None)
    return {**whole, "index.json": index}


# --- Out and in ----------------------------------------------------------------------------------

WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), max_size=30)
TITLES = st.text("abc ÄöÜ–’", min_size=1, max_size=20).filter(str.strip)


@st.composite
def lessons(draw: st.DrawFn) -> dict[str, Any]:
    """What a study on two matches says, as far as it can be chosen freely."""
    spot = st.tuples(st.integers(0, 1), st.integers(0, 40))
    chapter_ = st.fixed_dictionaries(
        {
            "title": TITLES,
            "text": WORDS,
            "group": st.one_of(st.just(""), TITLES),
            "view": st.sampled_from(["all", "spectator", "0", "1"]),
            "speed": st.sampled_from([10, 50, 100, 800]),
            "span": st.one_of(st.none(), st.integers(1, 9)),
            "asks": st.booleans(),
            "spot": spot,
        }
    )
    note_ = st.fixed_dictionaries(
        {
            "spot": spot,
            "text": WORDS.filter(str.strip),
            "tags": st.lists(st.sampled_from(["late", "feeding"]), unique=True),
            "glyph": st.sampled_from(["", "!", "?!"]),
            "marks": st.lists(st.sampled_from(["seat:0", "stack:1"]), unique=True),
            "reply": st.booleans(),
            "along": st.booleans(),
        }
    )
    return {
        "title": draw(TITLES),
        "text": draw(WORDS),
        "chapters": draw(st.lists(chapter_, min_size=1, max_size=5)),
        "notes": draw(st.lists(note_, max_size=5)),
        "branches": draw(st.integers(0, 2)),
    }


def made(said: dict[str, Any], matches: list[Match]) -> Study:
    """That study, stored."""
    lesson = create(ADA, new_key(), said["title"], said["text"])
    lines = [_branch(lesson, matches[at % 2]) for at in range(said["branches"])]
    first: dict[int, Note] = {}
    for remark in said["notes"]:
        number, event = remark["spot"]
        match = matches[number]
        along = next((line for line in lines if line.match == match and remark["along"]), None)
        answered = first.get(number) if remark["reply"] else None
        line = along if answered is None else answered.line
        event = answered.event if answered else event if line is None else line.event + 1
        words = {"text": remark["text"]} if answered else _note(remark)
        answer = making.said(event=event, **words)
        how: dict[str, Any] = {"key": new_key(), "line": line, "reply": answered, "study": lesson}
        written = write(ADA, match, answer, Sharing(), **how)
        first.setdefault(number, written)
    for part in said["chapters"]:
        number, event = part["spot"]
        question_ = {"seat": 0, "answers": [{"do": "draw"}], "hint": part["text"], "timed": True}
        fields = {name: part[name] for name in ("title", "text", "group", "view", "speed")}
        fields |= {"match": matches[number].pk, "round": 1, "event": event}
        fields["until"] = None if part["span"] is None else event + part["span"]
        line = next((line for line in lines if line.match_id == matches[number].pk), None)
        if part["asks"]:
            fields["question"] = question_
        elif line is not None and part["span"] is None:
            fields |= {"line": line.key, "event": line.event + 1}
        add(
            lesson,
            parse(fields, Reader([ADA.person]), lambda pk: next(m for m in matches if m.pk == pk)),
        )
    return lesson


def _note(remark: dict[str, Any]) -> dict[str, Any]:
    names = ("text", "tags", "glyph", "marks")
    return {name: remark[name] for name in names if remark[name]}


def _branch(lesson: Study, match: Match) -> Variation:
    """A variation that repeats what happened."""
    events = [line for line in lines_of_rounds(match, 1, 1) if isinstance(line, Event)]
    said = RecordVariation(1, 6, None, "", tuple(events[6:9]))
    return write_variation(ADA, match, said, Sharing(), key=new_key(), study=lesson)


class Unchanged(TestCase):
    @settings(
        max_examples=12,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow],
    )
    @given(lessons())
    def test_any_study_survives_export_and_import_unchanged(self, said: dict[str, Any]) -> None:
        records = [
            pack_record(record("Ada", "Bo", id="one")),
            pack_record(record("Cy", "Di", id="two")),
        ]
        matches = insert(records, Match.Origin.SIMULATED)
        body = pack(made(said, matches), lambda _: True)
        again = importing.store(read(io.BytesIO(body)), BO, lambda _: True)
        assert plain(pack(again, lambda _: True)) == plain(body)
        assert again.owner == BO.person


def test_a_file_brings_its_matches_with_it() -> None:
    owner, match = guest("Ada"), store("Ada", "Bo")
    lesson = study(owner)
    made_ = question(owner, lesson, match, hint="Think.")
    post(owner, f"{data(made_)}notes", key=fresh(), round=1, event=5, text="Here.")
    answer = owner.get(f"/studies/{lesson.key}.zip")
    assert answer["Content-Disposition"] == 'attachment; filename="lesson.zip"'
    body = answer.content
    text = unpacked(body)["records/1.ratuki"].decode()
    Match.objects.update(record_id="elsewhere")
    other = guest("Bo")
    sent = other.post("/studies/import/", {"study": SimpleUploadedFile("lesson.zip", body)})
    assert sent.status_code == 302, sent.content.decode()
    stored = Match.objects.exclude(pk=match.pk).get()
    assert other.get(f"/matches/{stored.pk}.ratuki").content.decode() == text
    assert (stored.origin, Upload.objects.filter(match=stored).count()) == ("uploaded", 1)
    (brought,) = Chapter.objects.filter(study__key=sent["Location"].split("/")[2])
    assert question_of(brought)["hint"] == "Think."
    assert Note.objects.get(study=brought.study).text == "Here."
    assert plain(other.get(f"{sent['Location'][:-1]}.zip").content) == plain(body)


def test_only_writers_export_and_copies_have_no_unanswered_questions() -> None:
    owner, reader, match = guest("Ada"), guest("Bo"), store()
    lesson = study(owner, visibility="everyone")
    question(owner, lesson, match)
    chapter(owner, lesson, match)
    assert reader.get(f"/studies/{lesson.key}.zip").status_code == 403
    copied = post(reader, f"/api/v1/studies/{lesson.key}/copy").json()["chapters"]
    assert [row["question"] for row in copied] == [None]


# --- What is refused ------------------------------------------------------------------------------

Change = Callable[[dict[str, Any]], Any]


def zipped(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in files.items():
            archive.writestr(name, body)
    return out.getvalue()


@pytest.fixture
def files() -> dict[str, bytes]:
    """The files of a valid study."""
    owner, match = guest("Ada"), store("Ada", "Bo")
    lesson = study(owner)
    made_ = chapter(owner, lesson, match)
    post(owner, f"{data(made_)}notes", key=fresh(), round=1, event=5, text="Here.")
    return unpacked(owner.get(f"/studies/{lesson.key}.zip").content)


def refused(body: bytes) -> str:
    before = Study.objects.count(), Match.objects.count(), Note.objects.count()
    with pytest.raises(BadBundleError) as error:
        importing.store(read(io.BytesIO(body)), BO, lambda _: True)
    assert (Study.objects.count(), Match.objects.count(), Note.objects.count()) == before
    return str(error.value)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda index: index.update(ratuki_study=2), "ratuki_study: expected a whole number 1"),
        (lambda index: index.update(more=1), 'unknown key "more"'),
        (lambda index: index.pop("title"), "missing key 'title'"),
        (lambda index: index.update(chapters=[1]), "chapters: expected objects"),
        (
            lambda index: index.update(chapters=index["chapters"] * 101),
            "chapters: expected at most",
        ),
        (lambda index: index["chapters"][0].update(record=2), "chapters, 1: record"),
        (lambda index: index["chapters"][0].update(event=99_999), "chapters, 1"),
        (lambda index: index["chapters"][0].update(line="v9"), "chapters, 1: line: nothing above"),
        (
            lambda index: index["records"][0].update(file="../x"),
            "expected the file records/1.ratuki",
        ),
        (
            lambda index: index["records"].append({"file": "records/2.ratuki", "remarks": []}),
            "missing",
        ),
        (lambda index: _remark(index).update(marks=["stack:7"]), "records, 1, remarks, 1"),
        (lambda index: _remark(index).update(reply="n7"), "reply: nothing above has this id"),
        (lambda index: _remark(index).update(until=2), "until"),
        (lambda index: _remark(index).update(html="<b>"), 'unknown key "html"'),
        (lambda index: _remark(index).update(id="a b"), "id: expected 1 to 64 of"),
        (lambda index: _remark(index).update(at="yesterday"), "at: expected YYYY-MM-DD"),
        (lambda index: _remark(index).update(by=5), "by: expected a string"),
    ],
)
def test_an_invalid_index_says_why(files: dict[str, bytes], change: Change, words: str) -> None:
    index = json.loads(files["index.json"])
    change(index)
    assert words in refused(zipped({**files, "index.json": json.dumps(index).encode()}))


def test_a_remark_that_nothing_refers_to_needs_no_id(files: dict[str, bytes]) -> None:
    index = json.loads(files["index.json"])
    _remark(index).pop("id")
    index["records"][0]["remarks"] *= 2
    body = zipped({**files, "index.json": json.dumps(index).encode()})
    stored = importing.store(read(io.BytesIO(body)), BO, lambda _: True)
    assert stored.notes.count() == 2


def _remark(index: dict[str, Any]) -> dict[str, Any]:
    fields: dict[str, Any] = index["records"][0]["remarks"][0]["note"]
    return fields


def test_a_file_that_is_no_zip_or_holds_too_much_is_refused(files: dict[str, bytes]) -> None:
    assert "not a readable zip" in refused(b"no zip")
    assert "index.json is missing" in refused(zipped({"a": b""}))
    assert "'extra' is not in the index" in refused(zipped({**files, "extra": b""}))
    assert "at most 51 files" in refused(zipped({str(at): b"" for at in range(60)}))
    bomb = zipped({**files, "records/1.ratuki": b"0" * (5 * 2**20)})
    assert len(bomb) < 20_000, "a small file with much in it"
    assert "expected at most 4194304 bytes" in refused(bomb)
    large = zipped({str(at): b"0" * (9 * 2**20) for at in range(4)})
    assert "at most 8 MiB unpacked" in refused(large)
    assert "index.json" in refused(zipped({**files, "index.json": b"{" * 9_000}))
    half = zipped(files)[:-40]
    assert "not a readable zip" in refused(half)


def test_a_zip_that_lies_about_a_size_is_refused(files: dict[str, bytes]) -> None:
    body = bytearray(zipped(files))
    central = body.rindex(b"PK\x01\x02")
    body[central + 24 : central + 28] = (100).to_bytes(4, "little")  # the last file's size
    assert refused(bytes(body))


def test_a_damaged_zip_is_refused_wherever_the_damage_is(files: dict[str, bytes]) -> None:
    whole = zipped(files)
    broken = {bytes([*whole[:at], whole[at] ^ 0xFF, *whole[at + 1 :]]) for at in _spots(whole)}
    for body in broken:
        with suppress(BadBundleError):
            read(io.BytesIO(body))
    changed = bytearray(whole)
    data = 30 + len("index.json")
    changed[data : data + 8] = b"\xff" * 8
    assert "not a readable zip" in refused(bytes(changed))


def _spots(body: bytes) -> list[int]:
    """Each byte of the directory at the end, and some of the rest."""
    directory = body.index(b"PK\x01\x02")
    return [*range(0, directory, 997), *range(40), *range(directory, len(body))]


def test_what_a_zip_unpacks_to_counts_as_uploaded(files: dict[str, bytes]) -> None:
    before = set(Upload.objects.values_list("pk", flat=True))
    sent = {"study": SimpleUploadedFile("x.zip", zipped(files))}
    assert Client().post("/studies/import/", sent).status_code == 302
    (claimed,) = Upload.objects.exclude(pk__in=before)
    assert claimed.bytes == len(files["records/1.ratuki"])
    with override_settings(UPLOAD_BYTES_A_DAY=dict.fromkeys(settings_.UPLOAD_BYTES_A_DAY, 9)):
        sent = {"study": SimpleUploadedFile("x.zip", zipped(files))}
        refusal = Client().post("/studies/import/", sent)
    assert refusal.status_code == 429
    assert "at most 0 MiB a day" in refusal.content.decode()


def test_imports_exports_and_copies_are_counted() -> None:
    """Each may take seconds of a core."""
    assert settings_.POST_LIMITS["replays:study_import"][0] <= 30
    assert settings_.POST_LIMITS["api:study_copy"][0] <= 30
    owner = guest("Ada")
    lesson = study(owner)
    with override_settings(GET_LIMITS={"replays:study_zip": (1, 600)}):
        codes = [owner.get(f"/studies/{lesson.key}.zip").status_code for _ in range(2)]
    assert codes == [200, 429]


def test_an_invalid_or_different_record_is_refused(files: dict[str, bytes]) -> None:
    lines = files["records/1.ratuki"].splitlines(keepends=True)
    broken = b"".join([*lines[:4], b'{"do":"fly"}\n', *lines[5:]])
    assert "records/1.ratuki, line 5" in refused(zipped({**files, "records/1.ratuki": broken}))
    other = b"".join(lines[:-1])
    assert "another record with this id" in refused(zipped({**files, "records/1.ratuki": other}))


def test_the_page_says_what_is_wrong() -> None:
    sent = Client().post("/studies/import/", {"study": SimpleUploadedFile("x.zip", b"no zip")})
    assert sent.status_code == 422
    assert "not a readable zip" in sent.content.decode()


# --- Large files ----------------------------------------------------------------------------------


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file is large."""
    monkeypatch.setattr(later, "AT_ONCE", 0)


def elsewhere(files: dict[str, bytes]) -> dict[str, bytes]:
    """The same study on a match that is not stored here."""
    body = files["records/1.ratuki"]
    header = json.loads(body.split(b"\n")[0])
    other = body.replace(header["id"].encode(), b"from-elsewhere", 1)
    return {**files, "records/1.ratuki": other}


def sent(browser: Client, files: dict[str, bytes]) -> Any:
    return browser.post("/studies/import/", {"study": SimpleUploadedFile("x.zip", zipped(files))})


@pytest.mark.usefixtures("large")
def test_a_large_file_is_imported_by_workers_and_seen_when_it_is_complete(
    files: dict[str, bytes],
) -> None:
    browser, matches = guest("Bo"), Match.objects.count()
    workers.beat("first")
    answer = sent(browser, elsewhere(files))
    assert answer["Location"] == "/jobs/"
    job = Job.objects.get()
    assert "Import of the study “Lesson”" in browser.get("/jobs/").content.decode()
    assert die("first", 2).done == 2, "the bar moves"
    assert Match.objects.count() == matches + 1
    assert browser.get("/api/v1/studies").json()["studies"] == []
    hidden = Match.objects.get(record_id="from-elsewhere")
    assert browser.get(f"/matches/{hidden.pk}/").status_code == 404
    lapse()
    queue.sweep()
    work("second")
    job.refresh_from_db()
    assert (job.state, job.error) == (Job.State.FINISHED, None)
    (made,) = browser.get("/api/v1/studies").json()["studies"]
    assert f'href="/studies/{made["key"]}/"' in browser.get("/jobs/").content.decode()
    assert plain(browser.get(f"/studies/{made['key']}.zip").content) == plain(
        zipped(elsewhere(files))
    )
    assert Client().get(f"/matches/{hidden.pk}/").status_code == 200
    stored = Upload.objects.get(match=hidden)
    assert (stored.name, stored.person) == ("Bo", Study.objects.get(key=made["key"]).owner)
    assert not StudyFile.objects.exists()


@pytest.mark.usefixtures("large")
def test_a_large_file_waits_for_a_worker_and_leaves_nothing_if_it_is_invalid(
    files: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    browser, before = guest("Bo"), (Study.objects.count(), Match.objects.count())
    index = json.loads(files["index.json"])
    index["chapters"][0]["event"] = 99_999
    bad = {**elsewhere(files), "index.json": json.dumps(index).encode()}
    assert sent(browser, bad)["Location"] == "/jobs/"
    assert "No worker has ever been seen." in browser.get("/jobs/").content.decode()
    work()
    told = browser.get("/jobs/").content.decode()
    assert "Failed: chapters, 1: event" in told
    assert "Nothing was stored." in told
    assert (Study.objects.count(), Match.objects.count()) == before
    assert sent(browser, elsewhere(files))["Location"] == "/jobs/"
    die("late", 1)
    Job.objects.all().delete()
    unfinished.forget_old()
    assert Match.objects.count() == before[1] + 1, "a moment later it might still be going on"
    Study.objects.update(edited=timezone.now() - unfinished.KEPT)
    unfinished.forget_old()
    assert (Study.objects.count(), Match.objects.count()) == before
    monkeypatch.setattr(starting, "MOST_EACH", 0)
    refusal = sent(browser, elsewhere(files))
    assert refusal.status_code == 429
    assert "Not imported: you have 0 jobs waiting" in refusal.content.decode()
    assert Study.objects.count() == before[0]
