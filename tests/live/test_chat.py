"""The spectators' chat: through real sockets and two processes, and what the database refuses."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from games.chat import storage
from games.chat.values import BACKLOG
from games.live.host.client_frames import PHRASES, BadFrameError, Chat, parse
from games.models import ChatComplaint, ChatLine, ChatMute, LiveTable
from games.people import person
from games.people.visitor import Visitor
from games.tables.plan import Plan, from_json, to_json
from tests.live.asyncapi import document
from tests.live.serving import connect, plan_of, served, token, ws
from tests.live.spectators import Spectator, guest
from tests.services import Site

LONG = {"deck": [9, 9, 9, 9, 9, 3]}
EVE = Visitor((person.guest("eve"),), "Eve")


def table_of(plan: Plan) -> LiveTable:
    return LiveTable.objects.create(record_id=plan.id, plan=to_json(plan))


@pytest.fixture
def table(db: None) -> LiveTable:
    return table_of(plan_of("bots", 0, 3))


# Frames


@pytest.mark.parametrize("text", ["", "   ", "a" * 201, "a\nb", "a\u0000", "a\u202eb", "\u2066", 7])
def test_a_line_is_short_and_plain(text: Any) -> None:
    with pytest.raises(BadFrameError):
        parse(json.dumps({"type": "chat", "text": text}))


@pytest.mark.parametrize("text", ["hi", "ü" * 200, "<b>no</b>", "👩‍👧 ok"])
def test_other_lines_are_taken_as_they_are(text: str) -> None:
    assert parse(json.dumps({"type": "chat", "text": text})) == Chat(text)


def test_the_document_knows_all_phrases_and_the_length_of_a_backlog() -> None:
    parts = document()["components"]
    assert parts["schemas"]["phrase"]["enum"] == list(PHRASES)
    lines = parts["messages"]["chats"]["payload"]["properties"]["lines"]
    assert lines["maxItems"] == BACKLOG


# The database


def test_lines_are_numbered_and_found_by_number(table: LiveTable) -> None:
    assert [storage.add("bots", EVE, text) for text in ("one", "two")] == ["", ""]
    assert [(line.n, line.text) for line in storage.news({"bots": 0})] == [(1, "one"), (2, "two")]
    assert [line.n for line in storage.news({"bots": 1})] == [2]
    assert storage.news({"bots": 2, "nothing": 0}) == []


def test_a_person_writes_five_lines_in_ten_seconds(table: LiveTable) -> None:
    codes = [storage.add("bots", EVE, "hi") for _ in range(7)]
    assert codes == [""] * 5 + ["too-often"] * 2
    table_of(plan_of("other", 0, 2))
    assert storage.add("other", EVE, "hi") == "too-often"


def test_a_table_takes_twenty_lines_in_five_seconds(table: LiveTable) -> None:
    codes = [
        storage.add("bots", Visitor((person.guest(str(number)),), "G"), "hi")
        for number in range(22)
    ]
    assert codes == [""] * 20 + ["too-often"] * 2


def test_players_take_no_part_in_the_chat(db: None) -> None:
    table_of(plan_of("mixed", 0, 2).stand_up(0).sit(person.guest("eve"), "Eve"))
    assert storage.add("mixed", EVE, "hi") == "chat-off"
    assert storage.add("mixed", EVE._replace(persons=(person.guest("ada"),)), "hi") == ""


@pytest.mark.parametrize("field", ["chat", "watching"])
def test_a_match_may_be_without_chat(db: None, field: str) -> None:
    without: dict[str, Any] = {field: False}
    table_of(replace(plan_of("quiet", 0, 2), **without))
    assert storage.add("quiet", EVE, "hi") == "chat-off"
    assert storage.add("nothing", EVE, "hi") == "chat-off"


def test_an_older_plan_allows_it(db: None) -> None:
    stored = dict(to_json(plan_of("old", 0, 2)))
    del stored["chat"]
    assert from_json(stored).chat


def test_muting_at_one_table_and_everywhere(table: LiveTable) -> None:
    table_of(plan_of("other", 0, 2))
    ChatMute.objects.create(person="guest:eve", name=EVE.name, room="bots")
    assert storage.add("bots", EVE, "hi") == "muted"
    assert storage.add("other", EVE, "hi") == ""
    ChatMute.objects.create(person="guest:eve", name=EVE.name)
    assert storage.add("other", EVE, "hi") == "muted"
    logged_in = EVE._replace(persons=(person.account(7), *EVE.persons))
    assert storage.add("other", logged_in, "hi") == "muted"


def test_a_removed_message_leaves_only_its_number(table: LiveTable) -> None:
    for text in ("one", "two"):
        storage.add("bots", EVE, text)
    ChatLine.objects.filter(n=1).update(hidden=True)
    assert [(line.n, line.text) for line in storage.news({"bots": 0})] == [(1, ""), (2, "two")]
    assert [(line.n, line.text) for line in storage.news({"bots": 2})] == [(1, "")]


def test_a_line_is_reported_once_by_each(table: LiveTable) -> None:
    storage.add("bots", EVE, "bad")
    for key in ("a", "a", "b"):
        storage.report("bots", Visitor((person.guest(key),), "A"), 1)
    storage.report("bots", EVE, 99)
    assert ChatComplaint.objects.count() == 2


# Sockets


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    quiet = replace(plan_of("quiet", 0, 3, **LONG), chat=False)
    seated = plan_of("seated", 1, 2, **LONG)
    with served(
        tmp_path_factory.mktemp("chat"), plan_of("bots", 0, 3, **LONG), quiet, seated
    ) as running:
        yield running


@pytest.mark.slow
async def test_spectators_talk(site: Site) -> None:
    session = guest(site, "eve", "Eve")
    eve = await Spectator.come(site, "/ws/matches/bots/", session, chat=True, named=True)
    other = await Spectator.come(site, "/ws/matches/bots/", chat=True)
    silent = await Spectator.come(site, "/ws/matches/bots/")
    assert [viewer.frames[-1]["chat"] for viewer in (eve, other, silent)] == [True, True, False]
    await eve.send(type="chat", text="<b>Hello</b>")
    for viewer in (eve, other):
        (line,) = (await viewer.until("chats"))["lines"]
        assert (line["n"], line["by"], line["account"]) == (1, "Eve", False)
        assert line["text"] == "<b>Hello</b>"
    later = await Spectator.come(site, "/ws/matches/bots/", chat=True)
    assert (await later.until("chats"))["lines"] == [line]
    assert await other.error(type="chat", text="I have no name") == "nameless"
    assert await silent.error(type="chat", text="I hear nothing") == "chat-off"
    state = await silent.until("state", lambda frame: frame["watchers"])
    assert state["watchers"] == ["Eve"]
    await eve.send(type="report", n=1)
    assert (await eve.until("reported"))["n"] == 1
    hide = "from games.models import ChatLine; ChatLine.objects.update(hidden=True)"
    await asyncio.get_running_loop().run_in_executor(None, site.manage, "shell", "-c", hide)
    assert (await later.until("chats"))["gone"] == [1]
    codes = [await eve.error(type="chat", text="\u202e")]
    for _ in range(5):
        await eve.send(type="chat", text="again")
    codes.append((await eve.until("error"))["code"])
    assert codes == ["bad-frame", "too-often"]
    assert silent.heard() == []
    for viewer in (eve, other, silent, later):
        await viewer.socket.close()
    assert "Traceback" not in site.log.read_text()


@pytest.mark.slow
async def test_viewers_who_may_not_chat(site: Site) -> None:
    for path in ("/ws/watch/bots/", "/ws/matches/quiet/"):
        viewer = await Spectator.come(site, path, guest(site, "bo", "Bo"), chat=True, named=True)
        assert viewer.frames[-1]["chat"] is False
        assert await viewer.error(type="chat", text="hi") == "chat-off"
        await viewer.socket.close()
    socket = await connect(
        ws(site, "/ws/bots/seated/"), additional_headers={"Authorization": f"Bearer {token(0)}"}
    )
    player = Spectator(socket)
    await player.send(type="hello", v=1, chat=True)
    assert (await player.until("welcome"))["chat"] is False
    assert await player.error(type="chat", text="hi") == "chat-off"
    await socket.close()


@pytest.mark.slow
async def test_a_player_says_a_phrase(site: Site) -> None:
    watcher = await Spectator.come(site, "/ws/watch/seated/")
    socket = await connect(
        ws(site, "/ws/bots/seated/"), additional_headers={"Authorization": f"Bearer {token(0)}"}
    )
    player = Spectator(socket)
    await player.send(type="hello", v=1)
    await player.until("welcome")
    for phrase in ("good-luck", "ouch"):
        await player.send(type="say", phrase=phrase)
    said = lambda frame: frame["seats"][0]["says"]  # noqa: E731
    for viewer in (player, watcher):
        assert (await viewer.until("state", said))["seats"][0]["says"] == "good-luck"
    assert not said(await watcher.until("state", lambda frame: not said(frame)))
    assert await watcher.error(type="say", phrase="ouch") == "not-seated"
    assert await player.error(type="say", phrase="you fool") == "bad-frame"
    await watcher.socket.close()
    await socket.close()
