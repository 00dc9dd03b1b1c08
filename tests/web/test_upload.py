"""Upload of records, honest and hostile."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from games.archive.packing import text_of
from games.archive.store import record_of
from games.models import Match, MatchComplaint, Player, Seat, Upload
from games.tables import opening
from games.tables.plan import new_plan
from replays.pages.forms import MAX_UPLOAD
from replays.pages.players.profile import profile_of
from tests.web.records import record, store, store_hosted

pytestmark = pytest.mark.django_db

RECORD = text_of(record(id="upload")).encode()
PLENTY = dict.fromkeys(("account", "guest", "address", "address_guests", "guests"), 2**30)


def send(client: Client, content: bytes, name: str = "a.ratuki"):
    return client.post("/matches/upload/", {"record": SimpleUploadedFile(name, content)})


def test_a_valid_record_is_stored_and_opened_with_the_guest_s_name(client: Client) -> None:
    response = send(client, RECORD)
    match = Match.objects.get()
    assert response["Location"] == f"/matches/{match.pk}/"
    assert "".join(record_of(match)).encode() == RECORD
    page = client.get(response["Location"]).text
    assert "has been stored" in page
    sender = Upload.objects.get()
    assert re.fullmatch(r"Guest \d{4}", sender.name)
    assert f"uploaded by {sender.name}" in page


def test_a_match_that_is_there_is_opened_as_it_is(client: Client) -> None:
    send(client, RECORD)
    response = send(client, RECORD.replace(b'"Ada"', b'"Mallory"'))
    assert response["Location"] == f"/matches/{Match.objects.get().pk}/"
    text = client.get(response["Location"]).text
    assert "your record, which differs from it, was not stored" in text
    assert "Mallory" not in text
    assert "This match is here already" in client.get(send(client, RECORD)["Location"]).text


def test_nobody_else_begins_the_match_of_a_table(client: Client) -> None:
    opening.open_table(new_plan("upload", "usaopoly-2009", 2, {}))
    response = send(client, RECORD)
    assert response.status_code == 422
    assert "a table of this site has this id" in response.text
    assert not Match.objects.exists()


def test_no_person_in_an_upload_has_the_mark_of_a_bot_and_older_records_are_shown(
    client: Client,
) -> None:
    marked = text_of(record("SecBotty (bot)", "Bo", id="marked")).encode()
    refused = send(client, marked)
    assert (refused.status_code, "only a bot has the mark of one" in refused.text) == (422, True)
    assert send(client, marked.replace(b'"human"', b'"bot"')).status_code == 302
    older = store("Ada (bot)", "Bo")
    assert "Ada (bot)" in client.get(f"/matches/{older.pk}/").text
    assert "Ada (bot)" in client.get(f"/matches/{older.pk}.ratuki").text


def test_the_fault_is_shown_beside_its_line(client: Client) -> None:
    lines = RECORD.split(b"\n")
    lines[9] = lines[9].replace(b'"seat":', b'"seet":')
    response = send(client, b"\n".join(lines))
    assert response.status_code == 422
    assert "Line 10: " in response.text
    faulty = re.search(r'<li class="faulty".*?</li>', response.text, re.DOTALL)
    assert faulty
    assert ">10</span>" in faulty[0]
    assert "&quot;seet&quot;" in faulty[0]
    assert re.findall(r'fault-number[^"]*">(\d+)<', response.text) == ["8", "9", "10", "11", "12"]
    assert not Match.objects.exists()


HOSTILE = {
    "no line feed": (RECORD[:-1], RECORD.count(b"\n")),
    "NUL": (RECORD.replace(b'"Ada"', b'"A\\u0000"'), 1),
    "right to left": (RECORD.replace(b'"Ada"', '"A\u202e"'.encode()), 1),
    "markup": (b'{"<script>alert(1)</script>":1}\n', 1),
    "a long line": (RECORD + b" " * 100_000, RECORD.count(b"\n") + 1),
    "many lines": (RECORD[: RECORD.index(b"\n") + 1] + b"{}\n" * 100_000, 2),
}


@pytest.mark.parametrize("kind", list(HOSTILE))
def test_hostile_files_are_refused_with_their_line(client: Client, kind: str) -> None:
    content, line = HOSTILE[kind]
    response = send(client, content)
    assert response.status_code == 422
    assert f"Line {line}: " in response.text
    assert "<script>alert" not in response.text
    assert "\u202e" not in response.text
    assert "\x00" not in response.text
    assert len(response.content) < 20_000
    assert not Match.objects.exists()


def test_a_file_over_the_limit_is_refused_unread(client: Client) -> None:
    response = send(client, RECORD + b" " * MAX_UPLOAD)
    assert response.status_code == 422
    assert "larger than 4 MiB" in response.text


# --- Where it comes from --------------------------------------------------------------------


def test_who_sent_it_stands_wherever_it_is_shown(client: Client, django_user_model) -> None:
    client.force_login(django_user_model.objects.create_user("Kim"))
    address = send(client, RECORD)["Location"]
    match = Match.objects.get()
    assert (match.origin, match.upload.name) == ("uploaded", "Kim")
    store("Ada", "Bo")
    for page in (address, "/matches/", "/players/Ada/"):
        assert "uploaded by Kim" in Client().get(page).text


@pytest.mark.parametrize("said", ["live", "simulated", "imported"])
def test_a_record_cannot_say_where_it_comes_from(client: Client, said: str) -> None:
    lie = RECORD.replace(b'"source":"simulated"', f'"source":"{said}"'.encode())
    text = client.get(send(client, lie)["Location"]).text
    assert "uploaded by" in text
    assert Match.objects.get().origin == Match.Origin.UPLOADED
    assert f"<span>{said}</span>" not in text


def test_an_uploaded_match_is_listed_apart_and_claims_no_player_of_the_site(client: Client) -> None:
    here = store("Ada", "Bo")
    address = send(client, RECORD)["Location"]
    for page in (address, "/matches/?played=elsewhere"):
        assert 'href="/players/Ada/"' not in client.get(page).text
    for page in (f"/matches/{here.pk}/", "/matches/?played=here"):
        assert 'href="/players/Ada/"' in client.get(page).text
    ours = f"/matches/{here.pk}/"
    for asked, shown, hidden in (("here", ours, address), ("elsewhere", address, ours)):
        text = client.get(f"/matches/?played={asked}").text
        assert f'href="{shown}"' in text
        assert f'href="{hidden}"' not in text


def test_what_is_uploaded_counts_apart(client: Client) -> None:
    match = store_hosted("Ada", "Bo")
    send(client, RECORD)
    ada = Player.objects.get(name="Ada")
    profile = profile_of(ada)
    assert (profile.overall.played, profile.uploaded.played) == (1, 1)
    assert [played.match for played in profile.latest] == [match.pk]
    assert profile.uploaded.won == Seat.objects.exclude(match=match).get(player=ada).won
    assert "in uploaded records: 1 finished match" in (client.get("/players/Ada/").text)


# --- How much -------------------------------------------------------------------------------


def test_a_day_has_a_quota_of_bytes(client: Client, settings) -> None:
    settings.UPLOAD_BYTES_A_DAY = {**PLENTY, "account": 1, "guest": 2 * len(RECORD)}
    assert send(client, RECORD).status_code == 302
    assert send(client, RECORD[:-1]).status_code == 422
    over = send(client, RECORD)
    assert over.status_code == 429
    assert int(over["Retry-After"]) > 0
    assert "You can upload at most" in over.text
    assert send(Client(), RECORD).status_code == 302
    assert Upload.objects.count() == 3
    Upload.objects.update(created=datetime.now(UTC) - timedelta(days=1, seconds=1))
    assert send(client, RECORD).status_code == 302


def test_all_guests_together_have_a_quota(settings, django_user_model) -> None:
    settings.UPLOAD_BYTES_A_DAY = {**PLENTY, "guests": 2 * len(RECORD)}
    assert [send(Client(), RECORD).status_code for _ in range(3)] == [302, 302, 429]
    known = Client()
    known.force_login(django_user_model.objects.create_user("Kim"))
    assert send(known, RECORD).status_code == 302


def test_nothing_was_played_in_the_days_to_come(client: Client) -> None:
    for hours, status in ((23, 302), (25, 422)):
        at = f"{datetime.now(UTC) + timedelta(hours=hours):%Y-%m-%dT%H:%M:%SZ}"
        lines = record(id=f"ahead-{hours}", started_at=at)
        response = send(client, text_of(lines).encode())
        assert response.status_code == status
    assert f"Line 1: started_at: {at} is more than a day ahead" in response.text


# --- What is wrong with it --------------------------------------------------------------------


def test_a_visitor_reports_a_match_once(client: Client) -> None:
    address = send(client, RECORD)["Location"]
    assert "Report a problem with this match" in client.get(address).text
    visitor = Client()
    for words in ("A name in it is an insult.", "Again!"):
        assert visitor.post(f"{address}complaint/", {"text": words})["Location"] == address
    assert "A moderator will look" in visitor.get(address).text
    report = MatchComplaint.objects.get()
    assert report.text == "A name in it is an insult."
    assert visitor.post(f"{address}complaint/", {"text": ""}).status_code == 302
    assert visitor.post(f"{address}complaint/", {"text": "x" * 501}).status_code == 302
    assert MatchComplaint.objects.count() == 1
    assert visitor.post("/matches/99999/complaint/", {"text": "x"}).status_code == 404


def test_an_address_and_its_guests_have_a_share(settings: Any, django_user_model: Any) -> None:
    size = len(RECORD)
    share = {"guest": size, "address": 4 * size, "address_guests": 2 * size}
    settings.UPLOAD_BYTES_A_DAY = {**PLENTY, **share}

    def sent(address: str, client: Client | None = None) -> int:
        form = {"record": SimpleUploadedFile("a.ratuki", RECORD)}
        response = (client or Client()).post("/matches/upload/", form, REMOTE_ADDR=address)
        return response.status_code

    assert [sent("192.0.2.1") for _ in range(3)] == [302, 302, 429]
    assert sent("192.0.2.2") == 302, "nobody else's share"
    known = Client()
    known.force_login(django_user_model.objects.create_user("Kim"))
    assert [sent("192.0.2.1", known) for _ in range(3)] == [302, 302, 429]
    assert sent("192.0.2.2", known) == 302
    assert "192.0.2" not in str(list(Upload.objects.values()))


def test_names_with_what_nobody_sees_are_refused_and_those_shown_have_no_page(
    client: Client,
) -> None:
    other = RECORD.replace(b'"name":"', b'"name":"\\u200b', 1)
    assert other != RECORD
    refused = send(client, other)
    assert refused.status_code == 422
    assert "U+200B" in refused.text
    assert send(client, RECORD).status_code == 302
    for name in Player.objects.values_list("name", flat=True):
        assert client.get(f"/players/{name}/").status_code == 404
    lists = ("/players/", f"/players/?name={name[:1]}", f"/matches/?player={name[:1]}")
    for address in lists:
        assert f'href="/players/{name}/"' not in client.get(address).text
    Match.objects.update(origin=Match.Origin.HOSTED)
    Seat.objects.update(origin=Match.Origin.HOSTED)
    assert client.get(f"/players/{name}/").status_code == 200
    for address in lists:
        assert f'href="/players/{name}/"' in client.get(address).text
