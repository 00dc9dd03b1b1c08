"""What each operation of the API and each page costs the server at most: CPU and bytes.

An operation without a row fails. A row is the largest request that anybody may send: about a match
with many notes, one as long as records may be, and one with a flood of tries in its round.
"""

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from time import process_time
from typing import Any, Final, NamedTuple

import pytest
from django.core.cache import caches
from django.db import transaction
from django.urls import URLResolver, get_resolver

from games.archive.packing import pack
from games.archive.store import insert, record_of
from games.people.visitor import Author
from games.records.receipts import MOST_ACTIONS
from replays.models import Chapter, Note, Study, Variation
from replays.notes.markdown import render
from replays.pages import charts, pictures
from replays.reviews import storage as reviews
from replays.stored import reports
from tests.classes.making import school_class, user_of
from tests.hostile_records import late_flood, long_match
from tests.notes.browsers import account, guest, post
from tests.notes.making import fresh
from tests.studies.making import moment
from tests.web.records import store
from tests.web.test_openapi import DESCRIBED

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
FIRST_S, LATER_S, MOST_BYTES = 0.5, 0.3, 2 * 10**6
"""CPU seconds of the first request and of one after it on an idle machine, and bytes."""
IDLE_S, SLOWEST = 0.02, 2.0
"""CPU seconds that `_slowness` works on an idle machine, and the most that it allows for."""
ROUNDS, TRIES, CHAPTERS, ITEMS = 100, 5_990, 100, 200
_PARAMETER: Final = re.compile(r"<(?:(\w+):)?(\w+)>")
LONG_TEXT: Final = ("B5a @0:10 **x** " * 250)[:4_000]


class World:
    """What the requests are about, and the browser of an account that owns it."""

    def __init__(self) -> None:
        self.browser = account("Kim")
        self.match = store("Ada", "Bo", "Cy", "Dee")
        self.long, self.flood = insert([pack(long_match(ROUNDS, 5)), pack(late_flood(TRIES))])
        self.note = self._made(f"/matches/{self.match.pk}/notes", **self.words(reply=False))
        self.variation = self._made(f"/matches/{self.match.pk}/variations", **self.branch())
        self.playlist = self._made("/playlists", key=fresh(), title="Fives", items=self.items())
        self.study = self._made("/studies", key=fresh(), title="Lesson", text=LONG_TEXT)
        self._fill()
        self.chapter = self._made(f"/studies/{self.study['key']}/chapters", **self.question())
        self.table = self._made("/tables", name="Kim", seats=5)
        self.search = self._made("/patterns", what="took")
        self.review = self._review()
        Study.objects.filter(key=self.study["key"]).update(visibility="everyone")
        self.learner = guest("Lee")
        reports.make(self.match)
        self.names = {"name": "scores", "number": self.chapter["number"], "pk": self.match.pk}

    def _made(self, path: str, **body: Any) -> dict[str, Any]:
        response = post(self.browser, f"/api/v1{path}", **body)
        assert response.status_code in (201, 202), response.content
        made: dict[str, Any] = response.json()
        return made

    def _fill(self) -> None:
        """Two thousand notes that are much HTML, a hundred long what-ifs, and a full study."""
        said = {"match": self.match, "round": 1, "text": LONG_TEXT, "html": render(LONG_TEXT, 1)}
        said |= {"by": "Eve", "visibility": "everyone"}
        notes = [Note(owner=f"guest:{n}", event=0, **said) for n in range(2_000)]
        Note.objects.bulk_create(notes)
        branch = {"events": "[" + " " * 60_000 + "]", "length": 1, "depth": 1, "event": 0}
        lines = [Variation(owner=f"guest:{n}", **branch, **said) for n in range(100)]
        Variation.objects.bulk_create(lines)
        study = Study.objects.get(key=self.study["key"])
        words = {"title": "x" * 100, "text": LONG_TEXT, "html": said["html"], "match": self.flood}
        study.chapters.bulk_create(
            [
                study.chapters.model(
                    study=study, number=n, place=n, round=1, event=TRIES, until=TRIES, **words
                )
                for n in range(1, CHAPTERS - 1)
            ]
        )
        Study.objects.filter(pk=study.pk).update(numbered=CHAPTERS)

    def _review(self) -> str:
        user = user_of(self.browser)
        self.school_class = school_class(self.browser)
        author = Author(f"user:{user.pk}", "Kim", user)
        chapter = Chapter.objects.get(study__key=self.study["key"], number=self.chapter["number"])
        return reviews.start_at(chapter, author, self.school_class.key).key

    def words(self, *, reply: bool = True, **more: Any) -> dict[str, Any]:
        """The longest note."""
        said = {"key": fresh(), "round": 1, "event": 9, "text": LONG_TEXT, "tags": ["x" * 30] * 1}
        return said | ({"reply": self.note["key"]} if reply else {}) | more

    def branch(self) -> dict[str, Any]:
        """As many events of the match as there are after the first."""
        lines = [json.loads(line) for line in "".join(record_of(self.match)).splitlines()]
        events = [line for line in lines if "t" in line][:-1]
        return {"key": fresh(), "round": 1, "event": 0, "events": events, "text": "x" * 4_000}

    def items(self) -> list[dict[str, Any]]:
        return [
            {"match": self.match.pk, "round": 1, "event": 2, "until": 6, "label": "x" * 200}
        ] * ITEMS

    def question(self) -> dict[str, Any]:
        event, play, _ = moment(self.match)
        right = {"do": "play", "card": play.card, "stack": play.stack}
        asked = {"seat": play.seat, "answers": [right], "right": "x" * 1_000, "wrong": "x" * 1_000}
        at = {"match": self.match.pk, "round": 1, "event": event, "view": str(play.seat)}
        return {"title": "x" * 100, "text": LONG_TEXT, "question": asked, **at}

    def receipt(self) -> dict[str, Any]:
        """As many actions as fit, none of which the record of the flood has."""
        action = {"round": 1, "do": "draw", "t": 0, "refused": "one-hand"}
        actions = [{"id": f"a{n}", **action} for n in range(MOST_ACTIONS)]
        seen = {"seq": TRIES, "digest": "0" * 32, "digests": []}
        return {"receipt": 1, "match": self.flood.record_id, "seat": 0, **seen, "actions": actions}


