"""News by email: for whom, when, with what, and how it ends."""

import re
from datetime import datetime, time, timedelta

import pytest
from django.core import mail
from django.core.mail import EmailMessage
from django.test import Client
from django.utils import timezone

from games.models import Account, MailSent
from replays.models import News, NewsSettings, Study
from replays.pages.news import mail as news_mail
from tests.classes.making import user_of
from tests.notes.browsers import account
from tests.studies.making import study

pytestmark = pytest.mark.django_db
TITLE = 'Ada\'s <5> & "Bo"'


def reader(name: str = "Kim") -> Client:
    """An account with a confirmed address, which has asked for it."""
    browser = account(name)
    user = user_of(browser)
    user.email = f"{name.lower()}@example.org"
    user.save()
    said = {"address": user.email, "name": name}
    Account.objects.update_or_create(user=user, defaults=said)
    assert "Saved." in asks(browser)
    return browser


def asks(browser: Client) -> str:
    """What the site says to somebody who wants it."""
    return browser.post("/news/settings/", {"mail": "on"}, follow=True).text


def share(*readers: Client, by: str = "Cora", day: int = 0) -> Study:
    """A study that somebody shares with them, now or at 8:30 in so many days."""
    names = [user_of(browser).get_username() for browser in readers]
    made = study(account(by), TITLE, visibility="people", readers=names)
    if day:
        News.objects.filter(by=by).update(at=at(8, day=day))
    return made


def at(hour: int, day: int = 1) -> datetime:
    """A time in UTC, so many days from today."""
    on = timezone.now().date() + timedelta(days=day)
    return timezone.make_aware(datetime.combine(on, time(hour, 30)))


def sent(now: datetime) -> list[EmailMessage]:
    """The mails that are sent then; those an hour ago do not count any more."""
    MailSent.objects.all().delete()
    mail.outbox.clear()
    news_mail.send_due(now)
    return list(mail.outbox)


def test_a_mail_comes_once_a_day_with_what_is_new() -> None:
    kim = reader()
    shared = share(kim)
    assert sent(timezone.now()) == [], "the first is tomorrow's"
    (message,) = sent(at(7))
    assert message.to == ["kim@example.org"]
    assert message.subject == "1 notification from Ratuki"
    said = f"- Cora shared a study with you: {TITLE}\n  http://127.0.0.1:8000/studies/"
    assert f"{said}{shared.key}/" in message.body
    assert sent(at(8)) == []
    share(kim, by="Bo", day=1)
    assert sent(at(9)) == []
    (two,) = sent(at(7, day=2))
    assert "Bo shared" in two.body
    assert "Cora" not in two.body
    share(kim, by="Eve", day=2)
    seen = {"until": at(8, day=2).isoformat()}
    assert kim.post("/api/v1/news/read", seen, content_type="application/json").status_code == 200
    assert sent(at(7, day=3)) == [], "it has been read"


def test_it_comes_in_the_morning() -> None:
    share(reader())
    for hour in (0, 5, 10, 23):
        assert sent(at(hour)) == []
    assert len(sent(at(9))) == 1


def test_nothing_is_told_of_what_one_may_no_longer_see() -> None:
    kim = reader()
    shared = share(kim)
    Study.objects.filter(pk=shared.pk).update(visibility="self")
    assert sent(at(7)) == []


def test_mail_goes_to_confirmed_addresses_of_people_alone() -> None:
    kim = reader()
    share(kim)
    user = user_of(kim)
    for change, back in (
        ({"address": "old@example.org"}, {"address": user.email}),
        ({"supervised": True}, {"supervised": False}),
    ):
        Account.objects.filter(user=user).update(**change)
        assert sent(at(7)) == []
        Account.objects.filter(user=user).update(**back)
    Account.objects.update(address="")
    NewsSettings.objects.update(mail=False)
    assert "Confirm your email address first." in asks(kim)
    Account.objects.update(supervised=True)
    assert kim.post("/news/settings/", {"mail": "on"}).status_code == 403
    assert "While you are away" not in kim.get("/news/").text


def test_a_mail_that_is_lost_is_in_the_next_one_and_none_comes_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kim = reader()
    share(kim)

    def lost(_: EmailMessage) -> int:
        """The mail server, or this process, dies while the mail is sent."""
        raise KeyboardInterrupt

    with monkeypatch.context() as dying:
        dying.setattr(EmailMessage, "send", lost)
        with pytest.raises(KeyboardInterrupt):
            sent(at(7))
    assert sent(at(8)) == []
    assert len(sent(at(7, day=2))) == 1
    share(kim, by="Bo", day=2)
    stale = NewsSettings.objects.select_related("user").get()
    assert len(sent(at(7, day=3))) == 1
    mail.outbox.clear()
    news_mail._send(stale, at(7, day=3))  # another worker, which has read the row before
    assert mail.outbox == []


def test_an_address_of_two_accounts_gets_one_an_hour() -> None:
    readers = [reader(name) for name in ("Kim", "Lee")]
    for browser in readers:
        user = user_of(browser)
        user.email = "both@example.org"
        user.save()
        Account.objects.filter(user=user).update(address=user.email)
    share(*readers)
    assert len(sent(at(7))) == 1
    assert len(sent(at(8))) == 1


def test_one_press_ends_it_without_logging_in() -> None:
    kim = reader()
    share(kim)
    (message,) = sent(at(7))
    headers = message.extra_headers
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    link = headers["List-Unsubscribe"].strip("<>")
    assert link in message.body
    path = re.sub("^http://[^/]+", "", link)
    stranger = Client(enforce_csrf_checks=True)
    for _ in range(2):
        assert "Stop the emails" in stranger.get(path).text, "scanners follow links"
    assert NewsSettings.objects.get().mail
    assert stranger.get(f"{path[:-2]}x/").status_code == 404
    pressed = stranger.post(path, {"List-Unsubscribe": "One-Click"})
    assert (pressed.status_code, "No more emails" in pressed.text) == (200, True)
    assert not NewsSettings.objects.get().mail
    share(kim, by="Bo")
    assert sent(at(7, day=2)) == []
