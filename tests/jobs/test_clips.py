"""Clips: what they show, how large they are, and how long they are kept."""

from collections.abc import Iterator
from datetime import timedelta
from io import BytesIO
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from PIL import Image

from games.archive import moderation
from games.archive.packing import pack
from games.archive.store import insert
from games.engine.events import Deal, Event, Play
from games.engine.perspective import Viewer
from games.engine.table import Table
from games.models import Match
from games.pages.words import HERE
from games.records.log import Header
from replays.models import Clip, Job
from replays.pictures.clip import MOST_BYTES, MOST_FRAMES, WIDTH, Span, pictures, webp
from replays.stored import clips
from tests.hostile_records import late_flood
from tests.jobs.counting import work
from tests.replays.matches import MATCHES, lines_of

pytestmark = pytest.mark.django_db
LONG = lines_of(MATCHES / "valid-full-match-3.ratuki")
FIVE = lines_of(MATCHES / "valid-hasbro-2010-5.ratuki")


@pytest.fixture
def match() -> Match:
    return insert([pack(LONG)])[0]


def ask(match: Match, client: Client | None = None, **span: Any) -> Any:
    body = {"round": 1, "event": 10, "until": 24, **span}
    address = f"/api/v1/matches/{match.pk}/clips"
    return (client or Client()).post(address, body, content_type="application/json")


def span_of(lines: list[Any], until: int, viewer: Viewer = None, *, opened: bool = True) -> Span:
    deal = next(line for line in lines if isinstance(line, Deal))
    events = [line for line in lines if isinstance(line, Event)]
    return Span(deal, events, 0, until, viewer, opened)


def frames_of(lines: list[Any], span: Span) -> Iterator[tuple[Image.Image, int]]:
    header = lines[0]
    assert isinstance(header, Header)
    names = [f"Wolfgang Amadeus {seat}" for seat in range(len(header.seats))]
    return pictures(span, Table(header.rules, len(names)), names, HERE)


def test_a_clip_is_made_once_and_shows_each_event_for_as_long_as_it_stayed(match: Match) -> None:
    asked = ask(match)
    assert (asked.status_code, asked.json()["job"]["state"]) == (202, "waiting")
    assert asked.json()["job"]["total"] > 5
    assert ask(match).json()["job"]["place"] == 1, "it is not asked for twice"
    work()
    made = ask(match).json()
    clip = Client().get(made["url"])
    assert (clip["Content-Type"], len(clip.content)) == ("image/webp", made["bytes"])
    assert clip["Cache-Control"] == "public, max-age=3600"
    picture = Image.open(BytesIO(clip.content))
    assert (picture.width, picture.height) == (WIDTH, 336)
    durations = []
    for at in range(getattr(picture, "n_frames", 1)):
        picture.seek(at)
        picture.load()
        durations.append(picture.info["duration"])
    events = [line for line in LONG if isinstance(line, Event)]
    assert sum(durations) == events[23].t - events[9].t + 2_000
    german = ask(match, Client(headers={"accept-language": "de"}))
    assert german.status_code == 202, "its words are in another language"
    assert ask(match, view="1").status_code == 202, "and another view is another clip"


def test_a_clip_is_gone_when_a_player_has_another_name(match: Match) -> None:
    ask(match)
    work()
    address = ask(match).json()["url"]
    player = match.seats.get(number=0).player
    moderator = User.objects.create_user("mod")
    moderation.rename(player, "Someone", moderator, "their real name")
    assert Client().get(address).status_code == 404, "it showed the name for up to a week"
    assert ask(match).status_code == 202
    work()
    assert Client().get(ask(match).json()["url"]).status_code == 200


LATE = {"event": 0, "until": 290}


@pytest.mark.parametrize("span", [{"until": 10}, {"until": 999_999}, {"round": 99}, LATE])
def test_what_cannot_be_a_clip_is_refused(match: Match, span: dict[str, Any]) -> None:
    refused = ask(match, **span)
    assert refused.status_code == 422
    assert ("at most 30 s" in refused.json()["detail"].replace("\u00a0", " ")) == (span is LATE)
    assert not Job.objects.exists()


@pytest.mark.slow
def test_the_busiest_spans_are_thinned_out_and_stay_small() -> None:
    flood = late_flood(3_000)
    assert len(span_of(flood, 3_000).frames()) <= MOST_FRAMES
    takes = [Play(40 * at, 0, "A5a", 0, takes=1) for at in range(700)]
    assert len(Span(span_of(flood, 1).deal, takes, 0, 700, None, True).frames()) <= MOST_FRAMES
    span = span_of(FIVE, 250)
    frames = list(frames_of(FIVE, span))
    assert len(frames) <= MOST_FRAMES
    assert {at for at in range(1, 251) if span.loud(at)} <= set(span.frames()), "every take is seen"
    assert len(webp(frames)) <= MOST_BYTES


@pytest.mark.slow
@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_a_clip_depends_on_nothing_that_its_viewer_cannot_see(viewer: Viewer) -> None:
    """A card of another hand and one deep in its deck change places: the pixels stay the same."""
    whole = span_of(LONG, 1, viewer, opened=False)
    used = [f"{event}" for event in whole.events]
    until, other, card = max(
        (next(at for at, event in enumerate(used) if card in event), seat, card)
        for seat, deck in enumerate(whole.deal.decks)
        for card in deck[:3]
        if seat != viewer
    )
    deck = list(whole.deal.decks[other])
    at = deck.index(card)
    deck[at], deck[-1] = deck[-1], deck[at]
    decks = [*whole.deal.decks[:other], tuple(deck), *whole.deal.decks[other + 1 :]]
    span = whole._replace(until=until)
    swapped = span._replace(deal=span.deal._replace(decks=tuple(decks)))
    one, two = (list(frames_of(LONG, each)) for each in (span, swapped))
    assert len(one) > 1
    assert [picture.tobytes() for picture, _ in one] == [picture.tobytes() for picture, _ in two]
    opened = (frames_of(LONG, each._replace(open=True)) for each in (span, swapped))
    assert len({next(frames)[0].tobytes() for frames in opened}) == 2


def test_clips_are_kept_for_a_week_and_not_too_many(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clips, "MOST_KEPT", 2)
    for until in (12, 13, 14):
        ask(match, until=until)
        work()
    assert Clip.objects.count() == 2
    assert ask(match, until=12).status_code == 202, "a clip that is gone is made again"
    Clip.objects.update(created=timezone.now() - timedelta(days=8))
    clips.forget_old()
    assert not Clip.objects.exists()
