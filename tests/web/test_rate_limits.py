"""Too many costly requests are asked to wait; nobody else is, not even a class that logs in."""

import re
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener

import pytest
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.core.cache import caches
from django.test import Client, override_settings
from django.urls import get_resolver, reverse
from django.utils import timezone
from django.utils.http import urlsafe_base64_encode

from games.people.addresses import address_of_scope, network
from ratuki_site.rate_limits import counted
from replays.classes import members
from tests.addresses import names
from tests.guests import guest
from tests.notes.browsers import put
from tests.services import Redis, Site

pytestmark = pytest.mark.django_db
NEW = "five blue stacks"

FEW = override_settings(
    POST_LIMITS={"games:quick": (2, 600), "": (3, 600)}, ADDRESS_TIMES={"": 1, "a:b": 2}
)


def quick(client: Client, address: str = "192.0.2.1") -> int:
    """The status that answers a quick game."""
    return client.post(reverse("games:quick"), REMOTE_ADDR=address).status_code


@FEW
def test_an_address_is_asked_to_wait(client: Client) -> None:
    assert [quick(client) for _ in range(2)] == [302, 302]
    refused = client.post(reverse("games:quick"), REMOTE_ADDR="192.0.2.1")
    assert refused.status_code == 429
    assert 0 < int(refused["Retry-After"]) <= 600
    assert "nothing was done" in refused.text
    assert quick(Client(), "192.0.2.2") == 302


@FEW
def test_another_name_in_the_same_network_is_the_same_asker(client: Client) -> None:
    mine = ("2001:db8::1", "2001:db8::2", "2001:db8::ffff:1")
    assert [quick(client, address) for address in mine] == [302, 302, 429]
    assert quick(Client(), "2001:db8:0:1::1") == 302


@FEW
def test_a_user_is_asked_to_wait_wherever_they_are(client: Client) -> None:
    client.force_login(User.objects.create_user("ada"))
    assert [quick(client, f"192.0.2.{n}") for n in range(3)] == [302, 302, 429]
    assert quick(Client(), "192.0.2.0") == 302


@override_settings(POST_LIMITS={"games:quick": (2, 600), "": (9, 600)}, ADDRESS_TIMES={"": 3})
def test_a_class_behind_one_address_is_counted_by_person_first() -> None:
    learners = [guest(f"learner{number}") for number in range(3)]
    learners[0].force_login(User.objects.create_user("ada"))
    assert [quick(learner) for learner in learners for _ in range(2)] == [302] * 6
    assert quick(learners[0]) == 429
    assert quick(learners[1], "192.0.2.2") == 429, "a guest is one everywhere"
    assert quick(guest("late")) == 429, "their address has had its share"


def test_twenty_five_learners_answer_eight_questions() -> None:
    """As many requests as a lesson makes: a start, an answer and two previews of a note each."""
    learners = [guest(f"learner{number}") for number in range(25)]
    statuses = {
        learner.post("/api/v1/notes/preview", b"{}", content_type="application/json").status_code
        for learner in learners
        for _ in range(8 * 4)
    }
    assert 429 not in statuses


@FEW
def test_reading_is_not_counted(client: Client) -> None:
    for _ in range(9):
        assert client.get(reverse("games:lobby")).status_code == 200
    assert quick(client) == 302


@FEW
def test_everything_else_is_counted_together(client: Client) -> None:
    paths = [reverse("games:rename"), reverse("accounts:sign_up"), reverse("accounts:log_in")]
    assert all(client.post(path).status_code != 429 for path in paths)
    assert client.post(paths[0]).status_code == 429
    assert quick(client) == 302


@FEW
def test_what_csrf_refuses_is_not_counted() -> None:
    strict = Client(enforce_csrf_checks=True)
    assert [quick(strict) for _ in range(4)] == [403] * 4
    assert quick(Client()) == 302


@override_settings(
    POST_LIMITS={"": (1, 600)},
    ADDRESS_TIMES={"": 1},
    SECURE_PROXY_SSL_HEADER=("HTTP_X_FORWARDED_PROTO", "https"),
)
def test_behind_our_proxy_its_word_counts(client: Client) -> None:
    path = reverse("games:rename")

    def post(said: str) -> int:
        return client.post(path, headers={"X-Forwarded-For": said}).status_code

    assert post("198.51.100.7") != 429
    assert post("203.0.113.9, 198.51.100.7") == 429
    assert post("198.51.100.8") != 429


@pytest.mark.parametrize("view", ["accounts:log_in", "admin:login"])
def test_the_admins_log_in_is_counted_with_the_other(client: Client, view: str) -> None:
    with override_settings(POST_LIMITS={"accounts:log_in": (2, 600), "": (9, 600)}):
        assert client.post(reverse("accounts:log_in")).status_code == 200
        assert client.post(reverse("admin:login")).status_code == 200
        assert client.post(reverse(view)).status_code == 429


MADE = {"accounts:sign_up": (302, 2, 600), "accounts:log_in": (200, 2, 600)}


def signed_up(client: Client, name: str, password: str = "four blue stacks") -> int:
    form = {"username": name, "password1": password, "password2": password}
    return client.post(reverse("accounts:sign_up"), form).status_code


