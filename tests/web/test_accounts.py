"""Accounts: sign up, log in, password, claim, delete; and what strangers cannot do."""

import re
import socket
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from axes.models import AccessAttempt, AccessLog
from django.contrib.auth import get_user_model
from django.core import mail
from django.db import connection
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone

from games.models import FormerName, LiveTable, LogIn, MailSent, Match, Player, Seat
from games.people import guests, log_ins
from games.people.accounts import RESERVED
from games.people.mail import PAUSE, settle
from games.people.person import account, guest
from games.tables import opening
from games.tables.plan import from_json, new_plan
from tests.web.records import store

pytestmark = pytest.mark.django_db
PASSWORD = "four blue stacks"


@pytest.fixture
def ada(client: Client) -> Client:
    """A browser in which Ada has just made her account."""
    form = {"username": "Ada", "email": "ada@ratuki.example"}
    form |= {"password1": PASSWORD, "password2": PASSWORD}
    response = client.post(reverse("accounts:sign_up"), form)
    assert response.status_code == 302, response.content.decode()
    return client


@pytest.fixture
def confirmed(ada: Client) -> Client:
    """The same, once she has followed the link in her first mail."""
    ada.post(linked())
    mail.outbox.clear()
    return ada


def linked() -> str:
    """The address in the newest mail."""
    settle()
    address = re.search(r"http://testserver(/\S+)", str(mail.outbox[-1].body))
    assert address
    return address[1]


def seat_of_guest(key: str) -> Seat:
    now = timezone.now()
    match = Match.objects.create(
        record_id="m1", header="{}", edition="gamerules", seat_count=2, started_at=now, day=0
    )
    player = Player.objects.create(name="Guest 1234", skeleton="guest l234")
    return Seat.objects.create(
        match=match, number=0, player=player, kind="human", started_at=now, guest=key
    )


def test_sign_up_logs_in_and_keeps_the_password_with_argon2(ada: Client) -> None:
    page = ada.get(reverse("accounts:profile")).content.decode()
    assert "<h1><bdi>Ada</bdi></h1>" in page
    assert get_user_model().objects.get().password.startswith("argon2$")


def test_who_logs_in_or_signs_up_goes_on_to_the_page_they_wanted(client: Client) -> None:
    wanted = f"{reverse('replays:archive')}?player=Ada"
    page = client.get(wanted).text
    login = f"{reverse('accounts:log_in')}?next=/matches/%3Fplayer%3DAda"
    assert f'href="{login}"' in page
    sign_up = f"{reverse('accounts:sign_up')}?next=%2Fmatches%2F%3Fplayer%3DAda"
    assert f'href="{sign_up}"' in client.get(login).text
    assert f'href="{reverse("accounts:log_in")}"' in client.get(login).text  # not to itself
    form = {"username": "Ada", "password1": PASSWORD, "password2": PASSWORD}
    assert client.post(sign_up, form)["Location"] == wanted
    elsewhere = reverse("accounts:sign_up") + "?next=https://evil.example/"
    answer = Client().post(elsewhere, {**form, "username": "Bo"})
    assert answer["Location"] == reverse("accounts:profile")


def test_the_form_of_sign_up_tells_browsers_what_it_takes(client: Client) -> None:
    page = client.get(reverse("accounts:sign_up")).content.decode()
    fields = {re.findall(r'name="(\w+)"', tag)[0]: tag for tag in re.findall("<input .*?>", page)}
    assert 'maxlength="30"' in fields["username"]
    assert 'autocomplete="username"' in fields["username"]
    assert 'autocomplete="email"' in fields["email"]
    for name in ("password1", "password2"):
        assert 'autocomplete="new-password"' in fields[name]
    labels = re.findall(r'<label for="id_(\w+)">(.*?)</label>', page)
    assert labels == [
        ("username", "Username"),
        ("password1", "Password"),
        ("password2", "Repeat the password"),
        ("email", "Email (optional)"),
    ]
    assert 'aria-describedby="id_email_helptext"' in fields["email"]
    assert 'id="id_email_helptext"' in page


def test_the_own_results_are_linked_once_there_are_any(ada: Client) -> None:
    home, results = reverse("accounts:profile"), reverse("replays:player", args=["Ada"])
    page = ada.get(home).content.decode()
    assert results not in page
    assert "My matches</a>" in page
    store("Ada", "Bo")
    page = ada.get(home).content.decode()
    assert f'href="{results}"' in page
    assert ada.get(results).status_code == 200


