"""Rights as a table: who may do what with which match. No database is asked."""

from collections.abc import Sequence
from typing import Any, overload

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.people.person import Kind, Person, account, bearer, decode, encode, guest
from games.people.rights import Access, Rights, public, rights
from games.people.visitor import STRANGER, Visitor

ADA, BO, BOT = account(7), guest("bo"), bearer("a token of some length")
SEATS = (BO, None, ADA, BOT)
VISITORS = {
    "stranger": STRANGER,
    "guest": Visitor((guest("eve"),), "Eve"),
    "account": Visitor((account(8),), "Kim"),
    "holder of the link": STRANGER.showing("key"),
    "guest who plays": Visitor((BO,), "Bo"),
    "account that plays": Visitor((ADA, guest("other")), "Ada"),
    "account, its browser's guest plays": Visitor((account(8), BO), "Kim"),
    "bot that plays": Visitor((BOT,)),
    "other bot": Visitor((bearer("some other token"),)),
    "moderator": Visitor((account(9),), "Mo", moderator=True),
}
PUBLIC = Access(seats=SEATS, keeper=BO, open_delay_ms=30_000)
MATCHES = {
    "public": PUBLIC,
    "by link": PUBLIC._replace(by_link=True, key="key"),
    "without spectators": PUBLIC._replace(spectators=False),
    "public, over": PUBLIC._replace(secret=False, over=True),
    "by link, over": PUBLIC._replace(by_link=True, key="key", secret=False, over=True),
    "without spectators, over": PUBLIC._replace(spectators=False, secret=False, over=True),
}
NAMES = ("enter", "sit", "play", "watch", "see", "open_hands", "chat", "annotate", "export", "keep")
# One letter a right, in the order of NAMES; a dot where it is missing.
TABLE = """
                                    public      by link     without..   public,     by link,    without..,
                                                            spectators  over        over        over
stranger                            es.wsoca..  ..........  es........  es.wsocax.  ..........  es..s..ax.
guest                               es.wsoca..  ..........  es........  es.wsocax.  ..........  es..s..ax.
account                             es.wsoca..  ..........  es........  es.wsocax.  ..........  es..s..ax.
holder of the link                  es.wsoca..  es.wsoca..  es........  es.wsocax.  es.wsocax.  es..s..ax.
guest who plays                     e.pws....k  e.pws....k  e.p......k  e.pws..axk  e.pws..axk  e.p.s..axk
account that plays                  e.pws.....  e.pws.....  e.p.......  e.pws..ax.  e.pws..ax.  e.p.s..ax.
account, its browser's guest plays  e.pws....k  e.pws....k  e.p......k  e.pws..axk  e.pws..axk  e.p.s..axk
bot that plays                      e.pws.....  e.pws.....  e.p.......  e.pws...x.  e.pws...x.  e.p.s...x.
other bot                           es.wsoc...  ..........  es........  es.wsoc.x.  ..........  es..s...x.
moderator                           es.wsoca..  ..........  es........  es.wsocax.  ..........  es..s..ax.
"""  # noqa: E501
LETTERS = "espwsocaxk"


def rows() -> dict[str, list[str]]:
    """The table's cells by visitor."""
    lines = TABLE.strip("\n").splitlines()[2:]
    return {line[:36].strip(): line[36:].split() for line in lines}


def test_the_table_has_every_right() -> None:
    properties = {name for name, value in vars(Rights).items() if isinstance(value, property)}
    public = {name for name in properties if not name.startswith("_")}
    assert public == {*NAMES, "seat", "admitted", "embargoed", "review"}


@pytest.mark.parametrize("who", VISITORS)
@pytest.mark.parametrize("column", range(len(MATCHES)), ids=list(MATCHES))
def test_the_table_of_rights(who: str, column: int) -> None:
    may = rights(VISITORS[who], list(MATCHES.values())[column])
    pairs = zip(NAMES, LETTERS, strict=True)
    letters = "".join(letter if getattr(may, name) else "." for name, letter in pairs)
    assert letters == rows()[who][column]


def test_lists_show_what_a_stranger_may_see() -> None:
    shown = [name for name, access in MATCHES.items() if public(access)]
    assert shown == ["public", "public, over", "without spectators, over"]


def test_a_match_by_link_without_a_key_opens_for_nobody() -> None:
    locked = PUBLIC._replace(by_link=True, key="")
    for shown in ("", "key"):
        assert not rights(STRANGER.showing(shown), locked).enter
    assert not rights(Visitor(keys=frozenset({""})), locked).enter
    assert rights(Visitor((ADA,)), locked).enter, "who sits there needs no key"


@given(st.text(), st.text())
def test_only_the_right_key_opens(key: str, shown: str) -> None:
    locked = PUBLIC._replace(by_link=True, key=key)
    assert rights(STRANGER.showing(shown), locked).enter == (bool(key) and key == shown)


class Forbidden(Sequence[Person | None]):
    """Seats that must not be looked up."""

    def __len__(self) -> int:
        raise AssertionError("the seats were asked for")

    @overload
    def __getitem__(self, index: int) -> Person | None: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Person | None]: ...
    def __getitem__(self, index: Any) -> Any:
        raise AssertionError("the seats were asked for")


@pytest.mark.parametrize("right", ["enter", "watch", "see", "export", "annotate"])
def test_a_public_match_needs_no_look_up_of_seats(right: str) -> None:
    access = PUBLIC._replace(seats=Forbidden(), secret=False, over=True)
    assert getattr(rights(VISITORS["account"], access), right)


@given(st.sampled_from(Kind), st.text(min_size=1))
def test_a_person_is_stored_and_found_again(kind: Kind, key: str) -> None:
    person = Person(kind, key)
    assert decode(encode(person)) == person


def test_the_stored_form_is_what_it_always_was() -> None:
    assert [encode(who) for who in (account(7), guest("a:b"), None)] == ["user:7", "guest:a:b", ""]
    assert encode(bearer("x" * 16)) == f"token:{bearer('x' * 16).key}"
    assert decode("") is None
    with pytest.raises(ValueError, match="robot"):
        decode("robot:7")