class Cost(NamedTuple):
    """CPU seconds at first and later, bytes, and the response."""

    first: float
    later: float
    size: int
    response: Any


Body = Callable[[World], dict[str, Any]]


class Row(NamedTuple):
    """A request: its address, where that is not the template's own, and its body."""

    query: str = ""
    body: Body = lambda _: {}
    match: str = "match"
    """Which of the matches."""
    key: str = ""
    """Which key the address has: an attribute of the world."""
    who: str = "browser"
    others: tuple[int, ...] = ()
    """Statuses besides 200 to 202 that are as costly."""


def _revised(**more: Any) -> Body:
    return lambda world: {"revision": 1, **more}


def _question(world: World) -> dict[str, Any]:
    return {"revision": 1, **world.question()}


def _arranged(world: World) -> dict[str, Any]:
    rows = Study.objects.get(key=world.study["key"]).chapters.order_by("-number")
    return {"chapters": [{"number": row.number, "group": "x" * 100} for row in rows]}


STUDY, CHAPTER = "/studies/{key}", "/studies/{key}/chapters/{number}"
NOTE, VARIATION, PLAYLIST, REVIEW = (
    *("/notes/{key}", "/variations/{key}", "/playlists/{key}", "/reviews/{key}"),
)
MATCH = "/matches/{pk}"
PLAYED_ON = {"round": 1, "event": 9, "bots": {"ms": 5_000}}
ROWS: Final = {
    "GET /tables": Row(),
    "POST /tables": Row(body=lambda _: {"name": "x" * 24, "seats": 5, "bots": ["taker:4"] * 4}),
    "GET /tables/{table_id}": Row(),
    "POST /tables/{table_id}/join": Row(body=lambda _: {"name": "x" * 24}),
    "POST /tables/{table_id}/leave": Row(others=(409,)),
    "GET /challenges": Row(),
    "POST /challenges": Row(body=lambda _: {"player": "x" * 64}, others=(404,)),
    "POST /challenges/{key}/accept": Row(others=(409,)),
    "POST /challenges/{key}/decline": Row(others=(409,)),
    "GET /stream": Row(others=(403,)),
    "PUT /name": Row(body=lambda _: {"name": "x" * 24}),
    "GET /matches": Row("?limit=500&include=records"),
    "GET /players/{name}/matches": Row("?limit=500&include=events", others=(404,)),
    f"GET {MATCH}/log": Row("?from=1", match="flood"),
    f"GET {MATCH}/charts": Row("?round=all", match="long"),
    f"GET {MATCH}/charts/{{name}}": Row("?round=all", match="long"),
    f"GET {MATCH}/analysis": Row("?so_far=1", match="long", others=(404,)),
    f"POST {MATCH}/analysis": Row(match="long"),
    f"GET {MATCH}/analysis/{{number}}": Row(),
    f"POST {MATCH}/what-if/try": Row(
        body=lambda _: {"round": 1, "event": 9, "seat": 0, "ms": 5_000}, others=(404, 422)
    ),
    f"POST {MATCH}/clips": Row(
        body=lambda _: {"round": 1, "event": 0, "until": TRIES}, match="flood", others=(422,)
    ),
    f"GET {MATCH}/decisions": Row(match="flood", others=(404,)),
    f"POST {MATCH}/decisions": Row(match="flood", others=(404, 409)),
    "GET /wall/chances": Row(),
    "GET /tv": Row(),
    "POST /receipts": Row(body=World.receipt, others=(404,)),
    f"POST {MATCH}/what-if": Row(body=lambda _: PLAYED_ON, match="flood"),
    f"GET {MATCH}/notes": Row(),
    f"POST {MATCH}/notes": Row(body=World.words),
    f"POST {MATCH}/variations": Row(body=World.branch),
    "POST /notes/preview": Row(body=lambda _: {"text": "[" * 4_000}),
    f"GET {NOTE}": Row(key="note"),
    f"PUT {NOTE}": Row(body=_revised(text=LONG_TEXT), key="note"),
    f"DELETE {NOTE}": Row(body=_revised(), key="note"),
    f"POST {NOTE}/restore": Row(key="note", others=(404, 409)),
    f"POST {NOTE}/settle": Row(body=lambda _: {"settled": True}, key="note"),
    f"POST {NOTE}/complaint": Row(body=lambda _: {"reason": "x" * 500}, key="note"),
    f"POST {NOTE}/hide": Row(
        body=lambda _: {"hidden": True, "reason": "x" * 500}, key="note", others=(403, 404)
    ),
    f"GET {NOTE}/history": Row(key="note"),
    f"GET {VARIATION}": Row(key="variation"),
    f"PUT {VARIATION}": Row(body=_revised(text=LONG_TEXT), key="variation"),
    f"DELETE {VARIATION}": Row(body=_revised(), key="variation"),
    f"POST {VARIATION}/promote": Row(body=_revised(), key="variation", others=(422,)),
    f"POST {VARIATION}/restore": Row(key="variation", others=(404, 409)),
    "GET /playlists": Row(),
    "POST /playlists": Row(
        body=lambda world: {"key": fresh(), "title": "x" * 100, "items": world.items()}
    ),
    f"GET {PLAYLIST}": Row(key="playlist"),
    f"PUT {PLAYLIST}": Row(
        body=lambda world: {"revision": 1, "title": "x", "items": world.items()}, key="playlist"
    ),
    f"DELETE {PLAYLIST}": Row(key="playlist"),
    "GET /studies": Row(),
    "POST /studies": Row(body=lambda _: {"key": fresh(), "title": "x" * 100, "text": LONG_TEXT}),
    f"GET {STUDY}": Row(key="study"),
    f"PUT {STUDY}": Row(body=_revised(title="x" * 100, text=LONG_TEXT), key="study"),
    f"DELETE {STUDY}": Row(body=_revised(), key="study"),
    f"POST {STUDY}/copy": Row(key="study"),
    f"POST {STUDY}/chapters": Row(body=World.question, key="study"),
    f"PUT {STUDY}/chapters": Row(body=_arranged, key="study"),
    f"GET {CHAPTER}": Row(key="study"),
    f"PUT {CHAPTER}": Row(body=_question, key="study"),
    f"DELETE {CHAPTER}": Row(body=_revised(), key="study"),
    f"POST {CHAPTER}/restore": Row(key="study", others=(422,)),
    f"GET {CHAPTER}/notes": Row(key="study"),
    f"POST {CHAPTER}/notes": Row(body=lambda world: world.words(reply=False), key="study"),
    f"POST {CHAPTER}/variations": Row(body=World.branch, key="study"),
    f"GET {CHAPTER}/log": Row(key="study", who="learner", others=(404,)),
    f"POST {CHAPTER}/opened": Row(key="study"),
    f"POST {CHAPTER}/answer": Row(
        body=lambda _: {"answer": {"do": "draw"}, "ms": 900}, key="study", others=(409,)
    ),
    f"POST {REVIEW}/keep": Row(body=lambda _: {"as": "study"}, key="review", others=(422,)),
    f"GET {REVIEW}/chapters/{{number}}/answers": Row(key="review"),
    f"POST {REVIEW}/ask": Row(
        body=lambda world: {"chapter": world.chapter["number"]}, key="review"
    ),
    f"POST {REVIEW}/reveal": Row(key="review", others=(409,)),
    "GET /players/{name}/figures": Row(others=(404,)),
    "GET /patterns": Row(),
    "POST /patterns": Row(body=lambda _: {"what": "took", "player": "x" * 64}),
    "GET /patterns/{key}": Row(key="search"),
    "POST /news/read": Row(body=lambda _: {"until": "2099-01-01T00:00:00Z"}),
    "GET /jobs": Row(),
    "GET /jobs/{key}": Row(key="job", others=(404,)),
    "DELETE /jobs/{key}": Row(key="job", others=(404,)),
}


