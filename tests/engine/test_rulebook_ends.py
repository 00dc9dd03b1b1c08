"""The rules that all editions share: how a round ends, what it is worth, who wins the match."""

import pytest

from games.engine import scoring
from games.engine.actions import Abandon, DrawOne, Shout, Try
from games.engine.editions import EDITIONS, Rules, house_rules
from games.engine.events import Discard, End, Miss, Out, Play, Tie
from tests.engine.rounds import BASE, Round, facts, refusals

ONE_OF_EACH = [1, 1, 1, 0, 0, 0]


def test_blocked_when_no_card_anywhere_could_be_played() -> None:
    """ "The round is blocked, and ends at once, when no seat has any card in hand, draw pile
    or discard pile that could be played on any slot as the middle now stands"."""
    r = Round("A1a A2a A3a", "B1a B2a B3a", deck=ONE_OF_EACH)
    r.happen(Play(BASE, 0, "A1a", 0), Play(BASE, 1, "B1a", 1))
    r.happen(Play(BASE + 200, 0, "A2a", 0), Play(BASE + 200, 1, "B2a", 1))
    r.happen(Play(BASE + 400, 0, "A3a", 0))
    assert r.table.ended is None  # a 3 still fits on slot 1
    (play, end) = r.referee().facts(BASE + 450, (BASE + 400, Try(1, "B3a", 1)))
    assert play == Play(BASE + 400, 1, "B3a", 1, None, None, 5)
    assert end == End(BASE + 400, "blocked", (0, 0), (0, 0))


def test_blocked_looks_into_draw_and_discard_piles() -> None:
    """A card that fits may lie anywhere: then the round goes on."""
    r = Round("A2a A3a A4a", "B2a B3a B4a", deck=[1, 1, 1, 1, 0, 0])
    assert r.table.draw_piles == [["A1a"], ["B1a"]]
    assert "the round goes on" in r.fault(End(0, "blocked", (-1, -1), (-1, -1)))
    hidden = Round("A1a A2a A3a", "B2a B3a B4a", deck=[1, 1, 1, 1, 0, 0])
    hidden.happen(Discard(BASE, 0, "A1a"), Discard(BASE, 1, "B2a"))
    assert "the round goes on" in hidden.fault(End(BASE, "blocked", (-2, -2), (-2, -2)))


def test_blocked_at_once_means_nothing_comes_between() -> None:
    """After a play that blocks, the next event is the end, at the same t."""
    r = Round("A1a A3a A3b", "B1a B3a B3b", deck=[1, 0, 2, 0, 0, 0])
    r.happen(Play(BASE, 0, "A1a", 0), Play(BASE, 1, "B1a", 1))
    assert "end blocked expected, found discard" in r.fault(Discard(BASE + 200, 0, "A3a"))
    assert "end blocked expected at t" in r.fault(End(BASE + 1, "blocked", (0, 0), (0, 0)))
    assert r.legal(0) == []


def test_blocked_at_the_deal() -> None:
    """No 1 and no wild that starts: the round ends before it began."""
    r = Round("", "", deck=[0, 3, 0, 0, 0, 0])
    assert "end blocked expected" in r.fault(Discard(BASE, 0, "A2a"))
    court = r.referee()
    assert court.judge.due == 0
    assert facts(court.settle(0)) == [End(0, "blocked", (0, 0), (0, 0))]


def test_blocked_comes_before_a_shout_not_yet_made() -> None:
    """In a shout edition too: seat 0 could say OUT, but the round is over already."""
    r = Round("A1a A2a A3a", "B1a B2a B3a", deck=ONE_OF_EACH)
    r.happen(Play(BASE, 0, "A1a", 0), Play(BASE, 1, "B1a", 1))
    r.happen(Play(BASE + 200, 0, "A2a", 0), Play(BASE + 200, 1, "B2a", 1))
    r.happen(Play(BASE + 400, 0, "A3a", 0), Play(BASE + 400, 1, "B3a", 1))
    assert "end blocked expected, found out" in r.fault(Out(BASE + 400, 0))


def test_stalled_when_nobody_has_played_for_stall_ms() -> None:
    """ "The round is stalled, and ends, when for stall_ms nobody has played a card"."""
    r = Round("A2a A3a A4a", "B2a B3a B4a").happen(Discard(BASE, 0, "A2a"))
    end = scoring.end(r.table, 30_000, "stalled")
    assert r.allows(end)
    assert "not stalled" in r.fault(end._replace(t=29_999))
    assert "end expected at t 30000" in r.fault(Discard(30_000, 1, "B2a"))
    assert "expected at t 30000" in r.fault(end._replace(t=30_001))
    court = r.referee()
    assert court.judge.due == 30_000
    assert court.settle(29_999) == []
    assert facts(court.settle(40_000)) == [end]


def test_stalling_counts_from_the_last_play() -> None:
    """The wait begins anew with every play."""
    r = Round("A1a A3a A4a", "").happen(Play(BASE, 0, "A1a", 0))
    assert r.referee().judge.due == BASE + 30_000


def test_ties_do_not_count_as_played() -> None:
    """ "Ties do not count as played"; nor do late tries and mistakes."""
    r = Round("A1a A3a A4a", "B1a B3a B4a")
    r.happen(Tie(BASE, 0, ("A1a", "B1a"), (0, 1)), Miss(BASE + 500, 0, "A4a", 0, None, 1))
    assert r.referee().judge.due == 30_000


def test_round_score() -> None:
    """ "Round score = cards in the score pile - cards in the draw pile - cards in the discard
    pile. Hand cards and cards left in the middle count for nobody"."""
    r = Round("A5a A2d A3d", "B1a B2a B3a", middle=["A1a A2a A3a A4a", "B1b"])
    r.happen(r.play(BASE, "A5a", 0), Discard(BASE, 1, "B3a"))
    assert scoring.round_scores(r.table) == (5 - (35 - 4 - 3 - 0), 0 - (35 - 4) - 1)