def test_what_a_guest_played_comes_along(client: Client) -> None:
    session = client.session
    key = guests.become_guest(session).key
    session.save()
    seat = seat_of_guest(key)
    form = {"username": "Ada", "password1": PASSWORD, "password2": PASSWORD}
    response = client.post(reverse("accounts:sign_up"), form, follow=True)
    assert "Added to your account: 1 match." in response.content.decode()
    seat.refresh_from_db()
    assert seat.user is not None
    assert seat.user.get_username() == "Ada"


def test_a_pasted_name_is_kept_without_its_marks(ada: Client) -> None:
    ada.post(reverse("accounts:name"), {"username": "\u202aAda.L\u202c"})
    form = {"username": "\ufeffBo\u200e", "password1": PASSWORD, "password2": PASSWORD}
    Client().post(reverse("accounts:sign_up"), form)
    assert set(get_user_model().objects.values_list("username", flat=True)) == {"Ada.L", "Bo"}


@pytest.mark.parametrize("how", ["sign_up", "log_in"])
def test_a_guest_who_becomes_somebody_else_still_sits_at_the_table(
    client: Client, how: str
) -> None:
    get_user_model().objects.create_user("Bo", password=PASSWORD)
    session = client.session
    me = guests.become_guest(session)
    session.save()
    opening.open_table(new_plan("a", "usaopoly-2009", 2, {}).sit(me, "Guest 1"))
    new = {"username": "Ada", "password1": PASSWORD, "password2": PASSWORD}
    form = new if how == "sign_up" else {"username": "Bo", "password": PASSWORD}
    response = client.post(reverse(f"accounts:{how}"), form)
    assert response.status_code == 302
    assert client.get(reverse("games:table", args=["a"])).context["seat"] == 0


def test_claiming_takes_only_the_own_guests_seats(ada: Client) -> None:
    seat = seat_of_guest("somebody else's key")
    response = ada.post(reverse("accounts:claim"), follow=True)
    assert "Added to your account: nothing." in response.content.decode()
    seat.refresh_from_db()
    assert seat.user is None


def test_a_bad_name_is_refused_in_the_words_of_the_hint(client: Client) -> None:
    form = {"username": "Ada!", "password1": PASSWORD, "password2": PASSWORD}
    page = client.post(reverse("accounts:sign_up"), form).text
    assert "Only letters, digits and @ . + - _." in page
    assert "Enter a valid username" not in page


def test_a_forgotten_password_is_replaced_through_the_mailed_link_once(confirmed: Client) -> None:
    stranger = Client()
    stranger.post(reverse("accounts:reset"), {"email": "ada@ratuki.example"})
    link = linked()
    page = stranger.get(link, follow=True)
    form = {"new_password1": "six green stacks", "new_password2": "six green stacks"}
    stranger.post(page.redirect_chain[-1][0], form)
    assert stranger.login(username="Ada", password="six green stacks", request=page.wsgi_request)
    assert "This link no longer works" in Client().get(link, follow=True).text


def test_an_address_given_on_the_server_counts_as_confirmed(client: Client) -> None:
    get_user_model().objects.create_superuser("Mo", "mo@ratuki.example", "quite a long one")
    client.post(reverse("accounts:reset"), {"email": "mo@ratuki.example"})
    settle()
    assert [message.to for message in mail.outbox] == [["mo@ratuki.example"]]


def test_nobody_learns_whether_an_address_has_an_account(confirmed: Client) -> None:
    path = reverse("accounts:reset")
    known = confirmed.post(path, {"email": "ada@ratuki.example"}, follow=True)
    unknown = confirmed.post(path, {"email": "bo@ratuki.example"}, follow=True)
    assert known.redirect_chain == unknown.redirect_chain
    settle()
    assert len(mail.outbox) == 1


def test_an_address_gets_no_mail_before_it_is_confirmed(ada: Client) -> None:
    settle()
    assert [message.subject for message in mail.outbox] == ["Confirm your address for Ratuki"]
    link = linked()
    ada.post(reverse("accounts:reset"), {"email": "ada@ratuki.example"})
    settle()
    assert len(mail.outbox) == 1
    assert "not confirmed yet" in ada.get(reverse("accounts:profile")).text
    assert "Is this your address?" in Client().get(link).text
    assert "not confirmed yet" in ada.get(reverse("accounts:profile")).text, "a look is no answer"
    Client().post(link)
    assert "not confirmed yet" not in ada.get(reverse("accounts:profile")).text
    ada.post(reverse("accounts:reset"), {"email": "ada@ratuki.example"})
    settle()
    assert mail.outbox[-1].subject == "A new password for Ada"


