"""Names: free, taken, changed, and kept apart at one table."""

import unicodedata
from urllib.parse import unquote

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.test import Client
from django.urls import resolve, reverse
from hypothesis import given
from hypothesis import strategies as st

from games.archive.players import players_like
from games.models import Account, LiveTable
from games.people.accounts import accounts_named, looks_like_an_account
from games.people.names import LENGTH, BadNameError, is_marked, skeleton, verify_name
from games.people.person import account, guest
from games.tables import opening
from games.tables.plan import NoSeatError, from_json, new_plan
from tests.notes.making import note
from tests.web.records import store
from tests.web.tables import plan_of

PASSWORD = "four blue stacks"
UNSEEN = {
    "zero width space": "A\u200bda",
    "right to left override": "A\u202eda",
    "isolate": "\u2066Ada",
    "soft hyphen": "A\u00adda",
    "variation selector": "Ada\ufe0f",
    "tag": "Ada\U000e0041",
    "Hangul filler": "\u3164",
    "half-width Hangul filler": "A\uffa0",
    "combining grapheme joiner": "A\u034fda",
    "braille blank": "\u2800Ada",
    "no-break space": "Ada\u00a0Lovelace",
    "Ogham space": "Ada\u1680Lovelace",
    "ideographic space": "Ada\u3000Lovelace",
    "line separator": "Ada\u2028",
    "NUL": "A\0da",
    "private use": "Ada\ue000",
    "unassigned": "Ada\u0378",
    "heaped marks": "A" + "\u0301" * 3,
    "mark on nothing": "\u0301Ada",
    "dots": "..",
    "only blanks": "   ",
    "nothing": "",
    "too long once normalised": "\ufdfa" * 2,
}


@pytest.mark.parametrize("name", UNSEEN.values(), ids=UNSEEN.keys())
def test_invisible_or_unreadable_text_is_no_name(name: str) -> None:
    with pytest.raises(BadNameError):
        verify_name(name)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ada", "Ada"),
        ("  Ada   Lovelace ", "Ada Lovelace"),
        ("𝐀𝐝𝐚", "Ada"),
        ("ﬁsh", "fish"),
        ("Zoë", "Zoë"),
        ("Nguyễn", "Nguyễn"),
        ("שרה", "שרה"),
        ("小明", "小明"),
        ("Ada 🂡", "Ada 🂡"),
        ("<b>&amp;", "<b>&amp;"),
    ],
)
def test_other_names_are_kept_in_one_form(text: str, name: str) -> None:
    assert verify_name(text) == name


@given(st.text())
def test_a_kept_name_is_short_visible_and_stays_as_it_is(text: str) -> None:
    try:
        name = verify_name(text)
    except BadNameError:
        return
    assert 0 < len(name) <= LENGTH
    assert name == verify_name(name) == unicodedata.normalize("NFKC", name).strip()
    assert all(letter == " " or unicodedata.category(letter)[0] not in "CZ" for letter in name)


@pytest.mark.parametrize("other", ["Ada", "ADA", "ada", "Аda", "АDА", "аdа", "𝐀da", "Ꭺda", "Αda"])
def test_names_that_look_alike_have_one_skeleton(other: str) -> None:
    assert skeleton(other) == skeleton("Ada")


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ida", "lda"), ("ida", "ІDA"), ("Max", "rnax"), ("Otto", "0tt0"), ("paul", "pau1")],
)
def test_letters_and_digits_that_look_alike_are_one(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(
    ("one", "other"), [("Ada", "Ava"), ("Ada", "Ada 2"), ("Zoe", "Zoë"), ("Bo", "Bob")]
)
def test_names_that_differ_stay_apart(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


@pytest.mark.parametrize(
    "spellings",
    [
        ("Николай", "николай", "НИКОЛАЙ"),
        ("Ωμέγα", "ωμέγα", "ΩΜΈΓΑ"),
        ("łukasz", "Łukasz", "ŁUKASZ"),
        ("юля", "Юля"),
        ("straße", "STRASSE"),
        ("οδος", "ΟΔΟΣ"),
        ("BOB", "ВОВ"),
        ("Max", "МАХ"),
    ],
)
def test_names_in_every_case_and_script_have_one_skeleton(spellings: tuple[str, ...]) -> None:
    assert len(set(map(skeleton, spellings))) == 1


def test_no_letters_case_gives_it_another_skeleton() -> None:
    letters = [chr(point) for point in range(0x20000) if chr(point).isalpha()]
    cases = [{letter, letter.upper(), letter.lower(), letter.casefold()} for letter in letters]
    assert [forms for forms in cases if len(set(map(skeleton, forms))) > 1] == []


@given(st.text())
def test_a_skeleton_is_the_same_for_all_cases_and_itself(text: str) -> None:
    assert skeleton(skeleton(text)) == skeleton(text)


# --- On the site ----------------------------------------------------------------------------


def signed_up(name: str) -> str:
    """What the site says to a new account of that name."""
    form = {"username": name, "password1": PASSWORD, "password2": PASSWORD}
    return Client().post(reverse("accounts:sign_up"), form, follow=True).text


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["Аda", "ADA", "ada", "𝐀da"])
def test_nobody_signs_up_or_plays_as_somebody_who_is_there(name: str) -> None:
    get_user_model().objects.create_user("Ada")
    assert "looks too much like one that is" in signed_up(name)
    response = Client().post(reverse("games:rename"), {"name": name})
    assert response.status_code == 422
    assert "looks too much like one that is" in response.text
    assert get_user_model().objects.count() == 1


@pytest.mark.django_db
def test_a_renamed_user_is_found_by_the_new_name_only(client: Client) -> None:
    user = get_user_model().objects.create_user("Ada")
    assert looks_like_an_account("Аda")
    get_user_model().objects.update(username="Eve")
    assert not looks_like_an_account("Аda")
    assert looks_like_an_account("Еve")
    assert not looks_like_an_account("Еve", but=user.pk)
    call_command("createsuperuser", "--noinput", username="root", email="")
    assert looks_like_an_account("rооt")
    assert Account.objects.count() == 2


@pytest.mark.django_db
def test_looking_for_a_name_costs_three_queries(django_assert_num_queries) -> None:
    for number in range(20):
        get_user_model().objects.create_user(f"p{number}")
    looks_like_an_account("Ada")
    with django_assert_num_queries(3):
        looks_like_an_account("Ada")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("whose", "name"),
    [
        *(("a bot", name) for name in ("taker", "Taker 2", "tаker", "Ragna", "ragna 7")),
        *(
            ("the site", name)
            for name in ("Ratuki", "RATUKІ", "Admin-2", "system", "The Moderator")
        ),
    ],
)
def test_nobody_takes_the_name_of_a_bot_or_of_the_site(whose: str, name: str) -> None:
    assert f"belongs to {whose}" in Client().post(reverse("games:rename"), {"name": name}).text