def test_every_operation_has_a_row() -> None:
    every = {
        f"{method.upper()} {path.removeprefix('/api/v1')}"
        for path, operations in DESCRIBED["paths"].items()
        for method in operations
    }
    assert every == ROWS.keys()


def test_nothing_costs_more_than_a_stranger_may_ask_for() -> None:
    world, over, met = World(), [], set[str]()
    pages = list(_pages(get_resolver()))
    for route in pages:
        for path in _paths(world, route):
            cost = _cost(partial(partial, world.browser.get, path))
            if cost.response.status_code not in (404, 405):
                met.add(route)
            over += _beyond(path, cost)
    for name, row in ROWS.items():
        cost = _spent(world, name, row)
        if cost.response.status_code not in (200, 201, 202, *row.others):
            over.append(f"{name}: {cost.response.status_code} {cost.response.text[:200]}")
        over += _beyond(name, cost)
    assert "\n".join(over) == ""
    assert len(met) > len(pages) / 2


def _beyond(name: str, cost: Cost) -> list[str]:
    """What is to be said of a request that costs too much."""
    first, later, size, _ = cost
    if first <= FIRST_S and later <= LATER_S and size <= MOST_BYTES:
        return []
    return [f"{name}: {first:.2f} s, then {later:.2f} s, {size:,} bytes"]


