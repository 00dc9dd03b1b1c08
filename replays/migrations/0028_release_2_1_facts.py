"""What the site names is stored as facts, which pages put into each reader's words. Half imports of
studies are gone, since studies are no longer imported from files.
"""

import re
from datetime import date
from typing import Any, ClassVar, Final

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

# In the languages of the releases until now.
PRACTISE: Final = re.compile(r"(?:Drill|Practise|Üben): (.*)", re.DOTALL)
QUESTION: Final = re.compile(r"(?:Question|Frage) (\d+)")
MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
DAY: Final = re.compile(rf"(\d+) ({'|'.join(MONTHS)}) (\d{{4}})(?:: .*)?", re.DOTALL)
PUZZLES: Final = "A take that someone passed up. Do you see it, and how quickly?"
MARK: Final = "unfinished:"
MISSED: Final = "Practise: my missed takes", "Üben: meine verpassten Stapel"


def take_words_out(apps: StateApps, _editor: BaseDatabaseSchemaEditor | None) -> None:
    studies, chapters, homework = (
        apps.get_model("replays", name)._base_manager for name in ("Study", "Chapter", "Homework")
    )
    for study in studies.filter(drill=True).iterator():
        _drill(study, chapters.filter(study=study).order_by("place", "number"))
    studies.filter(worded_by="").exclude(asked_in=None).update(title="")
    site = studies.filter(owner="guest:daily")
    site.filter(key="puzzles").update(text=PUZZLES, html=f"<p>{PUZZLES}</p>")
    for chapter in chapters.filter(study__in=site).iterator():
        if dated := DAY.fullmatch(chapter.title):
            day = date(int(dated[3]), MONTHS.index(dated[2]) + 1, int(dated[1]))
            chapter.title = day.isoformat()
            chapter.save(update_fields=["title"])
    for given in homework.filter(kind="drill").iterator():
        given.title = _playlist(given.title)
        given.save(update_fields=["title"])


def _drill(study: Any, chapters: Any) -> None:
    if study.worded_by:
        pass  # by its owner
    elif study.title in MISSED:
        study.title = study.text = study.html = ""
    elif PRACTISE.fullmatch(study.title):
        study.title, study.text, study.html = _playlist(study.title), "", ""
    else:  # its owner has renamed it
        study.worded_by = study.by or "?"
    study.save(update_fields=["title", "text", "html", "worded_by"])
    for chapter in chapters:
        numbered = QUESTION.fullmatch(chapter.title)
        chapter.title = "" if numbered else chapter.title
        chapter.place = max(int(numbered[1]) if numbered else chapter.place, 1) - 1
        chapter.save(update_fields=["title", "place"])


def _playlist(title: str) -> str:
    named = PRACTISE.fullmatch(title)
    return named[1] if named else title


def forget_imports(apps: Any, _editor: Any) -> None:
    """Delete studies that were still being imported or copied, with imported matches and jobs."""
    uploads = apps.get_model("games", "Upload").objects.filter(person__startswith=MARK)
    matches = [pk for pk in uploads.values_list("match", flat=True) if pk]
    seats = apps.get_model("games", "Seat").objects
    players = set(seats.filter(match__in=matches).values_list("player", flat=True))
    apps.get_model("replays", "HistoricalNote").objects.filter(owner__startswith=MARK).delete()
    uploads.delete()
    apps.get_model("replays", "Study").objects.filter(owner__startswith=MARK).delete()
    apps.get_model("games", "Chunk").objects.filter(match__in=matches).delete()
    seats.filter(match__in=matches).delete()
    apps.get_model("games", "Match").objects.filter(pk__in=matches).delete()
    gone = players - set(seats.filter(player__in=players).values_list("player", flat=True))
    apps.get_model("games", "Player").objects.filter(pk__in=gone).delete()
    apps.get_model("replays", "Job").objects.filter(kind__in=("ladder", "study", "simulation")).delete()


class Migration(migrations.Migration):
    replaces: ClassVar = [("replays", "0034_name_by_facts"), ("replays", "0036_drop_study_files")]
    dependencies: ClassVar = [("games", "0014_release_2_1_bots"), ("replays", "0027_release_2_1")]

    operations: ClassVar = [
        migrations.RunPython(take_words_out, migrations.RunPython.noop),
        migrations.RunPython(forget_imports, migrations.RunPython.noop),
    ]
