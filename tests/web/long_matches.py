"""Matches of release 1.0.0 that are too long for this one, and their way into files."""

from tests.services import Site

STORE = """
from dataclasses import replace
from django.test.utils import setup_test_environment
setup_test_environment()
from django.conf import settings
from games.archive.packing import pack
from games.archive.store import insert

from games.models import LiveTable, Match
from games.people.visitor import Author
from games.records.log import Note
from replays.models import Chapter, Study
from replays.notes import notes
from replays.notes.audience import Sharing
from tests.hostile_records import late_flood, long_match
long, flood = insert([pack(long_match(101, 2)), pack(late_flood(6_100))])
head, *rest = long_match(2, 3)
target = replace(head, rules=replace(head.rules, target=1_001), id="far")
far, kept = insert([pack([target, *rest]), pack([replace(head, id="kept"), *rest])])
for match in (flood, kept):
    note = Note(1, 3, text="Why?", tags=("slow",))
    notes.write(Author("guest:kim", "Kim"), match, note, Sharing("self"), key=f"{match.pk}" * 16)
study = Study.objects.create(title="Lesson", owner="guest:kim", by="Kim")
Chapter.objects.create(study=study, number=1, place=1, title="Look", match=flood, round=1, event=2)
plan = {"edition": "usaopoly-2009", "overrides": {"target": 5_000}}
LiveTable.objects.create(record_id="far", plan=plan)
LiveTable.objects.create(record_id="near", plan={**plan, "overrides": {"target": 500}})
print(settings.WRITTEN_OUT_DIR)
"""

LOOK = """
from games.models import LiveTable, Match
from replays.models import Note
print([m.record_id for m in Match.objects.all()], Note.objects.count(),
      [t.record_id for t in LiveTable.objects.all()])
"""


def write_out_long_matches(site: Site) -> None:
    """Store four matches, one of them short enough, and migrate."""
    site.migrate()
    site.manage("migrate", "replays", "0004_release_2", "--verbosity=0")
    site.manage("shell", "-v0", "-c", STORE)
    said = site.manage("migrate", "--verbosity=0")
    assert "3 matches were too long" in said
    assert site.manage("shell", "-v0", "-c", LOOK).strip() == "['kept'] 1 ['near']"
    folder = site.var / "written-out"
    files = {path.name: path.read_text().splitlines() for path in folder.iterdir()}
    assert set(files) == {"far.ratuki", "flood-6100-True.ratuki", "long-101-2.ratuki"}
    flood = files["flood-6100-True.ratuki"]
    head, *_, chapter, note = flood
    assert head.startswith('{"ratuki":2,')
    assert '"text":"Lesson: Look"' in chapter
    assert '"text":"Why?"' in note
    assert sum('"do":"late"' in line for line in flood) == 6_100
    assert sum('"decks"' in line for line in files["long-101-2.ratuki"]) == 101