@override_settings(OUTCOME_LIMITS=MADE)
def test_accounts_made_are_counted_and_a_class_comes_by_its_link_all_the_same() -> None:
    assert [signed_up(Client(), "Pupil", "short") for _ in range(3)] == [200] * 3
    assert [signed_up(Client(), f"Pupil-{at}") for at in range(3)] == [302, 302, 429]
    there = members.create(User.objects.create_user("Cora"), "4b")
    invited = Client()
    invited.post(reverse("replays:join_class"), {"invitation": there.invitation})
    assert signed_up(invited, "Zoe") == 302
    assert signed_up(Client(), "Eve") == 429
    other = Client(REMOTE_ADDR="192.0.2.7")
    assert signed_up(other, "Fay") == 302


@override_settings(OUTCOME_LIMITS=MADE)
def test_log_ins_are_free_and_wrong_passwords_are_counted() -> None:
    for name in ("Ada", "Bo"):
        User.objects.create_user(name, password="four blue stacks")

    def log_in(name: str, password: str = "four blue stacks") -> int:
        form = {"username": name, "password": password}
        return Client().post(reverse("accounts:log_in"), form).status_code

    assert [log_in("Ada") for _ in range(5)] == [302] * 5
    assert [log_in("Bo", "a guess"), log_in("Cy", "a guess")] == [200, 200]
    assert [log_in("Bo", "a guess"), log_in("Ada")] == [429, 429]


@override_settings(LOG_IN_LIMIT_BY_NAME=(3, 600))
def test_a_name_is_guessed_slowly_from_however_many_addresses(client: Client) -> None:
    def guess(name: str, number: int) -> int:
        form = {"username": name, "password": f"guess {number}"}
        return client.post(
            reverse("accounts:log_in"), form, REMOTE_ADDR=f"192.0.2.{number}"
        ).status_code

    assert [guess("Ada", number) for number in range(3)] == [200] * 3
    assert guess("aDA", 4) == 429
    assert guess("Bo", 5) == 200


def test_guesses_at_a_deletion_are_counted(client: Client) -> None:
    client.force_login(User.objects.create_user("ada"))
    path = reverse("accounts:delete")
    with override_settings(POST_LIMITS={"accounts:delete": (2, 600), "": (9, 600)}):
        codes = [client.post(path, {"password": "guess"}).status_code for _ in range(3)]
    assert codes == [200, 200, 429]
    assert settings.POST_LIMITS["accounts:delete"][0] <= 10


def test_taking_names_is_counted_by_either_way(client: Client) -> None:
    with override_settings(
        POST_LIMITS={"games:rename": (1, 600), "": (9, 600)}, ADDRESS_TIMES={"": 1}
    ):
        assert client.post(reverse("games:rename"), {"name": "Ada"}).status_code == 302
        assert put(client, reverse("api:name"), name="Bo").status_code == 429


def test_the_lock_says_when_to_come_back_and_capitals_are_no_way_round_it(client: Client) -> None:
    User.objects.create_user("ada", password="four blue stacks")
    path = reverse("accounts:log_in")
    names = ["ada", "Ada", "ADA", "aDa", "adA"] * (settings.AXES_FAILURE_LIMIT // 5)
    codes = [client.post(path, {"username": name, "password": "x"}).status_code for name in names]
    assert (codes[-2], codes[-1]) == (200, 429)
    locked = client.post(path, {"username": "ADa", "password": "four blue stacks"})
    assert locked.status_code == 429
    assert 3_590 <= int(locked["Retry-After"]) <= 3_600
    assert "wrong ten times" in locked.text
    AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(minutes=50))
    again = client.post(path, {"username": "ada", "password": "four blue stacks"})
    assert int(again["Retry-After"]) <= 600, "a try during the hour does not begin it anew"
    assert "Wait 10 minutes" in again.text
    AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(minutes=61))
    assert client.post(path, {"username": "ada", "password": "four blue stacks"}).status_code == 302


def _by_mail(user: User) -> None:
    """As the link in a mail leads to the form."""
    start = reverse(
        "accounts:reset_confirm",
        args=[
            urlsafe_base64_encode(str(user.pk).encode()),
            default_token_generator.make_token(user),
        ],
    )
    browser = Client()
    form = browser.get(start)["Location"]
    new = dict.fromkeys(("new_password1", "new_password2"), NEW)
    assert browser.post(form, new).status_code == 302


def _by_staff(user: User) -> None:
    """As the admin and `changepassword` do."""
    user.set_password(NEW)
    user.save()


def _by_coach(user: User) -> None:
    User.objects.filter(pk=user.pk).update(
        password=PBKDF2PasswordHasher().encode(NEW, "salt", iterations=10)
    )


