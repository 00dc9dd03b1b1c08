"""The hub of reviews with a hand-turned clock: commits first, then announces, loses nothing."""

import pytest

from games.live.fanout.close_codes import NO_SUCH_MATCH
from games.live.fanout.connection import SILENT_MS, WINDOW
from replays.reviews.gathering import GONE_MS, Admission, OpenedReview
from replays.reviews.hub import SPACING_MS
from replays.reviews.room import (
    Change,
    DrawMarks,
    Finish,
    Hand,
    LeaderPlace,
    Move,
    Mute,
    Noted,
    Pass,
    ReviewPosition,
    State,
    Suggest,
)
from replays.reviews.state_json import to_json
from replays.reviews.store_protocol import ShownNote
from tests.reviews.rooms import ANSWERS, NAMES, PK, World, moved, rest


@pytest.fixture
def world() -> World:
    return World()


async def test_a_late_comer_arrives_at_the_leader_s_place(world: World) -> None:
    ada = world.come(1)
    ada.ask(moved(7, playing=True, speed=200))
    await world.settle()
    world.clock.advance(1_000)
    bo = world.come(2)
    place, frame = bo.told("place"), bo.of("review")[0]
    assert (place["event"], place["playing"], place["speed"]) == (7, True, 200)
    assert frame["now"] - place["at"] >= 1_000
    assert bo.of("welcome")[0]["you"] == 2


async def test_nothing_is_announced_before_it_is_committed(world: World) -> None:
    ada, bo = world.come(1), world.come(2)
    world.desks[0].away = True
    ada.ask(moved(7))
    await world.settle()
    assert bo.told("place")["event"] == 0
    world.desks[0].away = False
    await world.settle()
    assert bo.told("place")["event"] == 7


async def test_a_commit_whose_answer_was_lost_is_made_once(world: World) -> None:
    ada, bo = world.come(1), world.come(2)
    world.desks[0].loses_answers = True
    ada.ask(Suggest("x", ReviewPosition(1, 2), (), (), "here"))
    await world.settle()
    assert [moment["text"] for moment in bo.told("moments")["changed"]] == ["here"]
    assert len(world.shared.read().moments) == 1
    assert ada.of("error") == []


async def test_moves_in_a_hurry_are_committed_together(world: World) -> None:
    ada, bo = world.come(1), world.come(2)
    await world.settle()
    before = len(bo.of("review"))
    for event in range(50):
        ada.ask(moved(event))
    await world.settle()
    assert bo.told("place")["event"] == 49
    assert world.desks[0].commits <= 2
    assert len(bo.of("review")) - before <= 2


async def test_another_process_learns_of_every_change(world: World) -> None:
    ada, bo = world.come(1), world.come(2, 1)
    ada.ask(moved(4))
    ada.ask(DrawMarks(ReviewPosition(1, 4), ("stack:0",), ()))
    bo.ask(Hand(raised=True, lead=True))
    await world.settle()
    assert bo.told("place")["event"] == 4
    assert [hand["name"] for hand in ada.told("hands")] == ["Bo"]
    ada.ask(Pass(2))
    await world.settle()
    bo.ask(moved(9))
    await world.settle()
    assert ada.told("place")["event"] == 9
    assert ada.told("leader") == bo.told("leader") == 2
    assert world.desks[1].commits >= 2


async def test_a_newcomer_gets_the_latest_state_even_if_this_process_had_not(world: World) -> None:
    ada, bo = world.come(1), world.come(2, 1)
    ada.ask(moved(4))
    for _ in range(3):
        await rest()
    assert bo.told("place")["event"] == 0
    opened = OpenedReview(PK, "room", world.shared.read(), NAMES)
    await world.hubs[1].catch_up(opened)
    assert bo.told("place")["event"] == 4


async def test_a_refusal_goes_only_to_the_member_who_asked(world: World) -> None:
    ada, bo = world.come(1), world.come(2)
    bo.ask(moved(4))
    await world.settle()
    assert [error["code"] for error in bo.of("error")] == ["not-leader"]
    assert ada.of("error") == []


