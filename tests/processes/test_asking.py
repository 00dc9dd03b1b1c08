"""A class is asked, and the server is killed: nothing is lost, and who comes late is asked."""

import signal

import pytest

from tests.processes.conftest import Pair, off_loop, send
from tests.reviews.evening import Browser, Evening

pytestmark = [pytest.mark.postgres, pytest.mark.redis, pytest.mark.slow]


async def test_a_server_that_is_killed_while_a_class_is_asked_loses_nothing(pair: Pair) -> None:
    there = await off_loop(Evening.prepared, pair.a, 2)
    review, log = f"/reviews/{there.review}", f"/api/v1/matches/{there.match}/log"
    coach, quick = (Browser(pair.a, session) for session in (there.coach, there.pupils[0]))
    await off_loop(coach.ask, "POST", f"{review}/ask", {"moment": there.moment})
    question = (await off_loop(quick.page, f"{review}/")).partition('"page": "')[2]
    path = question.partition('"')[0]
    key = path.split("/")[2]
    answer = f"/studies/{key}/chapters/1/answer"
    await off_loop(quick.ask, "POST", answer, {"asked": True})
    await off_loop(quick.ask, "POST", answer, {"answer": {"do": "draw"}, "ms": 900})
    for browser in (coach, quick):
        browser.close()
    await send(pair.a, signal.SIGKILL)

    coach, quick, late = (
        Browser(pair.b, session) for session in (there.coach, there.pupils[0], there.pupils[1])
    )
    assert "You will see the answer" in await off_loop(quick.page, f"{review}/")
    assert path in await off_loop(late.page, f"{review}/")
    for pupil in (quick, late):
        assert await off_loop(pupil.status, log) == 404
    told = await off_loop(coach.ask, "GET", f"{review}/chapters/1/answers")
    assert [row["state"] for row in told["answers"]] == ["answered", "away"]
    assert told["answers"][0]["ms"] >= 900  # more where a slow server corrects it
    await off_loop(late.ask, "POST", answer, {"asked": True})
    await off_loop(late.ask, "POST", answer, {"answer": {"do": "wait"}, "ms": 1_500})
    await off_loop(coach.ask, "POST", f"{review}/reveal", {})
    for pupil in (quick, late):
        assert await off_loop(pupil.status, log) == 200
    for browser in (coach, quick, late):
        browser.close()
