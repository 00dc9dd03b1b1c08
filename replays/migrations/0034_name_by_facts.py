"""What the site names is stored as facts, which pages put into each reader's words."""

import re
from typing import Any, ClassVar, Final

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

# In the languages of the releases until now.
PRACTISE: Final = re.compile(r"(?:Practise|Üben): (.*)", re.DOTALL)
QUESTION: Final = re.compile(r"(?:Question|Frage) (\d+)")
PUZZLES: Final = "A take that someone passed up. Do you see it, and how quickly?"
MISSED: Final = "Practise: my missed takes", "Üben: meine verpassten Stapel"


def take_words_out(apps: StateApps, _editor: BaseDatabaseSchemaEditor | None) -> None:
    studies, chapters, homework = (
        apps.get_model("replays", name)._base_manager for name in ("Study", "Chapter", "Homework")
    )
    for study in studies.filter(drill=True).iterator():
        _drill(study, chapters.filter(study=study).order_by("place", "number"))
    studies.filter(worded_by="").exclude(asked_in=None).update(title="")
    studies.filter(key="puzzles", owner="guest:daily").update(text=PUZZLES)
    for given in homework.filter(kind="drill").iterator():
        given.title = _playlist(given.title)
        given.save(update_fields=["title"])


def _drill(study: Any, chapters: Any) -> None:
    if study.title in MISSED:
        study.title = study.text = study.html = ""
    elif PRACTISE.fullmatch(study.title):
        study.title, study.text, study.html = _playlist(study.title), "", ""
    else:  # its owner has renamed it
        study.worded_by = study.worded_by or study.by
    study.save(update_fields=["title", "text", "html", "worded_by"])
    for place, chapter in enumerate(chapters):
        numbered = QUESTION.fullmatch(chapter.title)
        chapter.title = "" if numbered else chapter.title
        chapter.place = int(numbered[1]) - 1 if numbered else place
        chapter.save(update_fields=["title", "place"])


def _playlist(title: str) -> str:
    named = PRACTISE.fullmatch(title)
    return named[1] if named else title


class Migration(migrations.Migration):
    dependencies: ClassVar = [("replays", "0033_store_jobs_as_facts")]

    operations: ClassVar = [migrations.RunPython(take_words_out, migrations.RunPython.noop)]
