"""Whatever happens to a review, in whatever order: processes that die, databases that are away."""

import asyncio
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from replays.reviews.room import Pass
from tests.reviews.rooms import World, hub_of, moved

STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("move"), st.integers(1, 99)),
        st.tuples(st.just("pass"), st.integers(1, 3)),
        st.tuples(st.just("kill"), st.integers(0, 1)),
        st.tuples(st.just("away"), st.integers(0, 1)),
        st.tuples(st.just("lose"), st.integers(0, 1)),
        st.tuples(st.just("rest"), st.integers(0, 4)),
        st.tuples(st.just("wait"), st.integers(1, 3)),
    ),
    max_size=25,
)


class Crowd:
    """Three members who come back to another process when theirs dies, as the page does."""

    def __init__(self) -> None:
        self.world = World()
        self.at = {1: 0, 2: 1, 3: 0}
        self.clients = {n: self.world.come(n, process) for n, process in self.at.items()}
        self.last: dict[int, Any] = {}
        self.moves = 0

    def leader(self) -> int:
        return self.world.shared.read().leader

    async def step(self, kind: str, value: int) -> None:
        world = self.world
        if kind == "move":
            self.moves += 1
            number = self.leader()
            self.last = {number: moved(value, f"id{self.moves}")}
            self.clients[number].ask(self.last[number])
        elif kind == "pass":
            await self.heal()  # who hands over has seen where the review is
            self.clients[self.leader()].ask(Pass(value))
            await self.heal()
            if value not in self.last:
                self.last = {}
        elif kind == "kill":
            self.kill(value)
        elif kind == "away":
            world.desks[value].away = not world.desks[value].away
        elif kind == "lose":
            world.desks[value].loses_answers = True
        elif kind == "rest":
            for _ in range(value):
                await asyncio.sleep(0)
        else:
            world.clock.advance(value * 70)
            await asyncio.sleep(0)

    def kill(self, process: int) -> None:
        """A process dies with all that it had not committed; its clients come back elsewhere."""
        world = self.world
        for task in world.hubs[process]._working.values():
            task.cancel()
        world.hubs[process], world.desks[process] = hub_of(world.shared, world.clock, "ab"[process])
        for number, at in self.at.items():
            if at == process:
                self.at[number] = 1 - process
                self.clients[number] = world.come(number, 1 - process)
                if number in self.last:
                    self.clients[number].ask(self.last[number])

    async def heal(self) -> None:
        for desk in self.world.desks:
            desk.away = False
        await self.world.settle()


@settings(max_examples=40, deadline=None)
@given(STEPS)
def test_no_interleaving_loses_the_leader_s_last_place(steps: list[tuple[str, int]]) -> None:
    async def run() -> None:
        crowd = Crowd()
        for kind, value in steps:
            await crowd.step(kind, value)
        await crowd.heal()
        state = crowd.world.shared.read()
        told = [client.told("place") for client in crowd.clients.values()]
        for number, wanted in crowd.last.items():
            assert state.leader == number
            assert state.place.position == wanted.place.position
        assert {place["id"] for place in told} == {state.place.id}
        assert {client.told("leader") for client in crowd.clients.values()} == {state.leader}

    asyncio.run(run())
