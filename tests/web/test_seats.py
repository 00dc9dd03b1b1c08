"""Who sits where, as rows: they follow the plans, count for the limit, and go with the match."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from django.contrib.auth import get_user_model
from django.db import connection

from games.bots.roster import BotSpec
from games.live.host.leases import Lease
from games.live.storage.commits import Commits
from games.models import LiveTable, Match, Seat, Seated
from games.people.person import Kind, Person, account, decode, encode, guest
from games.tables import claiming, joining, lobby, opening, seats
from games.tables.guided import guided_plan
from games.tables.plan import Plan, from_json, new_plan
from games.tables.seats import MOST_SEATS, TooManySeatsError
from tests.live.states import HOST_STATE, match_state
from tests.services import Postgres, Site
from tests.web.records import store

ADA = guest("ada")


def free(match: str, count: int = 2) -> Plan:
    return new_plan(match, "usaopoly-2009", count, {})


def seated() -> dict[str, set[Person | None]]:
    """Who sits at each table, by the rows."""
    tables: dict[str, set[Person | None]] = {}
    for match, person in Seated.objects.values_list("table__record_id", "person"):
        tables.setdefault(match, set()).add(decode(person))
    return tables


@pytest.mark.django_db
def test_rows_follow_the_plan() -> None:
    opening.open_table(free("a", 3).sit(ADA, "Ada"))
    joining.sit("a", account(7), "Bo")
    joining.sit("a", Person(Kind.TOKEN, "cafe"), "Cy")
    assert seated() == {"a": {ADA, account(7), Person(Kind.TOKEN, "cafe")}}
    joining.stand_up("a", ADA)
    assert seated() == {"a": {account(7), Person(Kind.TOKEN, "cafe")}}
    table = LiveTable.objects.get()
    assert (table.free, table.people, table.public) == (1, 2, True)
    lease = Lease(table.pk, "a", 0)
    Commits().save_state(lease, HOST_STATE, match_state("round"), over=False)
    assert lobby.mine([account(7)])[0].id == "a"
    Commits().save_state(lease, HOST_STATE, match_state("finished"), over=False)
    assert seated() == {}
    assert LiveTable.objects.get().phase == "finished"


@pytest.mark.django_db
def test_a_refused_seat_changes_nothing() -> None:
    for name in ("a", "b", "c"):
        opening.open_table(free(name).sit(ADA, "Ada"))
    opening.open_table(free("d"))
    for refused in (
        lambda: joining.sit("d", ADA, "Ada"),
        lambda: opening.open_table(free("e").sit(ADA, "Ada")),
    ):
        with pytest.raises(TooManySeatsError, match="You sit at 3 tables"):
            refused()
    assert from_json(LiveTable.objects.get(record_id="d").plan).seat_of(ADA) is None
    assert not LiveTable.objects.filter(record_id="e").exists()
    joining.stand_up("b", ADA)
    joining.sit("d", ADA, "Ada")
    assert [table.id for table in lobby.mine([ADA])] == ["d", "c", "a"]


@pytest.mark.django_db
def test_programs_sit_where_they_like() -> None:
    for number in range(MOST_SEATS + 2):
        opening.open_table(free(f"t{number}").sit(Person(Kind.TOKEN, "cafe"), "C"))
    assert len(lobby.mine([Person(Kind.TOKEN, "cafe")])) == MOST_SEATS + 2


@pytest.mark.django_db
def test_the_own_tables_are_found_among_however_many() -> None:
    opening.open_table(free("mine").sit(ADA, "Ada"))
    for number in range(lobby.MOST_ROWS + 5):
        opening.open_table(free(f"t{number}"))
    assert [table.id for table in lobby.mine([ADA])] == ["mine"]
    assert len(lobby.waiting()) == lobby.MOST_ROWS


@pytest.mark.django_db
def test_lists_are_read_along_their_indexes() -> None:
    table = LiveTable.objects.filter(over=False, public=True)
    assert "table_shown" in table.order_by("-people", "-pk")[:9].explain()
    assert "table_waiting" in table.filter(phase="seating").order_by("-pk")[:9].explain()


@pytest.mark.django_db
def test_a_rematch_is_for_who_is_there_still() -> None:
    left = get_user_model().objects.create_user("left")
    stays = get_user_model().objects.create_user("stays")
    plan = free("a", 4).sit(account(left.pk), "left").sit(account(stays.pk), "stays")
    plan = plan.sit(ADA, "Guest 1").seat_bot("taker", 3, "taker")
    table = opening.open_table(plan)
    match = store("left", "stays", "Guest 1", "taker", id="a")
    Seat.objects.filter(match=match, number=2).update(guest="ada")
    left.delete()
    claimed = get_user_model().objects.create_user("Ada")
    Seat.objects.filter(guest="ada").update(user=claimed)
    for _ in range(2):
        Commits().rematch(Lease(table.pk, "a", 0), plan.turned("b"))
    again = from_json(LiveTable.objects.get(record_id="b").plan)
    assert [place.name for place in again.places] == ["stays", "Ada", "taker", ""]
    assert seated()["b"] == {account(stays.pk), account(claimed.pk)}


@pytest.mark.django_db
def test_a_rematch_may_be_one_table_too_many() -> None:
    plan = free("a").sit(ADA, "Ada").seat_bot("taker", 3, "taker")
    table = opening.open_table(plan)
    for name in "xy":
        opening.open_table(free(name).sit(ADA, "Ada"))
    Commits().rematch(Lease(table.pk, "a", 0), plan.turned("b"))
    assert len(lobby.mine([ADA])) == MOST_SEATS + 1


@pytest.mark.django_db
@pytest.mark.parametrize("begun", [False, True])
def test_who_signs_up_keeps_the_seats_of_the_guest(begun: bool) -> None:
    plan = free("a").sit(ADA, "Guest 1").seat_bot("taker", 3, "taker")
    opening.open_table(plan)
    if begun:
        match = store("Guest 1", "taker", id="a")
        Match.objects.filter(pk=match.pk).update(state=Match.State.OPEN)
        Seat.objects.filter(match=match, number=0).update(guest="ada")
    user = get_user_model().objects.create_user("Ada")
    assert claiming.claim(user, {"guest": "ada"}) == ["1 match"] * begun  # type: ignore[arg-type]
    table = LiveTable.objects.get()
    plan = from_json(table.plan)
    assert (plan.seat_of(account(user.pk)), plan.seat_of(ADA)) == (0, None)
    assert plan.places[0].name == ("Guest 1" if begun else "Ada")
    assert table.plan_version == 1
    assert seated() == {"a": {account(user.pk)}}


@pytest.mark.django_db
def test_who_sits_there_twice_keeps_both_seats() -> None:
    user = get_user_model().objects.create_user("Ada")
    opening.open_table(free("a").sit(ADA, "Guest 1").sit(account(user.pk), "Ada"))
    claiming.claim(user, {"guest": "ada"})  # type: ignore[arg-type]
    assert seated() == {"a": {ADA, account(user.pk)}}


def at_once(count: int) -> int:
    """Let one person sit down at so many tables at the same moment; how many let them."""
    for number in range(count):
        opening.open_table(opening.planned("usaopoly-2009", 2).sit(guest(str(number)), "P"))
    open_tables = LiveTable.objects.values_list("record_id", flat=True)
    together = Barrier(count)

    def try_one(match: str) -> bool:
        together.wait(20)
        try:
            joining.sit(match, ADA, "Ada")
        except TooManySeatsError:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(count) as pool:
        return sum(pool.map(try_one, list(open_tables)))


@pytest.mark.django_db(transaction=True)
def test_who_sits_down_everywhere_at_once_gets_no_seat_too_many() -> None:
    assert at_once(6) == MOST_SEATS
    assert Seated.objects.filter(person=encode(ADA)).count() == MOST_SEATS


@pytest.mark.postgres
def test_nor_on_postgresql(postgres: Postgres, tmp_path: Path) -> None:
    with Site(tmp_path, {"DATABASE_URL": postgres.url()}) as site:
        site.migrate()
        asked = "from tests.web.test_seats import at_once; print(at_once(8))"
        assert site.manage("shell", "-v0", "-c", asked).strip() == str(MOST_SEATS)


@pytest.mark.django_db
def test_bots_take_no_rows() -> None:
    opening.open_table(opening.with_bots(free("a"), [BotSpec("taker"), BotSpec("runner")]))
    assert not Seated.objects.exists()
    assert seats.tables_of(guest("")) == []


@pytest.mark.django_db
def test_a_guided_round_keeps_nobody_from_a_table_nor_a_table_from_it() -> None:
    opening.open_table(guided_plan(ADA, "Ada"))
    for name in "xyz":
        opening.open_table(free(name).sit(ADA, "Ada"))
    assert len(lobby.mine([ADA])) == MOST_SEATS + 1
    opening.open_table(guided_plan(ADA, "Ada"))
    with pytest.raises(TooManySeatsError):
        opening.open_table(free("w").sit(ADA, "Ada"))
