"""What mistakes cost: the takes that others made meanwhile."""

from __future__ import annotations

from games.engine.cards import FACE
from games.engine.events import Draw, Event, Miss, Play
from games.engine.fitting import fits, takes
from replays.analysis.moments.judgements import MISTAKE, judgements, lost_meanwhile
from replays.analysis.sentences import told
from replays.timeline import Timeline
from tests.analysis.rounds import a_round
from tests.replays.matches import FILES, lines_of

MISTAKEN = Miss(2_700, 0, "A1a", 0, None, 9)


def said(*later: Event, hand: str = "A5a A1a A2a") -> list[str]:
    match = a_round(Draw(2_600, 1, "B1b"), *later, hand=hand)
    found = [judged.text for judged in judgements(match, ()) if judged.verdict == MISTAKE]
    return [told(text, match.names) for text in found]


def test_a_mistake_names_the_take_lost_meanwhile() -> None:
    tried = "Ann tried a 1 on stack 1, where it didn’t fit."
    took = Play(3_600, 1, "B1b", 0, takes=7)
    (text,) = said(MISTAKEN, took)
    assert text == f"{tried} 0.9 s later Bea took 7 cards that Ann could have taken."
    assert said(MISTAKEN) == [tried]
    assert said(MISTAKEN, took._replace(t=4_700)) == [tried]
    assert said(MISTAKEN, took, hand="A4a A1a A2a") == [tried]


def test_in_recorded_matches_the_hand_could_have_taken_it() -> None:
    for path in FILES:
        for played in Timeline.of(lines_of(path)).rounds:
            for place, play in lost_meanwhile(played).items():
                miss = played.events[place]
                assert isinstance(miss, Miss)
                assert miss.t < play.t < miss.t + played.header.rules.mistake_ms
                assert play.seat != miss.seat
                before = played.table(played.events.index(play))
                top = before.tops[play.stack]
                faces = [FACE[card] for card in before.hands[miss.seat]]
                assert any(
                    fits(before.rules, top, face) and takes(top, face, None) for face in faces
                )