def _pages(resolver: Any, before: str = "") -> Iterator[str]:
    """The routes of all addresses but those of the API and the admin."""
    for pattern in resolver.url_patterns:
        route = f"{before}{pattern.pattern}"
        if isinstance(pattern, URLResolver):
            yield from _pages(pattern, route)
        elif not route.startswith(("api/", "admin/")):
            yield route


def _paths(world: World, route: str) -> set[str]:
    """The addresses of a route: of each match, and of everything that has a key."""
    matches = [str(match.pk) for match in (world.match, world.long, world.flood)]
    keys = [world.study["key"], world.playlist["key"], world.review, world.school_class.key]
    search = str(world.search["key"])
    there = {"pk": matches, "key": [*keys, search], "table_id": [world.table["id"]]}
    there |= {"number": [str(world.chapter["number"]), "1"], "name": ["Ada", "Kim"]}
    names = [name for _, name in _PARAMETER.findall(route)]
    choices = [there.get(name, ["none"]) for name in names]
    template = "/" + _PARAMETER.sub("{}", route)
    return {template.format(*chosen) for chosen in product(*choices)}


def _spent(world: World, name: str, row: Row) -> Cost:
    """What an operation costs."""

    def prepare() -> Callable[[], Any]:
        path, method, body = _request(world, name, row)
        return lambda: getattr(world, row.who).generic(method, path, body, "application/json")

    return _cost(prepare)


def _cost(prepare: Callable[[], Callable[[], Any]]) -> Cost:
    """What a request costs the first time, and again, twice at most, if that was too much."""
    spent: list[float] = []
    while len(spent) < 3 and (not spent or spent[-1] > LATER_S):
        charts.chart_cache.clear()
        pictures._pixels.cache_clear()
        caches["default"].clear()
        with transaction.atomic():
            ask, slowness = prepare(), _slowness()
            began = process_time()
            response = ask()
            size = len(response.getvalue())
            spent.append((process_time() - began) / slowness)
            transaction.set_rollback(True)
    return Cost(spent[0], min(spent), size, response)


def _slowness() -> float:
    """How many times longer work takes now than on an idle machine, from 1 to `SLOWEST`.

    Whoever shares the machine slows it by half, in CPU seconds, too.
    """
    began = process_time()
    for _ in range(8):
        json.loads(json.dumps([{"n": n, "t": str(n)} for n in range(2_000)]))
    return min(max(1.0, (process_time() - began) / IDLE_S), SLOWEST)


def _request(world: World, name: str, row: Row) -> tuple[str, str, str]:
    method, template = name.split()
    kept = getattr(world, row.key, "none") if row.key else "none"
    named = {
        **world.names,
        "pk": getattr(world, row.match).pk,
        "key": kept if isinstance(kept, str) else kept["key"],
        "table_id": world.table["id"],
    }
    if template.startswith("/players"):
        named["name"] = "Ada"
    if "analysis" in template:
        named["number"] = 1
    path = f"/api/v1{template}{row.query}".format(**named)
    body = row.body(world)
    return path, method, "" if method == "GET" else json.dumps(body)
