"""Sockets that were open when somebody left a class: they close, and tell nothing more."""

import asyncio
import json
from functools import partial
from pathlib import Path

import pytest
from websockets.asyncio.client import ClientConnection

from games.people import changes
from replays.models import Review
from replays.reviews import admission
from tests.classes.lesson import Lesson
from tests.live.serving import PATIENCE_S, connect, ws
from tests.processes.conftest import off_loop
from tests.reviews.evening import Browser
from tests.services import Site

BUILD = """
import json
from functools import partial
from games.models import LiveTable, Match
from games.people.person import account, encode
from games.people.visitor import Author
from replays.classes.limits import today
from replays.homework import giving
from replays.models import Study
from replays.reviews import storage
from tests.people import world
from tests.people.class_addresses import ClassWorld
users, there = world.people(), ClassWorld()
key = there.school_class.key
table = world.build("class", "seating", users["Ada"], key)[0]
match = Match.objects.get(pk=world.build("class", "over", users["Ada"], key)[1])
LiveTable.objects.filter(phase="round").update(over=True)
author = Author(encode(account(there.coach.pk)), "Cora", there.coach)
of_match = storage.start(match, author, key)
study = Study.objects.create(owner=author.person, user=there.coach, by="Cora", title="Lesson")
chapter = study.chapters.create(number=1, place=0, title="A", match=match, round=1, event=9)
giving.give(there.school_class, there.coach, study, today())
for_whom_it_is_homework = storage.start_at(chapter, author, "")
paths = [f"/ws/reviews/{one.key}/" for one in (of_match, for_whom_it_is_homework)]
paths += [f"/ws/{kind}/{table}/" for kind in ("matches", "watch")]
paths.append(f"/ws/races/{match.pk}/?round=1&event=9&seat=2")
browsers = {one: there.browser(one) for one in ("coach", "pupil", "child")}
sessions = {one: browser.cookies["sessionid"].value for one, browser in browsers.items()}
people = {one: there.member(getattr(there, one)).pk for one in ("pupil", "child")}
print(json.dumps([key, paths, sessions, people]))
"""


async def opened(site: Site, path: str, session: str) -> ClientConnection:
    """A socket of that session, after its welcome."""
    cookie = {"Cookie": f"sessionid={session}"}
    socket = await connect(ws(site, path), origin=site.url, additional_headers=cookie)
    await socket.send(json.dumps({"type": "hello", "v": 1}))
    assert json.loads(await socket.recv())["type"] == "welcome", path
    return socket


async def closed(socket: ClientConnection) -> int:
    """By which code it closes."""
    async with asyncio.timeout(PATIENCE_S):
        await socket.wait_closed()
    return socket.close_code or 0


@pytest.mark.slow
async def test_who_leaves_a_class_is_shown_out_of_all_that_is_only_for_it(tmp_path: Path) -> None:
    with Site(tmp_path) as site:
        site.migrate()
        key, paths, sessions, people = json.loads(site.manage("shell", "-v0", "-c", BUILD))
        site.start()
        coach = Browser(site, sessions["coach"])
        for visitor, place, asked in (
            ("pupil", f"people/{people['pupil']}", "remove"),
            ("child", f"children/{people['child']}", "delete"),
        ):
            sockets = [await opened(site, path, sessions[visitor]) for path in paths]
            stays = [await opened(site, path, sessions["coach"]) for path in paths[:-1]]
            await off_loop(partial(coach.form, f"/classes/{key}/{place}/", do=asked))
            codes = await asyncio.gather(*map(closed, sockets))
            assert set(codes) <= {4403, 4404}, (visitor, codes)
            assert all(socket.close_code is None for socket in stays)
            for socket in stays:
                await socket.close()
        coach.close()


@pytest.mark.django_db
def test_a_review_of_homework_hears_at_once_of_who_is_in_its_class() -> None:
    lesson = Lesson()
    lesson.coach.post(f"/studies/{lesson.study.key}/review/", {"chapter": 1, "school_class": ""})
    review, here = Review.objects.get(), changes.of_class(lesson.there.key)
    assert here not in admission.subjects(review)
    lesson.give()
    assert here in admission.subjects(review)
