"""What is deleted, and what stays: the matches, and everything that is still needed."""

import time
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from axes.models import AccessLog
from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.chat import storage
from games.models import (
    AnsweredAction,
    ChatComplaint,
    ChatLine,
    ChatMute,
    LiveTable,
    Match,
    RelayReply,
    RelayRequest,
)
from games.tables import lobby, opening, retention
from tests.services import Site
from tests.web.records import store


def old_table(match: str, days: int = 31, *, over: bool = True, private: bool = False) -> LiveTable:
    """A table that was opened so many days ago, with all that hangs on it."""
    plan = opening.planned("usaopoly-2009", 2, private=private)
    table = opening.open_table(plan)
    opened = timezone.now() - timedelta(days=days)
    LiveTable.objects.filter(pk=table.pk).update(record_id=match, created=opened, over=over)
    line = ChatLine.objects.create(room=match, n=1, person="guest:x", name="Eve", text="hello")
    ChatComplaint.objects.create(line=line, person="guest:y")
    ChatMute.objects.create(person="guest:x", name="Eve", room=match)
    AnsweredAction.objects.create(table=table, round=1, seq=1, seat=0, action_id="a")
    RelayRequest.objects.create(table=table, process="p", body={})
    table.refresh_from_db()
    return table


def tidy(**options: int) -> str:
    said = StringIO()
    call_command("tidy", **options, stdout=said, stderr=StringIO())
    return said.getvalue()


@pytest.mark.django_db
def test_old_tables_go_with_everything_that_refers_to_them() -> None:
    old_table("old")
    match = store(id="old")
    old_table("playing", over=False)
    old_table("recent", days=29)
    ChatMute.objects.create(person="guest:x", name="Eve")
    assert tidy() == "1 tables forgotten; every match is still there\n"
    left = ["playing", "recent"]
    assert list(LiveTable.objects.values_list("record_id", flat=True)) == left
    for rows in (
        ChatLine.objects.values_list("room", flat=True),
        ChatMute.objects.exclude(room="").values_list("room", flat=True),
        AnsweredAction.objects.values_list("table__record_id", flat=True),
        RelayRequest.objects.values_list("table__record_id", flat=True),
    ):
        assert sorted(rows) == left
    assert ChatComplaint.objects.count() == 2
    assert ChatMute.objects.filter(room="").exists()
    assert Match.objects.filter(pk=match.pk).exists()
    assert tidy(days=28).startswith("1 ")


@pytest.mark.django_db
def test_however_many_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "BATCH", 2)
    for number in range(5):
        old_table(f"old{number}")
    assert [retention.forget_tables(30) for _ in range(3)] == [2, 2, 1]
    assert tidy().startswith("0 ")


@pytest.mark.django_db
def test_sessions_login_attempts_and_mails_go_too() -> None:
    now = timezone.now()
    for key, days in (("past", -1), ("coming", 1)):
        expires = now + timedelta(days=days)
        Session.objects.create(session_key=key, session_data="", expire_date=expires)
    for days in (1, 31):
        log = AccessLog.objects.create(username="ada")
        AccessLog.objects.filter(pk=log.pk).update(attempt_time=now - timedelta(days=days))
        reply = RelayReply.objects.create(process="p", body={})
        RelayReply.objects.filter(pk=reply.pk).update(created=now - timedelta(hours=20 * days))
    tidy()
    assert [session.session_key for session in Session.objects.all()] == ["coming"]
    assert AccessLog.objects.count() == RelayReply.objects.count() == 1


@pytest.mark.parametrize("days", ["0", "-1", "x", "٣"])
def test_a_number_of_days_is_asked_for(days: str) -> None:
    with pytest.raises(CommandError, match="expected a number of days"):
        call_command("tidy", f"--days={days}")


@pytest.mark.django_db
def test_links_to_a_table_that_is_forgotten_lead_to_its_match(client: Client) -> None:
    table = old_table("a", private=True)
    key = lobby.key_of("a")
    match = store(id="a")
    Match.objects.filter(pk=match.pk).update(
        token=key, visibility="link", filter_bits=match.filter_bits & ~1, source="live"
    )
    table.delete()
    assert client.get(reverse("games:table", args=["a"])).status_code == 404
    join = reverse("games:join")
    assert client.post(join, {"invitation": "a.wrong"}).status_code == 404
    page = client.post(join, {"invitation": f"a.{key}"}, follow=True)
    assert page.redirect_chain[-1][0] == reverse("replays:replay", args=[match.pk])
    assert page.status_code == 200
    public = store(id="b")
    assert Client().get(reverse("games:table", args=["b"]))["Location"] == f"/matches/{public.pk}/"


@pytest.mark.django_db
def test_deleting_an_account_deletes_its_chat(client: Client) -> None:
    user = get_user_model().objects.create_user("eve", password="pink stacks 5")
    person = f"user:{user.pk}"
    old_table("a", days=0, over=False)
    lines = ChatLine.objects.filter(room="a")
    ChatComplaint.objects.create(line=lines.get(n=1), person=person)
    line = ChatLine.objects.create(room="a", n=2, person=person, name="eve", text="my address is")
    ChatComplaint.objects.create(line=line, person="guest:y")
    ChatMute.objects.create(person=person, name="eve", room="a")
    client.force_login(user)
    client.post(reverse("accounts:delete"), {"password": "pink stacks 5"})
    assert list(lines.order_by("n").values_list("n", "name", "text", "hidden")) == [
        (1, "Eve", "hello", False),
        (2, storage.GONE, "", True),
    ]
    assert not ChatComplaint.objects.filter(line=line).exists()
    assert ChatComplaint.objects.filter(person=person).count() == 1
    assert not ChatMute.objects.filter(person=person).exists()
    assert [(line.n, line.text) for line in storage.news({"a": 2})] == [(2, "")]


OLD = "from tests.web.test_tidying import old_table; old_table('old')"
LEFT = "from games.models import LiveTable; print(LiveTable.objects.count())"


@pytest.mark.slow
def test_the_server_itself_forgets_old_tables(tmp_path: Path) -> None:
    with Site(tmp_path) as site:
        site.migrate()
        site.manage("shell", "-v", "0", "-c", OLD)
        site.start()
        end = time.monotonic() + 180
        while site.manage("shell", "-v", "0", "-c", LEFT).strip() != "0":
            assert time.monotonic() < end, site.log.read_text()