def test_an_address_gets_one_mail_of_a_kind_an_hour(confirmed: Client) -> None:
    for _ in range(3):
        Client().post(reverse("accounts:reset"), {"email": "ADA@ratuki.example"})
    settle()
    assert len(mail.outbox) == 1
    MailSent.objects.update(at=timezone.now() - PAUSE * 1.01)
    Client().post(reverse("accounts:reset"), {"email": "ada@ratuki.example"})
    settle()
    assert len(mail.outbox) == 2


def test_accounts_cannot_flood_an_address_with_confirmations() -> None:
    for number in range(4):
        form = {"username": f"P{number}", "email": "victim@ratuki.example"}
        form |= {"password1": PASSWORD, "password2": PASSWORD}
        assert Client().post(reverse("accounts:sign_up"), form).status_code == 302
    settle()
    assert len(mail.outbox) == 1


def test_a_new_address_must_be_confirmed_again(confirmed: Client) -> None:
    path = reverse("accounts:address")
    told = confirmed.post(
        path, {"email": "lovelace@ratuki.example", "password": PASSWORD}, follow=True
    ).text
    assert "a link is on its way to lovelace@ratuki.example" in told
    assert "not confirmed yet" in told
    again = confirmed.post(
        path, {"email": "lovelace@ratuki.example", "password": PASSWORD}, follow=True
    ).text
    assert "within the last hour" in again
    link = linked()
    confirmed.post(path, {"email": "", "password": PASSWORD})
    assert Client().post(link).status_code == 404, "the account has it no longer"
    assert "This link has expired" in Client().get("/account/confirm/nonsense/").text


def test_nobody_waits_for_a_mail_server_that_does_not_answer(
    confirmed: Client, caplog: pytest.LogCaptureFixture
) -> None:
    backend = "django.core.mail.backends.smtp.EmailBackend"
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        where = {"EMAIL_HOST": "127.0.0.1", "EMAIL_PORT": deaf.getsockname()[1]}
        with override_settings(EMAIL_BACKEND=backend, **where):
            form = {"email": "ada@ratuki.example"}
            assert confirmed.post(reverse("accounts:reset"), form).status_code == 302
            assert "a mail was not sent" not in caplog.text
            deaf.close()
            settle()
    assert "a mail was not sent" in caplog.text


def test_deleting_needs_the_password_and_leaves_the_matches(ada: Client) -> None:
    user = get_user_model().objects.get()
    seat = seat_of_guest("key")
    Seat.objects.filter(pk=seat.pk).update(user=user)
    refused = ada.post(reverse("accounts:delete"), {"password": "wrong"})
    assert "That is not your password." in refused.content.decode()
    ada.post(reverse("accounts:delete"), {"password": PASSWORD})
    assert not get_user_model().objects.exists()
    seat.refresh_from_db()
    assert seat.user is None


def test_deleting_frees_the_seats_at_tables_that_wait(ada: Client) -> None:
    user = get_user_model().objects.get()
    plan = new_plan("t", "usaopoly-2009", 2, {}).sit(guest("k"), "Bo").sit(account(user.pk), "Ada")
    opening.open_table(plan)
    ada.post(reverse("accounts:delete"), {"password": PASSWORD})
    left = from_json(LiveTable.objects.get().plan)
    assert [place.name for place in left.places] == ["Bo", ""]


def test_the_log_of_log_ins_goes_with_the_account(client: Client) -> None:
    get_user_model().objects.create_user("Ada", password=PASSWORD)
    path = reverse("accounts:log_in")
    for name, password in (("Bo", "wrong"), ("ada", "wrong"), ("Ada", PASSWORD)):
        client.post(path, {"username": name, "password": password})
    assert AccessLog.objects.exists()
    assert client.post(reverse("accounts:delete"), {"password": PASSWORD}).status_code == 302
    left = [
        *AccessAttempt.objects.values_list("username", flat=True),
        *AccessLog.objects.values_list("username", flat=True),
    ]
    assert left == ["Bo"]


