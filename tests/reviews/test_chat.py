"""The chat of a review of a study: nobody hears about a chapter that is closed to them."""

from collections.abc import Mapping

from games.chat.values import PostedLine
from games.live.fanout.chat import Chats
from games.live.fanout.doorbell import Doorbell
from games.people.visitor import Visitor
from replays.reviews.gathering import Admission
from replays.reviews.room import LeaderPlace, Move, ReviewPosition, State, change, committed
from replays.reviews.state_json import to_json
from tests.clocks import ManualClock
from tests.reviews.rooms import Client, Shared, hub_of


class Lines:
    """The lines of one chat."""

    def __init__(self) -> None:
        self.lines: list[PostedLine] = []

    def write(self, text: str, about: int) -> None:
        n = len(self.lines) + 1
        self.lines.append(PostedLine("room", n, "Ada", True, text, "", about))

    async def chat_news(self, known: Mapping[str, int]) -> list[PostedLine]:
        return [line for line in self.lines if line.n > known["room"] or not line.text]

    async def chat_add(self, match: str, writer: Visitor, text: str) -> str:
        raise NotImplementedError

    async def chat_report(self, match: str, reporter: Visitor, n: int) -> None:
        raise NotImplementedError


async def test_what_is_said_in_a_closed_chapter_is_sent_once_it_is_open() -> None:
    clock, shared, lines = ManualClock(), Shared(), Lines()
    hub, _ = hub_of(shared, clock)
    chats = Chats(lines, clock, Doorbell())

    def go(chapter: int) -> State:
        state = shared.read()._replace(study=True)
        place = LeaderPlace(ReviewPosition(1, 9, chapter=chapter), id=f"to-{chapter}")
        after = committed(change(state, 1, Move(place)))
        shared.version, shared.state = after.version, to_json(after)
        return after

    go(1)
    coach, learner = (Client(hub, shared, number) for number in (1, 2))
    learner.member.readmit(Admission(True, frozenset((2,))))
    for client in (coach, learner):
        chats.join(client.member)

    def heard(reader: Client) -> list[str]:
        return [line["text"] for frame in reader.of("chats") for line in frame["lines"]]

    async def tell() -> None:
        await hub.look()
        await chats.look()

    lines.write("Welcome.", 1)
    await tell()
    go(2)
    await hub.look()
    lines.write("And that was chapter one.", 1)  # sent while the group is elsewhere already
    lines.write("It is the five!", 2)
    await tell()
    assert heard(coach) == ["Welcome.", "And that was chapter one.", "It is the five!"]
    assert heard(learner) == ["Welcome."]
    lines.lines[0] = lines.lines[0]._replace(text="")  # removed by a moderator
    await tell()
    assert [frame["gone"] for frame in learner.of("chats")] == [[], [1]]

    go(1)
    await tell()
    assert heard(learner) == ["Welcome.", "And that was chapter one."]
    learner.member.readmit(Admission(True))  # with the answer
    await tell()
    assert heard(learner)[-1] == "It is the five!"
    assert len(heard(coach)) == 3
