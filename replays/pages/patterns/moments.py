"""The results of a search for a pattern, in the matches that a visitor may see."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from games.archive.queries import SeatRow
from games.models import Match
from games.pages.words import together, words
from games.people.visit import Visit
from replays.models import PatternSearch
from replays.notes.playlists import MOST_ITEMS
from replays.pages.moment_pictures import Place
from replays.pages.telling import seats_known
from replays.patterns.matching import Hit, together_in
from replays.patterns.occurrences import KINDS, play_of
from replays.patterns.query import LATE, PatternQuery
from replays.patterns.searching import SOON_MS, MatchOccurrences, found_by
from replays.patterns.sentences import sentence

ENOUGH: Final = 10
"""The fewest open takes whose outcome is told."""


class PatternMoment(NamedTuple):
    """One listed moment. `who` are the players who did the same in it."""

    match: int
    title: str
    """The names of those who sat there."""
    who: list[str]
    words: str
    hit: Hit

    @property
    def address(self) -> str:
        """Where it can be watched, from a moment before."""
        first, until = self.hit.first, self.hit.last.until
        match = reverse("replays:replay", args=[self.match])
        return f"{match}?round={first.round}&event={first.event}&until={until}"

    @property
    def place(self) -> Place:
        """What is pictured: the table before it, a race before both plays."""
        first = self.hit.first
        since = first.t if KINDS[first.kind] == LATE else None
        play = play_of(first)
        return Place(self.match, first.round, first.seq, play=play, at=first.to, since=since)


class PlayerCount(NamedTuple):
    """How many moments a player had. One name may be a human here and a bot there."""

    name: str
    kind: str
    moments: int
    matches: int
    """How many of the matches searched were theirs."""

    @property
    def per_match(self) -> float:
        """How many moments they had in a match, on average."""
        return self.moments / self.matches


class FoundMoments(NamedTuple):
    """All of it: every moment is counted, the first ones are listed."""

    players: list[PlayerCount]
    moments: list[PatternMoment]
    total: int
    """How many moments there are, listed or not. Players may share one."""
    cut: bool
    """Whether some are only counted."""
    unseen: int
    """Matches searched that this visitor may not see, whether they have such moments or not."""
    outcome: str
    """What became of the takes that were open, if the search is about them and finds enough."""


def found_for(visit: Visit, search: PatternSearch) -> FoundMoments:
    """What of a finished search this visitor may see."""
    # For a match under an embargo, not even the number of its moments is shown.
    without = visit.embargoed
    every = [in_match for in_match in found_by(search) if in_match.match not in without]
    known = Match.objects.in_bulk([in_match.match for in_match in every])
    seen = [
        in_match
        for in_match in every
        if in_match.match in known and visit.rights(known[in_match.match]).admitted
    ]
    seats = seats_known([in_match.match for in_match in seen], visit.visitor.classes)
    moments = [moment for in_match in seen for moment in _moments(in_match, seats[in_match.match])]
    total, listed = sum(in_match.moments for in_match in seen), moments[:MOST_ITEMS]
    cut, unseen = len(listed) < total, len(every) - len(seen)
    return FoundMoments(_count_players(seen, seats), listed, total, cut, unseen, _outcome(seen))


def _outcome(seen: Sequence[MatchOccurrences]) -> str:
    every = sum(in_match.open_takes.all for in_match in seen)
    if every < ENOUGH:
        return ""
    taken = sum(in_match.open_takes.taken for in_match in seen)
    closed = sum(in_match.open_takes.closed for in_match in seen)
    return _(
        "Of 100 such takes, {taken} were taken within {seconds} s, and another player was there"
        " first {closed} times."
    ).format(
        taken=round(100 * taken / every),
        closed=round(100 * closed / every),
        seconds=SOON_MS // 1_000,
    )


def _count_players(
    seen: Sequence[MatchOccurrences], seats: dict[int, list[SeatRow]]
) -> list[PlayerCount]:
    moments: Counter[tuple[str, str]] = Counter()
    matches: Counter[tuple[str, str]] = Counter()
    for in_match in seen:
        for seat in seats[in_match.match]:
            moments[seat.name, seat.kind] += in_match.counts[seat.number]
        matches.update({(seat.name, seat.kind) for seat in seats[in_match.match]})
    return [PlayerCount(*who, count, matches[who]) for who, count in moments.most_common() if count]


def _moments(in_match: MatchOccurrences, seats: Sequence[SeatRow]) -> Iterator[PatternMoment]:
    names = [seat.name for seat in seats]
    for alike in together_in(in_match.hits):
        hit, who = alike[0], list(dict.fromkeys(names[each.first.seat] for each in alike))
        words = sentence(hit, names, together(who))
        yield PatternMoment(in_match.match, " · ".join(names), who, words, hit)


def text_of(search: PatternSearch) -> str:
    """The query, in the visitor's language."""
    query = search.query and PatternQuery.model_validate(search.query)
    return capfirst(words(query.said) if query else search.text)
