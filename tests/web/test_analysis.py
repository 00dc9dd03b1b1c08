"""The report of a match over HTTP: stored once, live as it grows, hidden where results are."""

import json
import re
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from games.archive.append import append, open_match
from games.engine.events import Play
from games.models import Match
from games.records.log import Header
from replays.analysis.judge import judge
from replays.analysis.judge.judge import Judge
from replays.analysis.judge.playing import Change, TryAt
from replays.analysis.judge.words import row
from replays.analysis.versions import MEASURES_VERSION
from replays.models import StoredReport
from replays.pages.live_curves import LiveCurves
from replays.stored import judging, reports
from replays.stored.logs import timeline_of
from replays.timeline import Timeline
from tests.jobs.counting import ADA, work
from tests.narrowing import narrow
from tests.web.records import record, store

pytestmark = pytest.mark.django_db


def report(match: Match, **headers: str) -> Any:
    """What the page gets once a worker has made it."""
    client, address = Client(headers=headers), f"/api/v1/matches/{match.pk}/analysis"
    answer = client.get(address)
    if answer.status_code == 202:
        client.post(address)
        work()
        answer = client.get(address)
    return answer


def test_the_report_says_who_won_and_what_mattered() -> None:
    match = store("Ada", "Bo", "Cy", seed=5)
    told = report(match).json()
    assert told["winners"] == [
        seat for seat in range(3) if match.winners and match.winners >> seat & 1
    ]
    assert told["facts"][0].startswith("Cy won with 31 points, 11 ahead. ")
    assert told["facts"][1].startswith("Everyone began at 33%. Cards: +")
    assert len(told["facts"]) == 2
    assert [text.startswith("You ") for text in told["own_verdicts"]] == [True] * 3
    assert told["moments"]
    assert [row["seat"] for row in told["players"]] == [0, 1, 2]
    assert all(abs(sum(point["p"]) - 1) < 0.01 for point in told["curve"])


def test_a_first_look_needs_no_details_and_they_come_apart() -> None:
    match = store("Ada", "Bo", "Cy", seed=5)
    told = report(match).json()
    address = f"/api/v1/matches/{match.pk}/analysis"
    first, rest = (Client().get(address, {"details": which}).json() for which in ("no", "only"))
    assert {**first, **rest} == told
    assert not first.keys() & rest.keys()
    assert {"curve", "moments", "account", "facts"} <= first.keys()
    assert {"races", "missed_takes", "players"} <= rest.keys()
    assert Client().post(f"{address}?details=no").json() == first
    embedded = Client().get(address, {"details": "curve"}).json()
    assert embedded == {name: first[name] for name in ("curve", "moments", "facts")}


def test_a_replay_opens_right_before_the_take_that_its_verdict_names(client: Client) -> None:
    match = store("Ada", "Bo", "Cy", seed=5)
    opens = re.compile(r'"opening": (\d+)')
    page = f"/matches/{match.pk}/"
    assert opens.findall(client.get(page).text) == ["0"], "at the first take: none is known yet"
    told = report(match).json()
    first = told["opening"]
    assert first in [each["seq"] for each in told["moments"] if each["kind"] == "take"]
    text = client.get(page).text
    assert opens.findall(text) == [str(first)]
    known = re.search(r'<script id="first-round"[^>]*>\{"seq": (\d+)', text)
    deals = match.chunks.order_by("first_seq").values_list("first_seq", flat=True)
    assert known
    assert int(known[1]) == max(seq for seq in deals if seq < first), "the page has that round"
    for place in ("?seq=7", "?round=1&t=0", "?line=some&event=3"):
        assert not opens.findall(client.get(page + place).text), "the address wins"
    client.cookies["spoilers"] = "off"
    assert not opens.findall(client.get(page).text), "hidden results open at the deal"