@pytest.mark.django_db
def test_every_spelling_of_a_name_is_one_account_and_one_player() -> None:
    assert "Welcome, Łukasz" in signed_up("Łukasz")
    for name in ("łukasz", "ŁUKASZ"):
        assert "looks too much like one that is" in signed_up(name)
        form = {"username": name, "password": PASSWORD}
        assert Client().post(reverse("accounts:log_in"), form).status_code == 302
    match = store("Łukasz", "Bo", "ŁU")
    for name in ("łukasz", "ŁUKASZ"):
        page = Client().get(reverse("replays:player", args=[name]), follow=True)
        assert "<bdi>Łukasz</bdi></h1>" in page.text
        assert players_like(name)[0][1] == "Łukasz"
        named = note(match, text=f"Look, @{name}.")
        assert [user.get_username() for user in named.mentions.all()] == ["Łukasz"]
        assert '<a href="/players/%C5%81ukasz/" class="player-link"' in named.html
        assert f">@{name}</a>" in named.html
    assert [name for _, name in players_like("łu")] == ["ŁU", "Łukasz"]


@pytest.mark.django_db
def test_accounts_that_were_alike_before_keep_apart() -> None:
    for name in ("Николай", "николай"):
        get_user_model().objects.create_user(name, password=PASSWORD)
    for name, status in (("Николай", 302), ("николай", 302), ("НИКОЛАЙ", 200)):
        form = {"username": name, "password": PASSWORD}
        assert Client().post(reverse("accounts:log_in"), form).status_code == status, name


@pytest.mark.django_db
def test_an_upload_takes_no_name_from_anybody() -> None:
    store("Ada", "Bo", kinds=["bot", "human"], source="imported")
    assert "Welcome, Ada" in signed_up("Ada")


HOSTILE = ("..", ".", "../../admin", "a/../b", "~", "~..", "~/x", "/", "//evil.example", "a?b#c")


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_leads_out_of_the_players_folder(name: str) -> None:
    address = reverse("replays:player", args=[name])
    parts = address.removeprefix("/players/").split("/")
    assert address.startswith("/players/")
    assert not {".", "..", "%2e", "%2E%2E"} & set(parts)
    view = resolve(unquote(address))
    assert (view.view_name, view.kwargs) == ("replays:player", {"name": name})


@given(st.text(min_size=1).filter(lambda name: name.isprintable()))
def test_every_name_has_one_address(name: str) -> None:
    address = reverse("replays:player", args=[name])
    assert resolve(unquote(address)).kwargs == {"name": name}


def test_every_character_has_one_skeleton() -> None:
    """The steps of `skeleton` come to an end: all of the plane that names are written in."""
    every = [chr(point) for point in range(0x10000) if not 0xD800 <= point < 0xE000]
    assert [letter for letter in every if skeleton(skeleton(letter)) != skeleton(letter)] == []