@pytest.mark.parametrize("name", ["Ada", "ada", "ADA", "\ufeffAda", "\u200e Ada\u200f"])
@pytest.mark.parametrize("path", ["/account/log-in/", "/admin/login/"])
def test_logging_in_ignores_case_and_marks(client: Client, name: str, path: str) -> None:
    user = get_user_model().objects.create_user("Ada", password=PASSWORD, is_staff=True)
    client.post(path, {"username": name, "password": PASSWORD})
    assert client.session["_auth_user_id"] == str(user.pk)


def test_the_admin_lets_in_its_staff_only(client: Client) -> None:
    get_user_model().objects.create_user("Ada", password=PASSWORD)
    client.post("/admin/login/", {"username": "ada", "password": PASSWORD})
    assert "_auth_user_id" not in client.session


def test_a_name_can_be_changed_and_records_keep_theirs(ada: Client) -> None:
    user = get_user_model().objects.get()
    match = store("Ada", "Bo")
    match.seats.filter(number=0).update(user=user)
    page = ada.post(reverse("accounts:name"), {"username": "Lovelace"}, follow=True).text
    assert "You are now Lovelace" in page
    user.refresh_from_db()
    assert user.get_username() == "Lovelace"
    assert match.seats.get(number=0).name == "Ada"
    assert f'href="/matches/{match.pk}/"' in ada.get("/matches/mine/").text


@pytest.mark.parametrize("name", ["Bo", "bo", "Вo", "taker", "a b", "", "x" * 31])
def test_no_name_is_taken_by_a_change_that_is_not_free(ada: Client, name: str) -> None:
    get_user_model().objects.create_user("Bo")
    response = ada.post(reverse("accounts:name"), {"username": name})
    assert response.status_code == 422
    assert get_user_model().objects.filter(username="Ada").exists()
    assert ">Ada<" in response.text, "and the page still says who one is"


@pytest.mark.parametrize("how", ["name", "delete"])
def test_a_name_that_was_given_up_is_nobody_elses_for_a_while(ada: Client, how: str) -> None:
    ada.post(reverse(f"accounts:{how}"), {"username": "Lovelace", "password": PASSWORD})
    for name in ("Ada", "Аda"):
        assert Client().post(reverse("games:rename"), {"name": name}).status_code == 422
    FormerName.objects.update(since=timezone.now() - RESERVED)
    assert Client().post(reverse("games:rename"), {"name": "Ada"}).status_code == 302


def test_the_own_name_may_change_its_capitals_and_be_taken_back(ada: Client) -> None:
    for name in ("ADA", "Lovelace", "Ada"):
        assert ada.post(reverse("accounts:name"), {"username": name}).status_code == 302
        assert get_user_model().objects.get().get_username() == name


def test_an_open_browser_is_not_enough_to_take_the_address(confirmed: Client) -> None:
    path = reverse("accounts:address")
    for password in ({}, {"password": "guess"}):
        refused = confirmed.post(path, {"email": "eve@ratuki.example", **password})
        assert refused.status_code == 422
    assert get_user_model().objects.get().email == "ada@ratuki.example"
    assert not mail.outbox
    confirmed.post(path, {"email": "eve@ratuki.example", "password": PASSWORD})
    settle()
    told = {message.to[0]: message for message in mail.outbox}
    assert set(told) == {"ada@ratuki.example", "eve@ratuki.example"}
    assert "has been changed" in told["ada@ratuki.example"].body
    assert "eve@" not in told["ada@ratuki.example"].body
    mail.outbox.clear()
    confirmed.post(path, {"email": "", "password": PASSWORD})
    settle()
    assert not mail.outbox, "nothing goes to an address that nobody has confirmed"


FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


def logged_in(agent: str = "") -> Client:
    browser = Client(headers={"User-Agent": agent})
    browser.post(reverse("accounts:log_in"), {"username": "Ada", "password": PASSWORD})
    return browser


def is_in(browser: Client) -> bool:
    return browser.get(reverse("accounts:profile")).status_code == 200


def test_logging_out_clears_what_the_browser_has_cached(client: Client) -> None:
    client.force_login(get_user_model().objects.create_user("Ada"))
    left = client.post(reverse("accounts:log_out"))
    assert (left.status_code, left["Clear-Site-Data"]) == (302, '"cache"')


