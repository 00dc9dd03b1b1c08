"""Years of matches in a PostgreSQL database, made of a few simulated ones by the server itself.

As on a site that has run for years, most are a few people's and bots': the house's bot `HOUSE`
sits in a fifth, `MOST` in 8% of all (or more, as asked), `MANY` in about 1,600, half of them with
`MOST`. The others play the seldomer, the later they came. Each match has its log, the figures of
its seats and its lines in the ledger.
"""

from collections.abc import Mapping
from typing import Final

from django.contrib.auth import get_user_model
from django.db import connection

from games.archive.filters import BIT_RANGES
from games.archive.packing import pack
from games.archive.store import insert
from games.bots.roster import TEMPERS, mixed
from games.bots.simulate import Setting, lines
from games.engine.editions import EDITIONS
from games.models import Match, Player
from games.people.names import skeleton
from replays.patterns import storing
from replays.players import counting

HOUSE: Final = next(iter(TEMPERS.values())).persona.name
MOST, MANY = "Ada of the years", "Bea of the years"
_YEARS_MIN: Final = 5 * 365 * 24 * 60
_TEMPLATES: Final = 12
_OCCURRENCES: Final = 1_000
"""The newest matches with stored occurrences."""


def fill(matches: int, every: int = 25) -> None:
    """Store so many matches. `MOST` plays in 2 of `every`, an even number or 25."""
    first, *_ = made = _templates()
    others = max(60, matches // 50)
    _people(others)
    named = Player.objects.filter(name__in=(HOUSE, MOST, MANY))
    players = dict(named.values_list("name", "pk"))
    with connection.cursor() as cursor:
        numbers = {"first": first.pk, "templates": len(made), "matches": matches, "every": every}
        cursor.execute(_DEAL.format(**numbers, minutes=_YEARS_MIN / matches))
        sitting = {"house": players[HOUSE], "most": players[MOST], "many": players[MANY]}
        step = max(1, matches // every // 800)
        cursor.execute(_SIT.format(**sitting, others=others, step=step, every=every))
        for table, overrides, source in (
            ("games_match", _MATCH, "deal JOIN games_match row ON row.id = template"),
            ("games_chunk", _OF_MATCH, _COPIED.format("games_chunk")),
            ("games_seat", _SEAT, "sit JOIN games_seat row ON row.id = template_seat"),
            ("replays_seatfigures", {"seat_id": "seat.id"}, _FIGURES),
            (
                "replays_storedoccurrences",
                _OF_MATCH,
                f"{_COPIED.format('replays_storedoccurrences')} WHERE g > {matches - _OCCURRENCES}",
            ),
        ):
            _copy(table, overrides, source)
        cursor.execute(_RATE)
        cursor.execute(_RATING)
        cursor.execute("SELECT setval('games_match_id_seq', (SELECT max(id) FROM games_match))")
        cursor.execute("DROP TABLE deal, sit")
        cursor.execute("ANALYZE")


def _templates() -> list[Match]:
    """Whole matches of all editions and numbers of seats, with all that is counted of them."""
    editions = list(EDITIONS)
    records = []
    for at in range(_TEMPLATES):
        edition = editions[at % len(editions)]
        setting = Setting(edition, EDITIONS[edition], mixed(2 + at % 4), 1 + at)
        records.append(pack(list(lines(setting, 0))))
    stored = list(Match.objects.filter(record_id__in=[each.summary.header.id for each in records]))
    if not stored:
        stored = insert(records, Match.Origin.SIMULATED)
        for match in stored:
            counting.count(match)
            storing.keep(match)
    return sorted(stored, key=lambda match: match.pk)


def _people(others: int) -> None:
    """Players with accounts, numbered so that no two seats of a match get the same."""
    names = [MOST, MANY, *(f"Player {number}" for number in range(others))]
    users = get_user_model()
    new = [users(username=name, password="!") for name in names]
    users.objects.bulk_create(new, ignore_conflicts=True)
    players = [Player(name=name, skeleton=skeleton(name)) for name in (HOUSE, *names)]
    Player.objects.bulk_create(players, ignore_conflicts=True)


def _copy(table: str, overrides: Mapping[str, str], source: str) -> None:
    """Copy rows of a table, `row`, with other values for some of its columns."""
    with connection.cursor() as cursor:
        columns = [
            column.name
            for column in connection.introspection.get_table_description(cursor, table)
            if (column.name != "id" or "id" in overrides) and column.name != "rated_wrongly"
        ]
        values = [overrides.get(name, f'row."{name}"') for name in columns]
        names = ", ".join(f'"{name}"' for name in columns)
        cursor.execute(f"INSERT INTO {table} ({names}) SELECT {', '.join(values)} FROM {source}")


def _bits(**values: str) -> str:
    """The filter bits of a match with these other values, each an SQL expression."""
    mask = sum(BIT_RANGES[name].mask for name in values)
    parts = (f"(({value})::int << {BIT_RANGES[name].low})" for name, value in values.items())
    return " | ".join((f"(row.filter_bits & ~{mask})", *parts))


_DEAL: Final = """
CREATE TABLE deal AS
SELECT *, origin IN ('imported', 'uploaded') AS elsewhere,
    origin = 'hosted' AND house AS with_bot, origin <> 'hosted' OR g % 11 <> 4 AS shown
FROM (
    SELECT g, {first} + g % {templates} AS template,
        (SELECT max(id) FROM games_match) + g AS id,
        now() - ({matches} - g) * {minutes} * interval '1 minute' AS at,
        g % 5 = 0 AS house, g % 13 <> 7 AS finished,
        CASE WHEN g % 5 = 0 OR g % {every} IN (1, 6, 10) THEN 'hosted'
            WHEN g % 10 < 5 THEN 'hosted' WHEN g % 10 < 8 THEN 'simulated'
            WHEN g % 10 < 9 THEN 'imported' ELSE 'uploaded' END AS origin
    FROM generate_series(1, {matches}) g
) dealt"""
_SIT: Final = """
CREATE TABLE sit AS
SELECT deal.*, seat.id AS template_seat, seat.number,
    CASE WHEN number = 0 AND house THEN {house}
        WHEN number = 1 AND (g % {every} IN (6, 10) OR {every} = 2) THEN {most}
        WHEN number = 0 AND g % {every} IN (1, 6) AND g / {every} % {step} = 0 THEN {many}
        ELSE ids[1 + number + 5 * floor({others} / 5 * random() ^ 2)::int] END AS player
FROM deal JOIN games_seat seat ON seat.match_id = template,
    (SELECT array_agg(id) AS ids FROM games_player WHERE name LIKE 'Player %') others"""
_MATCH: Final = {
    "id": "deal.id",
    "record_id": "'years-' || deal.id",
    "started_at": "at",
    "created": "at",
    "day": "floor(extract(epoch FROM at) / 86400)::int",
    "origin": "deal.origin",
    "source": "CASE WHEN deal.origin = 'hosted' THEN 'live' ELSE row.source END",
    "state": "CASE WHEN finished THEN row.state ELSE 'abandoned' END",
    "visibility": "CASE WHEN shown THEN 'public' ELSE 'link' END",
    "token": "CASE WHEN shown THEN '' ELSE 'years' END",
    "filter_bits": _bits(
        listed="shown::int",
        elsewhere="elsewhere::int",
        humans="(deal.origin <> 'simulated')::int",
        bots="(deal.origin = 'simulated' OR with_bot)::int",
        outcome=f"CASE WHEN finished THEN {BIT_RANGES['outcome'].mask} & row.filter_bits "
        f">> {BIT_RANGES['outcome'].low} ELSE 3 END",
    ),
}
_COPIED: Final = "deal JOIN {} row ON row.match_id = template"
_OF_MATCH: Final = {"match_id": "deal.id"}
_HUMAN: Final = "sit.origin <> 'simulated' AND NOT (with_bot AND sit.number = 0)"
_RATED: Final = "{0}.origin = 'hosted' AND NOT with_bot AND {0}.shown AND finished"
_SEAT: Final = {
    "match_id": "sit.id",
    "started_at": "at",
    "origin": "sit.origin",
    "shown": "CASE WHEN NOT sit.shown THEN 0 WHEN finished THEN 2 ELSE 1 END",
    "rated": f"{_RATED.format('sit')} AND {_HUMAN}",
    "player_id": "player",
    "kind": f"CASE WHEN {_HUMAN} THEN 'human' ELSE 'bot' END",
    "temper": "CASE WHEN with_bot AND sit.number = 0 THEN 'taker' ELSE '' END",
    "level": "CASE WHEN with_bot AND sit.number = 0 THEN 3 END",
    "user_id": f"CASE WHEN sit.origin = 'hosted' AND {_HUMAN} THEN (SELECT u.id FROM auth_user u "
    "JOIN games_player p ON p.name = u.username WHERE p.id = player) END",
}
_FIGURES: Final = """deal
JOIN games_seat seat ON seat.match_id = deal.id
JOIN games_seat model ON model.match_id = template AND model.number = seat.number
JOIN replays_seatfigures row ON row.seat_id = model.id
WHERE NOT elsewhere"""
_RATE: Final = """
INSERT INTO replays_ratingchange
    (match_id, player_id, edition, ended_at, place, mu, sigma, matches)
SELECT match.id, seat.player_id, match.edition, at + duration_ms * interval '1 ms',
    1 + seat.number, 25 + seat.total / 10.0, 3, 20
FROM deal JOIN games_match match ON match.id = deal.id
JOIN games_seat seat ON seat.match_id = match.id
WHERE """ + _RATED.format("deal")
_RATING: Final = """
INSERT INTO replays_rating (player_id, edition, mu, sigma, matches, provisional)
SELECT DISTINCT ON (player_id, edition) player_id, edition, mu, sigma, matches, false
FROM replays_ratingchange ORDER BY player_id, edition, ended_at DESC
ON CONFLICT DO NOTHING"""