@pytest.mark.parametrize("set_by", [_by_mail, _by_staff, _by_coach])
@override_settings(LOG_IN_LIMIT_BY_NAME=(12, 600))
def test_a_new_password_opens_the_lock_whoever_sets_it(
    client: Client, set_by: Callable[[User], None]
) -> None:
    user = User.objects.create_user("ada", password="four blue stacks", email="ada@example.org")
    path = reverse("accounts:log_in")
    for _ in range(12):
        locked = client.post(path, {"username": "ada", "password": "x"})
    assert locked.status_code == 429
    assert "Ask your coach for a new code" in locked.text
    set_by(user)
    assert client.post(path, {"username": "Ada", "password": "x"}).status_code == 200
    assert client.post(path, {"username": "Ada", "password": NEW}).status_code == 302


def test_a_household_is_locked_as_one(client: Client) -> None:
    User.objects.create_user("ada", password="four blue stacks")
    path, form = reverse("accounts:log_in"), {"username": "ada", "password": "wrong"}
    for number in range(settings.AXES_FAILURE_LIMIT):
        client.post(path, form, REMOTE_ADDR=f"2001:db8::{number + 1:x}")
    assert client.post(path, form, REMOTE_ADDR="2001:db8::ffff").status_code == 429
    assert client.post(path, form, REMOTE_ADDR="2001:db8:0:1::1").status_code == 200


@pytest.mark.parametrize(
    ("trusted", "found"), [(None, "127.0.0.1"), (("X", "https"), "2001:db8::7")]
)
def test_sockets_have_the_same_address(trusted: object, found: str) -> None:
    headers = [(b"x-forwarded-for", b"203.0.113.9, 2001:db8::7")]
    with override_settings(SECURE_PROXY_SSL_HEADER=trusted):
        scope = {"headers": headers, "client": ("127.0.0.1", 5)}
        assert address_of_scope(scope) == found


def test_nobody_waits_longer_where_the_clock_has_gone_back() -> None:
    caches["rate_limits"].set("clock|since", time.time() + 86_400)
    assert counted("clock", 60) == (1, 60)


def test_every_limited_view_is_there() -> None:
    every = set(names(get_resolver().url_patterns))
    limited = (
        settings.POST_LIMITS.keys() | settings.GET_LIMITS.keys() | settings.ADDRESS_TIMES.keys()
    ) | settings.OUTCOME_LIMITS.keys()
    limited = limited - {""} | settings.POST_LIMITS_AS.keys()
    assert limited - every == set()


def test_an_invalid_address_is_counted_too() -> None:
    assert network("not an address") == network("") == "unknown"
    assert network("::ffff:192.0.2.1") == network("192.0.2.1")


ASK = "from ratuki_site.rate_limits import counted; print(counted('sign-up|me', 60)[0])"
ASK_IN_A_CROWD = """
from ratuki_site.rate_limits import counted
counted("sign-up|me", 60)
for number in range(500):
    counted(f"sign-up|{number}", 60)
print(counted("sign-up|me", 60)[0])
"""


def test_processes_count_together_as_long_as_there_is_redis(tmp_path: Path, redis: Redis) -> None:
    with Site(tmp_path, {"REDIS_URL": redis.url}) as site:
        assert [site.manage("shell", "-v0", "-c", ASK) for _ in range(3)] == ["1\n", "2\n", "3\n"]
        redis.stop()
        try:
            assert site.manage("shell", "-v0", "-c", ASK) == "1\n"
            assert site.manage("shell", "-v0", "-c", ASK_IN_A_CROWD) == "2\n"
        finally:
            redis.start()


PEOPLE = 24
PASSWORD = "quite-a-long-one-7"
MOST_MIB = 512
"""What the log-ins may take together: one hash takes 100 MiB."""
MAKE = (
    "from django.contrib.auth import get_user_model\n"
    f"for one in range({PEOPLE}):\n"
    f"    get_user_model().objects.create_user(f'p{{one}}', password={PASSWORD!r})\n"
)


def peak_mib(site: Site) -> int:
    """The most memory that a site has ever had."""
    assert site.process
    status = Path(f"/proc/{site.process.pid}/status").read_text()
    return int(re.findall(r"VmHWM:\s+(\d+) kB", status)[0]) // 1024


def log_in(site: Site, name: str) -> int:
    """Log in; the status of the page that follows."""
    browser = build_opener(HTTPCookieProcessor(CookieJar()))
    address = f"{site.url}/account/log-in/"
    token = re.search(rb'name="csrfmiddlewaretoken" value="(\w+)"', browser.open(address).read())
    assert token
    said = {"username": name, "password": PASSWORD, "csrfmiddlewaretoken": token[1].decode()}
    try:
        return int(browser.open(address, urlencode(said).encode()).status)
    except HTTPError as error:
        return error.code


def test_a_class_that_logs_in_at_once_is_let_in_and_takes_little_memory(tmp_path: Path) -> None:
    with Site(tmp_path) as site:
        site.prepare()
        site.manage("shell", "--verbosity", "0", "-c", MAKE)
        site.start()
        assert log_in(site, "p0") == 200
        before = peak_mib(site)
        with ThreadPoolExecutor(PEOPLE) as pool:
            statuses = list(pool.map(lambda number: log_in(site, f"p{number}"), range(PEOPLE)))
        assert statuses == [200] * PEOPLE
        assert peak_mib(site) - before < MOST_MIB
