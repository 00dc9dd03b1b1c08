"""Matches longer than a record may be become files, with all that was written about them.

Release 1.0.0 stored rounds and matches of any length. Each file is complete when its match is
deleted, so a migration that is stopped loses nothing and can begin again.
"""

import json
import os
import sys

from django.conf import settings
from django.db import migrations
from django.db.models import F, Q, Sum

from games.archive.packing import lines_of, text_of
from games.engine.editions import MAX_DECK, MAX_TARGET
from games.engine.events import MAX_EVENTS, MAX_ROUNDS
from games.records.adding import in_order
from games.records.log import MAX_NOTES, MAX_TEXT, MAX_VARIATIONS, Note, Variation
from games.records.parsing import event_from


def write_out(apps, schema_editor):
    """Write out and delete what is too long, and say how many."""
    tables = apps.get_model("games", "LiveTable").objects
    rows = tables.values_list("pk", "plan")
    closed = [pk for pk, plan in rows if beyond(plan.get("overrides") or {})]
    tables.filter(pk__in=closed).delete()
    long = sorted(too_long(apps))
    for pk in long:
        match = apps.get_model("games", "Match").objects.get(pk=pk)
        write(apps, match)
        tables.filter(record_id=match.record_id).delete()
        delete(apps, match)
    if long:
        where = settings.WRITTEN_OUT_DIR
        sys.stdout.write(f"\n{len(long)} matches were too long: see {where}\n")


def beyond(rules):
    """Whether a match's own rules are no longer allowed."""
    return rules.get("target", 0) > MAX_TARGET or sum(rules.get("deck", ())) > MAX_DECK


def too_long(apps):
    """The matches beyond a bound, by number."""
    matches = apps.get_model("games", "Match").objects
    chunks = apps.get_model("games", "Chunk").objects
    found = set(matches.filter(rounds__gt=MAX_ROUNDS).values_list("pk", flat=True))
    rounds = chunks.values("match", "round").annotate(sum=Sum("events")).order_by()
    found.update(rounds.filter(sum__gt=MAX_EVENTS).values_list("match", flat=True))
    own = matches.filter(Q(header__contains='"target"') | Q(header__contains='"deck"'))
    for pk, header in own.values_list("pk", "header").iterator():
        if beyond(json.loads(header).get("rules", {})):
            found.add(pk)
    most = min(MAX_NOTES, MAX_VARIATIONS)
    talkative = matches.filter(lines__gt=F("events") + F("rounds") + 2 + most)
    for pk in talkative.values_list("pk", flat=True):
        kinds = [type(line) for line in lines_in(chunks, pk)]
        if kinds.count(Note) > MAX_NOTES or kinds.count(Variation) > MAX_VARIATIONS:
            found.add(pk)
    return found


def lines_in(chunks, pk):
    for chunk in chunks.filter(match=pk).order_by("first_seq").iterator(chunk_size=8):
        yield from lines_of(chunk.first_seq, chunk.packed, bytes(chunk.body))


def write(apps, match):
    """Write a match's record, and what was written beside it, into a file."""
    remarks = [*notes_of(apps, match), *variations_of(apps, match), *chapters_of(apps, match)]
    header = json.loads(match.header)
    if remarks:
        header["ratuki"] = max(2, header["ratuki"])
    folder = settings.WRITTEN_OUT_DIR
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (folder / f"{match.record_id}.ratuki").open("w", encoding="utf-8", newline="\n") as file:
        file.write(json.dumps(header, ensure_ascii=False, separators=(",", ":")) + "\n")
        chunks = apps.get_model("games", "Chunk").objects.filter(match=match)
        for chunk in chunks.order_by("first_seq").iterator(chunk_size=8):
            body = bytes(chunk.body)
            file.write(text_of(lines_of(0, True, body)) if chunk.packed else body.decode())
        file.write(text_of(in_order(remarks)))
        file.flush()
        os.fsync(file.fileno())


def notes_of(apps, match):
    for note in apps.get_model("replays", "Note").objects.filter(match=match).order_by("pk"):
        yield Note(
            note.round,
            note.event,
            note.by,
            note.glyph or None,
            note.text,
            tuple(note.marks),
            until=note.until,
            arrows=tuple(note.arrows),
            reply=note.reply.key if note.reply else None,
            **common(note),
        )


def variations_of(apps, match):
    rows = apps.get_model("replays", "Variation").objects.filter(match=match).order_by("pk")
    for row in rows:
        events = tuple(map(event_from, json.loads(row.events)))
        yield Variation(row.round, row.event, row.by, row.text, events, **common(row))


def common(item):
    return {
        "id": item.key,
        "line": item.line.key if item.line else None,
        "at": item.created.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "tags": tuple(item.tags),
    }


def chapters_of(apps, match):
    """The chapters of studies about the match, each as a note at its position."""
    chapters = apps.get_model("replays", "Chapter")._base_manager.filter(match=match)
    for chapter in chapters.select_related("study").order_by("pk"):
        words = [f"{chapter.study.title}: {chapter.title}", chapter.text]
        if chapter.question:
            words.append(json.dumps(chapter.question, ensure_ascii=False))
        text = "\n\n".join(filter(None, words))[:MAX_TEXT]
        line = chapter.line.key if chapter.line else None
        by = chapter.by or chapter.study.by
        yield Note(chapter.round, chapter.event, by, text=text, line=line, tags=("chapter",))


def delete(apps, match):
    """Delete a match and everything about it."""
    seats = apps.get_model("games", "Seat").objects
    players = set(seats.filter(match=match).values_list("player", flat=True))
    apps.get_model("replays", "HistoricalNote").objects.filter(match=match).delete()
    apps.get_model("games", "Chunk").objects.filter(match=match).delete()
    seats.filter(match=match).delete()
    match.delete()
    gone = players - set(seats.filter(player__in=players).values_list("player", flat=True))
    apps.get_model("games", "Player").objects.filter(pk__in=gone).delete()


class Migration(migrations.Migration):
    dependencies = [("replays", "0004_release_2")]

    operations = [migrations.RunPython(write_out, migrations.RunPython.noop)]