MARKED = (
    "SecBotty (bot)",
    *("Ada [bot]", "Ada {BOT}", "Ada <Bot>", "Ada（bot）", "Ada 【bot】", "Ada ❨bot❩", "Ada |bot|"),
    *("Ada (bоt)", "Ada (B0T)", "Ada (ᏼot)", "Ada (𝐛𝐨𝐭)", "Ada (bøt)", "Ada (бот)", "Ada (ʙᴏᴛ)"),
    *("Ada (bot) 2", "Ada (bot 2)", "(bot) Ada", "Ada ( b o t )", "Ada ⒝⒪⒯", "Ada (bot"),
    *("Bot", "bot 2", "(bot) 2", "B.o.t", "BOT_7", "ВОТ", "ⓑⓞⓣ", "Ragna (site bot)"),
)
PLAIN = ("Jan Bot", "Botond", "Robot 7", "deep-bot", "Ada (both)", "Bo T", "Bot Fan", "Ann (1)")


def test_nobody_chooses_the_mark_of_a_bot() -> None:
    assert [name for name in MARKED if not is_marked(name)] == []
    assert [name for name in PLAIN if is_marked(name)] == []


@given(st.text(max_size=8), st.sampled_from(("(bot)", "[Bot]", "(bоt)", "⟨BOT⟩")))
def test_the_mark_is_found_behind_every_name(name: str, mark: str) -> None:
    assert is_marked(f"{name} {mark}")


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["SecBotty (bot)", "Bot", "Ada [B0T]", "deleted account"])
def test_the_sites_own_names_are_refused_wherever_one_is_chosen(client: Client, name: str) -> None:
    said = client.put("/api/v1/name", {"name": name}, content_type="application/json")
    assert (said.status_code, said.json()["field"]) == (422, "name")
    client.post("/play/name/", {"name": name})
    assert "guest_name" not in client.session
    body = {"name": name, "plays": "person", "seats": 2}
    opened = client.post("/api/v1/tables", body, content_type="application/json")
    assert (opened.status_code, opened.json()["field"]) == (422, "name")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "status"),
    [("Deep", 201), ("Deep (bot)", 201), ("Deep (bot) 2", 422), ("Deep (bоt)", 422)],
)
def test_the_site_alone_marks_a_program(client: Client, name: str, status: int) -> None:
    body = {"name": name, "seats": 2}
    told = client.post("/api/v1/tables", body, content_type="application/json")
    assert told.status_code == status
    if status == 201:
        assert plan_of(told.json()["id"]).places[0].name == "Deep (bot)"


@pytest.mark.django_db
def test_a_guest_who_has_had_a_marked_name_gets_another(client: Client) -> None:
    session = client.session
    session.update({"guest": "k", "guest_name": "SecBotty (bot)"})
    session.save()
    client.post("/play/quick/")
    (table,) = LiveTable.objects.all()
    assert from_json(table.plan).places[0].name.startswith("Guest ")


def test_no_two_players_at_a_table_share_a_name() -> None:
    plan = new_plan("t", "usaopoly-2009", 3, {}).sit(guest("a"), "Ada")
    for name in ("Ada", "ADA", "Аda"):
        with pytest.raises(NoSeatError, match="looks like it"):
            plan.sit(guest("b"), name)
    assert plan.sit(guest("b"), "Bo").seat_of(guest("b")) == 1


def test_bots_of_one_temper_are_numbered() -> None:
    plan = new_plan("t", "usaopoly-2009", 4, {})
    for _ in range(3):
        plan = plan.seat_bot("taker", 3, "taker")
    assert [place.name for place in plan.places[:3]] == ["taker", "taker 2", "taker 3"]


def test_a_new_account_keeps_a_name_that_differs_from_the_tables() -> None:
    plan = new_plan("t", "usaopoly-2009", 2, {}).sit(guest("a"), "Guest 1").sit(account(2), "Bo")
    assert plan.hand_over(guest("a"), account(1), "Ada").places[0].name == "Ada"
    assert plan.hand_over(guest("a"), account(1), "bo").places[0].name == "Guest 1"


@pytest.mark.django_db
def test_a_guest_says_the_name_beside_sit_down(client: Client) -> None:
    opening.open_table(new_plan("t", "usaopoly-2009", 2, {}).sit(guest("a"), "Ada"))
    assert 'name="name"' in client.get("/play/t/").text
    for name, said in (("taker", "belongs to a bot"), ("ada", "looks like it")):
        page = client.post("/play/t/sit/", {"name": name}, follow=True).text
        assert said in page
    client.post("/play/t/sit/", {"name": "Bo"})
    assert [place.name for place in plan_of("t").places] == ["Ada", "Bo"]
    assert client.session["guest_name"] == "Bo"


@pytest.mark.django_db
def test_without_a_name_a_guest_gets_one(client: Client) -> None:
    opening.open_table(new_plan("t", "usaopoly-2009", 2, {}).sit(guest("a"), "Ada"))
    client.post("/play/t/sit/", {"name": "  "})
    assert plan_of("t").places[1].name.startswith("Guest ")


@pytest.mark.django_db
def test_a_name_is_of_the_old_account_that_is_written_so_or_of_none() -> None:
    for name in ("Ada", "ADA", "Bo"):
        get_user_model().objects.create_user(name)
    named = accounts_named(["Ada", "ADA", "ada", "bo"])
    found = {name: account.name for name, account in named.items()}
    assert found == {"Ada": "Ada", "ADA": "ADA", "bo": "Bo"}