@pytest.mark.parametrize("reason", ["blocked", "stalled", "out"])
def test_blocked_and_stalled_rounds_are_scored_like_any_other(reason: str) -> None:
    """ "Blocked and stalled rounds are scored like any other"."""
    r = Round("A5a A2d A3d", "", middle=["A1a A2a A3a A4a"])
    r.happen(r.play(BASE, "A5a", 0))
    assert scoring.end(r.table, BASE, reason).scores == scoring.round_scores(r.table)


def test_scores_and_totals_of_an_end_are_checked() -> None:
    """An end with another score or total is an error."""
    r = Round("A2a A3a A4a", "")
    r.table.totals = (10, 20)
    end = scoring.end(r.table, 30_000, "stalled")
    assert end.totals == (10 - 32, 20 - 32)
    assert "scores: expected" in r.fault(end._replace(scores=(-32, -31)))
    assert "totals: expected" in r.fault(end._replace(totals=(0, 0)))


@pytest.mark.parametrize(
    ("totals", "over", "winners"),
    [
        ((99, 98), False, None),
        ((100, 98), True, (0,)),
        ((100, 120, 101), True, (1,)),
        ((120, 100, 120), True, (0, 2)),
        ((-5, 130), True, (1,)),
    ],
)
def test_rounds_go_on_until_a_total_reaches_the_target(
    totals: tuple[int, ...], over: bool, winners: tuple[int, ...] | None
) -> None:
    """ "If several reach it in the same round, the highest total wins; equal highest totals
    are a draw between them"."""
    last = End(0, "out", totals, totals)
    assert scoring.decided(Rules(), 1, last) is over
    if over:
        assert scoring.winners(last) == winners


def test_a_longer_game() -> None:
    """ "the target (100, or a higher number for a longer game)"."""
    last = End(0, "out", (199, 0), (199, 0))
    assert not scoring.decided(house_rules("usaopoly-2009", {"target": 200}), 1, last)
    assert scoring.decided(house_rules("usaopoly-2009", {"target": 199}), 1, last)


def test_the_hundredth_round_is_the_last() -> None:
    """ "if no total has reached the target by then, the highest total wins all the same"."""
    last = End(0, "out", (1, 1), (40, 40))
    assert not scoring.decided(Rules(), 99, last)
    assert scoring.decided(Rules(), 100, last)
    assert scoring.winners(last) == (0, 1)


def test_a_speedy_game() -> None:
    """ "Speedy game: one round, the highest score wins (equal: a draw)"."""
    last = End(0, "stalled", (-4, -4, -9), (-4, -4, -9))
    assert scoring.decided(house_rules("hasbro-2010", {"speedy": True}), 1, last)
    assert scoring.winners(last) == (0, 1)


def test_abandoned_only_when_everybody_gives_up() -> None:
    """ "A match is abandoned only when everybody gives it up": 0 for all, no winner."""
    r = Round("A1a A2a A3a", "")
    r.table.totals = (120, 20)
    (end,) = facts(r.referee().offer(BASE, Abandon()))
    assert end == End(BASE, "abandoned", (0, 0), (120, 20))
    assert isinstance(end, End)
    assert scoring.decided(r.table.rules, 1, end)
    assert scoring.winners(end) == ()


def test_what_is_over_cannot_be_abandoned() -> None:
    """A round that is out, blocked or stalled can't be abandoned."""
    r = Round("A1a A2a A3a", "B1a B2a B3a", deck=ONE_OF_EACH)
    r.happen(Out(BASE, 0))
    assert "end out expected" in r.fault(End(BASE, "abandoned", (0, 0), (0, 0)))
    stalled = Round("A2a A3a A4a", "")
    assert "stalled" in stalled.fault(End(30_000, "abandoned", (0, 0), (0, 0)))
    court = stalled.referee()
    outcomes = court.offer(30_000, Abandon())
    assert [fact.reason for fact in facts(outcomes) if isinstance(fact, End)] == ["stalled"]
    assert [refusal.rule for refusal in refusals(outcomes)] == ["round-over"]


def test_nothing_follows_the_end() -> None:
    """After the round's end no event is true, and every action is refused."""
    r = Round("A1a A2a A3a", "").happen(End(BASE, "abandoned", (0, 0), (0, 0)))
    assert "the round has ended" in r.fault(Discard(BASE + 200, 0, "A1a"))
    assert "the round has ended" in r.fault(End(BASE, "abandoned", (0, 0), (0, 0)))
    assert r.legal(0) == []
    court = r.referee()
    assert court.judge.due is None
    for action in (DrawOne(0), Shout(0), Abandon(), Try(0, "A1a", 0)):
        assert court.refusal(BASE + 200, action).rule == "round-over"


@pytest.mark.parametrize("edition", EDITIONS)
def test_after_out_comes_the_end_at_the_same_t(edition: str) -> None:
    """After `out` comes `end` with reason out, at the same t."""
    r = Round("A1a A2a A3a", "B1a B2a B3a", edition=edition, deck=ONE_OF_EACH)
    r.happen(Play(BASE, 0, "A1a", 0), Play(BASE + 200, 0, "A2a", 0), Play(BASE + 400, 0, "A3a", 0))
    r.happen(Out(BASE + 400, 0))
    assert "end out expected, found play" in r.fault(Play(BASE + 400, 1, "B1a", 1))
    assert "end out expected at t" in r.fault(End(BASE + 401, "out", (0, 0), (0, 0)))
    assert r.allows(End(BASE + 400, "out", (0, 0), (0, 0)))
