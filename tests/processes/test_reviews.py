"""A review over two processes, PostgreSQL and Redis: what one sends, the other sends."""

import signal

import pytest

from tests.processes.conftest import Pair, off_loop, send
from tests.reviews.members import Person, Room, gone, open_question
from tests.services import Redis

pytestmark = [pytest.mark.postgres, pytest.mark.redis, pytest.mark.slow]


async def test_a_review_lives_in_two_processes_and_survives_the_death_of_one(
    pair: Pair, redis: Redis
) -> None:
    room = await off_loop(Room, pair.a)
    ada = await Person.come(pair.a, room, "Ada")
    bo = await Person.come(pair.b, room, "Bo")
    for event in range(1, 9):
        await ada.move(event)
    for person in (ada, bo):
        await person.at(8)
    await ada.until("review", lambda f: len(f.get("people", ())) == 2)

    # Bo looks around, raises a hand; Ada sees that, and lowers the hand.
    await bo.send(type="detach", detached=True)
    await ada.until("review", lambda f: f.get("detached") == 1)
    await bo.send(type="hand", raised=True)
    await ada.until("review", lambda f: f.get("hands"))
    await ada.send(type="lower", n=bo.you)
    await bo.until("review", lambda f: f.get("hands") == [])

    # Both change it at once; neither change is lost.
    await ada.send(type="draw", round=1, event=8, marks=["stack:0"])
    await bo.send(type="suggest", id="s", round=1, event=3, text="here")
    for person in (ada, bo):
        while len(person.parts["moments"]["all"]) < 2:
            await person.until("review")

    # Cy opens a question on the match through one process, and is shown out by the other.
    cy = await Person.come(pair.b, room, "Cy")
    await off_loop(open_question, pair.a, room, "Cy")
    await cy.socket.wait_closed()
    assert cy.socket.close_code == 4404

    # Without the doorbell it goes on.
    await off_loop(redis.stop)
    try:
        await ada.move(20)
        await bo.at(20)
    finally:
        await off_loop(redis.start)

    # The leader's process dies; the leader comes back to the other, and leads on.
    name = await ada.move(30)
    await ada.at(30)
    await send(pair.a, signal.SIGKILL)
    again = await Person.come(pair.b, room, "Ada")
    assert again.parts["place"]["id"] == name
    await again.move(31)
    await bo.at(31)
    assert bo.parts["leader_name"] == "Ada"

    # Now the leader leaves for good, and somebody else leads.
    await again.socket.close()
    await bo.led_by("Bo")
    await bo.move(40)
    await bo.at(40)
    await gone(ada, bo)
    rows = pair.request("SELECT state->>'leader' FROM replays_review ORDER BY id LIMIT 1")
    assert rows == [("2",)]