def test_a_user_sees_where_they_are_logged_in_and_ends_the_others(ada: Client) -> None:
    path = reverse("accounts:browsers")
    other, left = logged_in(FIREFOX), logged_in()
    left.post(reverse("accounts:log_out"))
    page = ada.get(path).text
    assert page.count("since ") == 2
    assert "<b>Firefox (Linux)</b>" in page
    assert "<b>A browser</b>" in page
    assert "<b>Ein Browser</b>" in ada.get(path, headers={"accept-language": "de"}).text
    LogIn.objects.filter(browser="").update(browser="(Linux)")
    assert "<b>A browser (Linux)</b>" in ada.get(path).text
    assert page.count(">this browser<") == 1
    assert ada.post(path, follow=True).text.count("since ") == 1
    assert is_in(ada)
    assert not is_in(other)


@pytest.mark.parametrize("how", ["change", "reset"])
def test_a_new_password_ends_the_others(confirmed: Client, how: str) -> None:
    other = logged_in()
    new = {"new_password1": "five red stacks", "new_password2": "five red stacks"}
    if how == "change":
        form = {"old_password": PASSWORD, **new}
        said = confirmed.post(reverse("accounts:password"), form, follow=True)
        assert said.redirect_chain == [(reverse("accounts:profile"), 302)]
        assert "Your password is changed." in said.text
        assert confirmed.get(reverse("accounts:browsers")).text.count("since ") == 1
    else:
        Client().post(reverse("accounts:reset"), {"email": "ada@ratuki.example"})
        link = linked()
        stranger = Client()
        stranger.post(stranger.get(link)["Location"], new)
        assert not is_in(confirmed)
        assert not LogIn.objects.exists()
    assert not is_in(other)


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (FIREFOX, "Firefox (Linux)"),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge (Windows)"),
        ("Mozilla/5.0 (iPhone; like Mac OS X) Version/18.0 Safari/604.1", "Safari (iPhone)"),
        ("<script>" * 99, ""),
        ("Lynx (Linux)", "(Linux)"),
    ],
)
def test_a_browser_is_called_by_its_name(agent: str, name: str) -> None:
    assert log_ins.named(agent) == name


SIGN_UP = {"username": "Zoë", "password1": PASSWORD, "password2": PASSWORD}


@pytest.mark.django_db(transaction=True)
def test_a_sign_up_that_is_sent_three_times_makes_one_account() -> None:
    def sent(_number: int) -> Any:
        try:
            return Client().post(reverse("accounts:sign_up"), SIGN_UP)
        finally:
            connection.close()

    with ThreadPoolExecutor(3) as pool:
        answers = list(pool.map(sent, range(3)))
    assert [answer.status_code for answer in answers] == [302, 302, 302]
    assert get_user_model().objects.count() == 1
    wrong = {**SIGN_UP, "password1": "another password", "password2": "another password"}
    assert "looks too much like" in Client().post(reverse("accounts:sign_up"), wrong).text
    get_user_model().objects.update(date_joined=timezone.now() - timedelta(minutes=2))
    assert "looks too much like" in Client().post(reverse("accounts:sign_up"), SIGN_UP).text


def test_a_second_tab_with_the_form_to_log_in_leads_on() -> None:
    get_user_model().objects.create_user("Ada", password=PASSWORD)
    browser, address = (
        Client(enforce_csrf_checks=True),
        f"{reverse('accounts:log_in')}?next=/notes/",
    )
    tabs = [browser.get(address).context["csrf_token"] for _ in range(2)]
    for token in map(str, tabs):
        said = {"username": "Ada", "password": PASSWORD, "csrfmiddlewaretoken": token}
        answer = browser.post(address, said)
        assert (answer.status_code, answer["Location"]) == (302, "/notes/")
    elsewhere = {"username": "Ada", "password": PASSWORD}
    assert Client(enforce_csrf_checks=True).post(address, elsewhere).status_code == 403


def test_a_weak_password_is_refused_with_the_reason_and_the_cursor_is_there(client: Client) -> None:
    form = {"username": "Bo", "password1": "12345678", "password2": "12345678"}
    page = client.post(reverse("accounts:sign_up"), form).text
    [focused] = [tag for tag in re.findall("<input .*?>", page) if "autofocus" in tag]
    assert 'name="password2"' in focused
    assert "This password is too common." in page
    assert not get_user_model().objects.exists()
