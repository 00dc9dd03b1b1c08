"""What it costs to let bots play on from the middle of a round of four seats."""

from games.bots.simulate import lines as simulated_lines
from games.bots.simulate import rounds
from games.bots.tempo import skill_at
from games.engine.events import Play
from games.engine.table import Table, apply
from replays.analysis.judge.judge import Judge, Question
from replays.analysis.judge.playing import Change, TryAt
from replays.analysis.judge.tally import Batch
from replays.timeline import Timeline
from tests.bench.measure import spent, tell
from tests.bench.playing import SETTING
from tests.bots.positions import Start

ROLLOUTS = 300


def bench() -> None:
    """Print the CPU of rollouts to the round's end, alone and against playing from the deal."""
    start = _middle()
    skills = [skill_at(1)] * start.table.seats
    events = sum(map(len, start.rollouts(skills, ROLLOUTS)))
    cost = spent(lambda: list(start.rollouts(skills, ROLLOUTS)))
    tell(f"{ROLLOUTS} rollouts of half a round, s", cost.seconds, "s", "2 or less")
    tell("a rollout", 1_000 * cost.seconds / ROLLOUTS, "ms", "1.5 to 3")
    tell("an event of a rollout", 1e6 * cost.seconds / events, "µs")
    whole = [each_round for match in range(20) for each_round in rounds(SETTING, match)]
    simulated = sum(len(each_round.events) for each_round in whole)
    alone = spent(lambda: [list(rounds(SETTING, match)) for match in range(20)])
    ratio = (cost.seconds / events) / (alone.seconds / simulated)
    tell("an event of it, to one of a simulation", ratio, "times", "1")
    question = _question()
    judged = spent(lambda: question.run(Batch(0, ROLLOUTS)), repeats=3)
    tell(f"a play tried differently, {ROLLOUTS} each way, s", judged.seconds, "s", "2 or less")


def _question() -> Question:
    """A play in the middle of a first round, 200 ms later."""
    timeline = Timeline.of(list(simulated_lines(SETTING, 0)))
    events = timeline.rounds[0].events
    late = enumerate(events[len(events) // 2 :], len(events) // 2 + 1)
    number, seat = next((number, event.seat) for number, event in late if isinstance(event, Play))
    judge = Judge(timeline, [None] * len(timeline.names))
    return judge.about(TryAt(1, number, seat), Change(ms=200))


def _middle() -> Start:
    """The middle of a first round."""
    first_round = next(rounds(SETTING, 0))
    table = Table(SETTING.rules, len(SETTING.specs))
    table.deal(first_round.deal)
    known = first_round.events[: len(first_round.events) // 2]
    for event in known:
        apply(table, event)
    return Start(table, known)