def test_a_report_is_made_once_for_a_log_and_a_version(monkeypatch: pytest.MonkeyPatch) -> None:
    match = store("Ada", "Bo")
    first = report(match).content
    stored = StoredReport.objects.get()
    assert stored.version.startswith(f"{MEASURES_VERSION}/")
    assert report(match).content == first
    assert StoredReport.objects.get().created == stored.created
    monkeypatch.setattr(reports, "MEASURES_VERSION", MEASURES_VERSION + 1)
    report(match)
    assert StoredReport.objects.get().created > stored.created


def test_pages_commands_and_what_ifs_mean_the_same_lags(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that were measured, and for the others what the log shows: bots have some, too."""
    match = store("Ada", "Bo", "Cy", seed=5)
    match.seats.filter(number=0).update(lag_ms=40)
    told = report(match).json()["lags_ms"]
    assert told[0] == 40
    assert told[1] is not None
    assert told[1] > 0
    assert json.loads(printed("report", str(match.pk)))["lags_ms"] == told
    monkeypatch.setattr(judge, "TRY_STAGES", (2, 4))
    timeline = timeline_of(match)
    played = timeline.rounds[0]
    number, event = next(
        (number, event)
        for number, event in enumerate(played.events, 1)
        if number > 40 and isinstance(event, Play)
    )
    at, change = TryAt(1, number, event.seat), Change(90)
    asked = judging.ask(match, (at, change), ADA)
    work()
    asked.refresh_from_db()
    question = Judge(timeline, told).about(at, change)
    expected = row(played, question, question.judged())
    assert asked.result == json.loads(json.dumps(expected))


def printed(*command: str) -> str:
    out = StringIO()
    call_command(*command, stdout=out)
    return out.getvalue()


def test_a_round_is_told_as_each_screen_showed_it() -> None:
    match = store("Ada", "Bo", "Cy", seed=5)
    url = f"/api/v1/matches/{match.pk}/analysis/1"
    client = Client()
    early = client.get(url)
    assert (early.status_code, early.json()["detail"]) == (
        409,
        "the match has not been analysed yet",
    )
    report(match)
    told = client.get(url).json()
    assert told["round"] == 1
    assert len(told["screens"]) == 3
    assert reports.stored(match) is not None
    assert client.get(f"/api/v1/matches/{match.pk}/analysis/2").status_code == 404


def test_along_a_match_the_curve_is_read_on() -> None:
    header, *lines = record("Ada", "Bo", source="live")
    match = open_match(narrow(Header, header), owner_epoch=1)
    curves = LiveCurves()
    lengths = [0]
    for start in range(0, 90, 30):
        append(match.pk, 1, match.lines, lines[start : start + 30])
        match.refresh_from_db()
        told = curves.curve(match)["curve"]
        assert told == LiveCurves().curve(match)["curve"]
        assert told[lengths[-1] :] == curves.curve(match, lengths[-1])["curve"]
        lengths.append(len(told))
    assert lengths == sorted(set(lengths))
    asked = Client().get(f"/api/v1/matches/{match.pk}/analysis", {"after": lengths[-1] - 1}).json()
    assert asked["curve"] == told[-1:]
    seen = report(match).json()
    assert seen["live"] is True
    assert "moments" not in seen
    assert seen["curve"] == told
    assert Timeline.of([header, *lines[:90]]).rounds[0].number == seen["curve"][-1]["round"]


def test_along_a_match_everybody_gets_the_same_story_so_far_for_some_seconds() -> None:
    header, *lines = record("Ada", "Bo", source="live")
    match = open_match(narrow(Header, header), owner_epoch=1)
    append(match.pk, 1, match.lines, lines[:60])
    asked = Client().get(f"/api/v1/matches/{match.pk}/analysis", {"so_far": "yes"}).json()
    first = asked["so_far"]
    assert first["seq"] == 60
    append(match.pk, 1, 61, lines[60:90])
    asked = Client().get(f"/api/v1/matches/{match.pk}/analysis", {"so_far": "yes"}).json()
    assert asked["so_far"] == first
    assert asked["curve"][-1]["seq"] <= 60, "all is from one line"
    match.refresh_from_db()
    curve, story = LiveCurves(fresh_s=0).with_story(match)
    assert story["seq"] == 90
    assert curve == LiveCurves().curve(match)
