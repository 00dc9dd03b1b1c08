"""The account of a match as JSON: whole cards that add up, and each contested stack in words."""

from collections.abc import Iterator, Mapping, Sequence

from typing_extensions import TypedDict

from games.engine.message import lasting, seat, seats
from replays.analysis.account import SeatAccount, Taken, contested
from replays.analysis.report_json import At
from replays.analysis.sentences import Fact, Text, fact, say
from replays.analysis.windows import Window


class SeatAccountJson(TypedDict):
    """A seat's account: `score = rivals + alone + wilds + left + floor`, in cards."""

    seat: int
    score: int
    rivals: int
    alone: int
    wilds: int
    left: int
    floor: int
    could: int
    won: int
    share: int
    """In whole cards: over the table it has the same sum as `rivals`."""
    luck: int
    alone_stacks: int
    wild_stacks: int


class RivalJson(TypedDict):
    """A seat that could take a stack as well: since when its 5 fitted, after how many events of the
    round that was, how long its player was free, and by how much it came too late, if it tried."""

    seat: int
    since: int
    event: int
    free_ms: int
    late_ms: int | None


class ContestedStack(At):
    """A stack that several seats could take. `seq` is the taking play's."""

    slot: int
    cards: int
    taker: int
    laid_by: int
    laid_at: int
    rivals: list[RivalJson]
    text: Text


class AccountJson(TypedDict):
    """Empty before a round is finished."""

    seats: list[SeatAccountJson]
    stacks: list[ContestedStack]


def account_json(
    account: Sequence[SeatAccount], stacks: Sequence[Taken], free: Mapping[Window, int]
) -> AccountJson:
    """`free`: of each window, how many ms its player was free."""
    shares = whole([each.share for each in account])
    listed = contested(stacks)
    if not any(each.score or each.left for each in account):
        return {"seats": [], "stacks": []}
    return {
        "seats": [_seat(*each) for each in zip(range(len(account)), account, shares, strict=True)],
        "stacks": [_stack(stack, free, len(account)) for stack in listed],
    }


def whole(shares: Sequence[float]) -> list[int]:
    """Rounded by the largest remainders, so that they keep their sum, which is whole."""
    down = [int(share) for share in shares]
    order = sorted(range(len(down)), key=lambda at: down[at] - shares[at])
    for at in order[: round(sum(shares)) - sum(down)]:
        down[at] += 1
    return down


def _seat(number: int, own: SeatAccount, share: int) -> SeatAccountJson:
    return {
        "seat": number,
        "score": own.score,
        "rivals": own.rivals,
        "alone": own.alone,
        "wilds": own.wilds,
        "left": own.left - own.floor,
        "floor": own.floor,
        "could": own.could,
        "won": own.won,
        "share": share,
        "luck": round(own.luck),
        "alone_stacks": own.alone_stacks,
        "wild_stacks": own.wild_stacks,
    }


def _stack(stack: Taken, free: Mapping[Window, int], table: int) -> ContestedStack:
    return {
        "seq": stack.seq,
        "round": stack.round,
        "t": stack.t,
        "slot": stack.slot,
        "cards": stack.cards,
        "taker": stack.taker,
        "laid_by": stack.laid_by,
        "laid_at": stack.laid_at,
        "rivals": [
            {
                "seat": number,
                "since": window.since,
                "event": window.span[0],
                "free_ms": free.get(window, 0),
                "late_ms": stack.late.get(number),
            }
            for number, window in sorted(stack.rivals.items())
        ],
        "text": say(_facts(stack, table)),
    }


def _facts(stack: Taken, table: int) -> Iterator[Fact]:
    """Who laid the 4, who took it, who had a 5 too, and who came too late."""
    time, taker = lasting(stack.t - stack.laid_at), seat(stack.taker)
    if stack.laid_by == stack.taker:
        yield fact("laid_and_took", player=taker, time=time)
    else:
        yield fact("laid_for", other=seat(stack.laid_by), player=taker, time=time)
    if len(stack.could) == table > 2:
        yield fact("all_had_5")
    else:
        yield fact("had_5_too", players=seats(sorted(stack.rivals)))
    for number in sorted(stack.rivals, key=lambda number: stack.late.get(number, 0)):
        if number in stack.late:
            yield fact("came_late", player=seat(number), ms=stack.late[number])
