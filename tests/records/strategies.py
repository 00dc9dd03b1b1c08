"""Lines of every kind, as hypothesis makes them: each alone is well formed."""

from datetime import datetime

from hypothesis import strategies as st

from games.engine.cards import FACE
from games.engine.editions import EDITIONS, MAX_TARGET, MIN_TARGET, house_rules
from games.engine.events import (
    MAX_EVENTS,
    MAX_ROUNDS,
    MAX_T,
    Deal,
    Discard,
    Draw,
    End,
    Event,
    Fair,
    Late,
    Miss,
    Out,
    Play,
    Tie,
)
from games.records.log import GLYPHS, Header, Line, Note, Result, Seat, Variation

CARDS = st.sampled_from(sorted(FACE))
TIMES = st.integers(0, MAX_T)
SEATS = st.integers(0, 4)
COUNTS = st.integers(0, MAX_EVENTS)
POINTS = st.lists(st.integers(-999, 9_999), max_size=5).map(tuple)
NUMBERS = st.none() | st.integers(1, 4)
PLAYER = st.characters(
    exclude_categories=("Cc", "Cs"), exclude_characters="\u061c\u200e\u200f"
).filter(
    lambda character: character not in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
PLAYERS = st.text(PLAYER, min_size=1, max_size=64).filter(lambda name: not name.isspace())
TEXTS = st.text(max_size=80)
MARKS = CARDS.map("card:{}".format) | SEATS.map("seat:{}".format) | SEATS.map("stack:{}".format)

PLAYS = st.builds(
    Play, TIMES, SEATS, CARDS, SEATS, NUMBERS, st.none() | st.integers(1, 900), st.none() | COUNTS
)
MOVES = st.builds(Draw, TIMES, SEATS, CARDS) | st.builds(Discard, TIMES, SEATS, CARDS)
VAIN = st.builds(Late, TIMES, SEATS, CARDS, SEATS, NUMBERS, COUNTS) | st.builds(
    Miss, TIMES, SEATS, CARDS, SEATS, NUMBERS, COUNTS
)
TIES = st.builds(
    Tie,
    TIMES,
    SEATS,
    st.lists(CARDS, max_size=5).map(tuple),
    st.lists(COUNTS, max_size=5).map(tuple),
    st.none() | st.lists(COUNTS, max_size=5).map(tuple),
)
ENDS = st.builds(
    End, TIMES, st.sampled_from(["out", "blocked", "stalled", "abandoned"]), POINTS, POINTS
)
EVENTS: st.SearchStrategy[Event] = PLAYS | MOVES | VAIN | TIES | ENDS | st.builds(Out, TIMES, SEATS)
FAIR = st.builds(
    Fair,
    st.binary(min_size=32, max_size=32).map(bytes.hex),
    st.binary(min_size=32, max_size=32).map(bytes.hex),
    st.lists(st.binary(max_size=32).map(bytes.hex), max_size=5).map(tuple),
)
DEALS = st.builds(
    Deal,
    st.integers(1, MAX_ROUNDS),
    st.lists(st.lists(CARDS, min_size=1).map(tuple)).map(tuple),
    st.none() | FAIR,
)
IDS = st.from_regex(r"[A-Za-z0-9_-]{1,64}", fullmatch=True)
TAGS = st.lists(
    st.text(PLAYER, min_size=1, max_size=32).filter(lambda tag: not tag.isspace()),
    max_size=16,
    unique=True,
).map(tuple)
ARROWS = st.builds("{}>{}".format, MARKS, MARKS)
MOMENTS = st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 31)).map(  # noqa: DTZ001 - UTC by its Z
    lambda moment: f"{moment:%Y-%m-%dT%H:%M:%SZ}".rjust(20, "0")
)
NEWER = {"id": st.none() | IDS, "line": st.none() | IDS, "at": st.none() | MOMENTS, "tags": TAGS}
"""What version 2 has added to notes and variations alike."""
NOTES = st.builds(
    Note,
    round=st.integers(1, MAX_ROUNDS),
    event=COUNTS,
    by=st.none() | PLAYERS,
    glyph=st.none() | st.sampled_from(GLYPHS),
    text=TEXTS,
    marks=st.lists(MARKS, max_size=3).map(tuple),
    until=st.none() | st.integers(1, MAX_EVENTS),
    arrows=st.lists(ARROWS, max_size=3).map(tuple),
    reply=st.none() | IDS,
    **NEWER,
)
VARIATIONS = st.builds(
    Variation,
    round=st.integers(1, MAX_ROUNDS),
    event=COUNTS,
    by=st.none() | PLAYERS,
    text=TEXTS,
    events=st.lists(EVENTS, min_size=1, max_size=3).map(tuple),
    **NEWER,
)
RESULTS = st.builds(Result, st.lists(SEATS, max_size=5).map(tuple), POINTS)
LINES: st.SearchStrategy[Line] = EVENTS | DEALS | NOTES | VARIATIONS | RESULTS
OVERRIDES = st.fixed_dictionaries(
    {},
    optional={
        "deck": st.lists(st.integers(1, 10), min_size=6, max_size=6),
        "wild_starts": st.booleans(),
        "out": st.sampled_from(["shout", "empty"]),
        "one_hand_ms": st.integers(50, 600_000),
        "stall_ms": st.integers(0, 600_000),
        "target": st.integers(MIN_TARGET, MAX_TARGET),
        "speedy": st.booleans(),
    },
)
HEADERS = st.builds(
    lambda edition, overrides, **fields: Header(
        edition=edition, rules=house_rules(edition, overrides), **fields
    ),
    st.sampled_from(list(EDITIONS)),
    OVERRIDES,
    id=IDS,
    seats=st.lists(
        st.builds(Seat, PLAYERS, st.sampled_from(["human", "bot"]), st.booleans()),
        min_size=2,
        max_size=5,
    ).map(tuple),
    started_at=st.none() | st.just("2026-11-20T18:30:00Z"),
    source=st.none() | st.sampled_from(["live", "simulated", "imported"]),
    tags=st.dictionaries(TEXTS, TEXTS, max_size=3).map(lambda tags: tuple(sorted(tags.items()))),
    version=st.sampled_from([1, 2]),
)
