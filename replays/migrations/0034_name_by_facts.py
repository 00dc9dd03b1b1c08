"""What the site names is stored as facts, which pages put into each reader's words."""

import re
from datetime import date
from typing import Any, ClassVar, Final

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

# In the languages of the releases until now.
PRACTISE: Final = re.compile(r"(?:Practise|Üben): (.*)", re.DOTALL)
QUESTION: Final = re.compile(r"(?:Question|Frage) (\d+)")
MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
DAY: Final = re.compile(rf"(\d+) ({'|'.join(MONTHS)}) (\d{{4}})(?:: .*)?", re.DOTALL)
PUZZLES: Final = "A take that someone passed up. Do you see it, and how quickly?"
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


class Migration(migrations.Migration):
    dependencies: ClassVar = [("replays", "0033_store_jobs_as_facts")]

    operations: ClassVar = [migrations.RunPython(take_words_out, migrations.RunPython.noop)]