@pytest.mark.parametrize("wanted", [Pass(99), Mute(99, True)])
async def test_nobody_leads_or_is_muted_who_has_never_been_here(
    world: World, wanted: Change
) -> None:
    ada = world.come(1)
    ada.ask(wanted)
    await world.settle()
    assert [error["code"] for error in ada.of("error")] == ["no-such"]
    ada.ask(moved(4))
    await world.settle()
    assert ada.told("place")["event"] == 4


async def test_the_lead_passes_when_the_leader_is_gone_but_not_before(world: World) -> None:
    ada, bo, cy = world.come(1), world.come(2), world.come(3, 1)
    await world.seconds(2)
    cy.ask(Hand(raised=True, lead=True))
    ada.leave()
    await world.seconds(GONE_MS // 1_000 - 5)
    assert bo.told("leader") == 1
    await world.seconds(4)
    assert bo.told("leader") == cy.told("leader") == 3
    world.come(1)
    await world.seconds(2)
    assert bo.told("leader") == cy.told("leader") == 1, "it was only lent"
    bo.leave()
    cy.leave()
    await world.seconds(GONE_MS // 1_000 + 2)
    assert world.shared.read().leader == 1


async def test_a_leader_who_comes_back_in_time_still_leads(world: World) -> None:
    ada, bo = world.come(1), world.come(2)
    await world.seconds(2)
    ada.leave()
    await world.seconds(GONE_MS // 1_000 - 6)
    world.come(1, 1)
    await world.seconds(20)
    assert bo.told("leader") == 1


async def test_the_leader_sees_who_looks_around_in_any_process(world: World) -> None:
    ada, bo, cy = world.come(1), world.come(2, 1), world.come(3)
    nameless, again = world.come(0, 1), world.come(3, 1)
    for client in (ada, bo, cy, nameless):
        client.member.detached = True
    await world.seconds(2)
    assert [(person["name"], person["detached"]) for person in ada.told("people")] == [
        *(("Ada", False), ("Bo", True), ("Cy", False))  # who leads or follows on another screen
    ]
    assert ada.told("detached") == bo.told("detached") == 2
    assert ada.told("here") == 4
    again.leave()
    bo.member.detached = nameless.member.detached = False
    await world.seconds(2)
    assert [person["n"] for person in ada.told("people") if person["detached"]] == [3]
    assert ada.told("detached") == 1


async def test_a_note_goes_to_those_who_may_read_it(world: World) -> None:
    clients = [world.come(1), world.come(2), world.come(3), world.come(0, 1)]
    world.shared.notes["all"] = ShownNote(1, '{"key":"all"}', None)
    world.shared.notes["some"] = ShownNote(1, '{"key":"some"}', frozenset((3,)))
    for key in ("all", "some", "private"):
        clients[0].ask(Noted(key))
    await world.settle()
    seen = [[note["note"]["key"] for note in client.of("note")] for client in clients]
    assert seen == [["all"], ["all"], ["all", "some"], ["all"]]


async def test_that_somebody_has_answered_is_told_where_the_question_is_not_closed(
    world: World,
) -> None:
    ada, bo, cy = world.come(1), world.come(2), world.come(3, 1)
    bo.member.readmit(Admission(True, frozenset((0,))))
    await world.settle()
    assert ada.told("answered") is None
    for hub in world.hubs:
        hub.rights_changed("answers:2")
        hub.rights_changed(ANSWERS)
        hub.rights_changed(ANSWERS)
    await world.settle()
    assert [client.told("answered") for client in (ada, bo, cy)] == [1, None, 1]
    assert (ada.told("place")["event"], ada.codes) == (0, [])


async def test_a_review_that_is_deleted_closes_when_somebody_asks_for_something(
    world: World,
) -> None:
    ada, bo = world.come(1), world.come(2)
    await world.settle()
    world.shared.version = -1  # no row of that number any more
    ada.ask(moved(7))
    await world.settle()
    assert (ada.codes, bo.codes) == ([NO_SUCH_MATCH.code], [NO_SUCH_MATCH.code])
    assert world.desks[0].tries < 3


async def test_a_client_that_does_not_read_gets_the_latest_and_then_goes(world: World) -> None:
    ada, bo = world.come(1), world.come(2)
    bo.reads = False
    for event in range(WINDOW + 20):
        ada.ask(moved(event))
        await rest()
        world.clock.advance(SPACING_MS)
    await world.settle()
    assert len(bo.of("review")) <= WINDOW
    bo.reads = True
    bo.member.got(bo.of("review")[-1]["seq"])
    bo.member.pump(world.clock.now())
    assert bo.told("place")["event"] == WINDOW + 19
    bo.reads = False
    ada.ask(moved(3))
    await world.settle()
    await world.seconds(SILENT_MS // 1_000 + 2)
    assert bo.codes == [4408]


async def test_an_ended_review_says_so_and_closes(world: World) -> None:
    ada, bo = world.come(1), world.come(2, 1)
    ada.ask(Finish())
    await world.settle()
    assert bo.told("ended")
    assert ada.codes == bo.codes == [1000]


async def test_who_loses_the_right_is_disconnected_before_any_time_has_passed(world: World) -> None:
    ada, bo = world.come(1), world.come(2)
    world.shared.rights = None
    world.hubs[0].rights_changed("match:2")
    await rest()
    assert ada.codes == []
    world.hubs[0].rights_changed("match:1")
    for _ in range(3):
        await rest()
    assert ada.codes == bo.codes == [4404]


async def test_without_a_doorbell_it_takes_some_seconds(world: World) -> None:
    ada = world.come(1)
    world.shared.rights = Admission(False)
    await world.seconds(6)
    assert ada.codes == [4403]


async def test_a_withheld_chapter_is_told_by_its_number_alone(world: World) -> None:
    """What is sent does not depend on where in the chapter the leader is, or on what is drawn."""
    state = State(study=True, place=LeaderPlace(ReviewPosition(1, 5, chapter=1), id="start"))
    world.shared.state = to_json(state)
    ada, bo = world.come(1), world.come(2)
    world.shared.rights = Admission(True, frozenset((2,)))
    bo.member.readmit(world.shared.rights)
    ada.ask(Move(LeaderPlace(ReviewPosition(3, 77, "line", 2), t=9_000, playing=True, id="m1")))
    ada.ask(DrawMarks(ReviewPosition(3, 77, "line", 2), ("stack:4",), ()))
    ada.ask(DrawMarks(ReviewPosition(1, 5, chapter=1), ("stack:0",), ()))
    await world.settle()
    place = bo.told("place")
    assert place["chapter"] == 2
    assert (place["event"], place["t"], place["line"], place["id"]) == (0, 0, "", "")
    assert [moment["chapter"] for moment in bo.told("moments")["changed"]] == [1]
    assert bo.told("moments")["all"] == [2]
    assert ada.told("place")["event"] == 77
    bo.member.readmit(Admission(True))
    bo.member.pump(world.clock.now())
    await world.settle()
    assert bo.told("place")["event"] == 77, "the question has been answered"
    assert len(bo.told("moments")["all"]) == 2


async def test_what_is_counted(world: World) -> None:
    ada = world.come(1)
    world.come(2)
    world.come(0)
    ada.ask(moved(4))
    await world.settle()
    told = world.hubs[0].exposition().splitlines()
    assert "ratuki_reviews 1.0" in told
    for kind in ("leader", "member", "nameless"):
        assert f'ratuki_review_sockets{{kind="{kind}"}} 1.0' in told
    assert "ratuki_review_commits_total 1.0" in told
    assert "ratuki_reviews 0.0" in world.hubs[1].exposition().splitlines()
