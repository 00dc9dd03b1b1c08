"""The targets of notes and variations: positions that exist, in lines that exist.

A **line** is a way through a round. The mainline is the actual play. A variation with an id is a
line too: the line that it branches from, up to the branch, then its own events. So a position is a
round, a line and a number of events along it, and the same position may be named in several lines.

The events of a variation are not judged here (`games.records.branches`).
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from games.engine.events import End
from games.engine.facts import Fault
from games.records.log import (
    MAX_DEPTH,
    MAX_LISTED,
    MAX_NOTES,
    MAX_VARIATIONS,
    Note,
    Remark,
    Variation,
)

_LIMITS: Final = {Note: MAX_NOTES, Variation: MAX_VARIATIONS}


class Branch(NamedTuple):
    """A variation as others refer to it: the line it leaves, where, and how long it is.

    `length`: events in its whole line, both up to the branch and its own.
    """

    round: int
    line: str | None
    event: int
    length: int
    ended: bool
    depth: int


class Branches(dict[str, Branch]):
    """The variations with an id, by id."""

    def add(self, variation: Variation) -> None:
        """Add a variation whose own line, if any, is already here."""
        if variation.id:
            self[variation.id] = Branch(
                variation.round,
                variation.line,
                variation.event,
                variation.event + len(variation.events),
                isinstance(variation.events[-1], End),
                self.depth(variation.line) + 1,
            )

    def depth(self, line: str | None) -> int:
        """A line's depth. 0 for the mainline."""
        return self[line].depth if line else 0

    def origin(self, line: str | None, event: int) -> tuple[str | None, int]:
        """The ancestor line to which the position's last event belongs."""
        while line and event <= self[line].event:
            line = self[line].line
        return line, event


class Remarks:
    """The notes and variations of a record so far. `take` checks whether the next one may follow.

    `exists` says whether the match has the target of a mark.
    """

    def __init__(self, version: int, exists: Callable[[str], bool]) -> None:
        self.branches = Branches()
        self._version = version
        self._exists = exists
        self._counts = {Note: 0, Variation: 0}
        self._notes: dict[str, tuple[int, str | None, int]] = {}  # where those with an id are

    def take(self, remark: Remark, counts: list[int], ended: int) -> None:
        """Take the next remark. Raises Fault if it cannot come here.

        `counts`: the events of each round so far. `ended`: how many rounds have ended.
        """
        self._count(type(remark))
        self._verify_keys(remark)
        length = self._verify_position(remark, counts)
        if isinstance(remark, Note):
            self._note(remark, length)
        else:
            self._variation(remark, length, remark.round <= ended)

    def _count(self, kind: type) -> None:
        self._counts[kind] += 1
        if self._counts[kind] > _LIMITS[kind]:
            if kind is Note:
                raise Fault("too many: expected at most {most} notes", most=_LIMITS[kind])
            raise Fault("too many: expected at most {most} variations", most=_LIMITS[kind])

    def _verify_keys(self, remark: Remark) -> None:
        if self._version == 1 and remark.newer:
            raise Fault(
                "unknown key {newer!r}: it is of version 2, the header says 1", newer=remark.newer
            )
        if remark.id in self._notes or remark.id in self.branches:
            raise Fault("id: not unique: {id} is used twice", id=remark.id)

    def _verify_position(self, remark: Remark, counts: list[int]) -> int:
        """How many events its line has so far. Raises Fault unless the position is among them."""
        if remark.round > len(counts):
            raise Fault(
                "round: expected one of the {count} above, found {found}",
                count=len(counts),
                found=remark.round,
            )
        length = counts[remark.round - 1]
        if remark.line:
            length = self._branch(remark).length
        if remark.event <= length:
            return length
        if not remark.line:
            raise Fault(
                "event: expected at most the {length} above, found {found}",
                length=length,
                found=remark.event,
            )
        raise Fault(
            "event: expected at most the {length} of line {line}, found {found}",
            length=length,
            line=remark.line,
            found=remark.event,
        )

    def _branch(self, remark: Remark) -> Branch:
        branch = self.branches.get(remark.line or "")
        if branch is None:
            raise Fault("line: no variation above has this id: {line}", line=remark.line)
        if branch.round != remark.round:
            raise Fault(
                "line: {line} is a variation of round {round}, found round {found}",
                line=remark.line,
                round=branch.round,
                found=remark.round,
            )
        return branch

    # Notes

    def _note(self, note: Note, length: int) -> None:
        if self._version > 1:
            _verify_content(note)
        self._verify_span(note, length)
        for mark in note.marks:
            self._verify_mark("marks", mark)
        for arrow in note.arrows:
            for mark in arrow.split(">"):
                self._verify_mark("arrows", mark)
        if note.reply:
            self._verify_reply(note, note.reply)
        if note.id:
            self._notes[note.id] = _place(note)

    def _verify_span(self, note: Note, length: int) -> None:
        if note.until is not None and not note.event < note.until <= length:
            raise Fault(
                "until: expected more than {event} and at most the {length} above, found {found}",
                event=note.event,
                length=length,
                found=note.until,
            )

    def _verify_mark(self, name: str, mark: str) -> None:
        if not self._exists(mark):
            raise Fault("{name}: no such thing in this match: {mark}", name=name, mark=mark)

    def _verify_reply(self, note: Note, answered: str) -> None:
        place = self._notes.get(answered)
        if place is None:
            raise Fault("reply: no note above has this id: {answered}", answered=answered)
        if place != _place(note):
            raise Fault("reply: {answered} speaks of another position", answered=answered)
        for key in ("until", "marks", "arrows", "glyph"):
            if getattr(note, key):
                raise Fault("reply: expected no {key} on a note that answers another", key=key)

    # Variations

    def _variation(self, variation: Variation, length: int, ended: bool) -> None:
        if variation.line:
            branch = self.branches[variation.line]
            ended = branch.ended
            if branch.depth >= MAX_DEPTH:
                raise Fault("line: expected branches at most {most} deep", most=MAX_DEPTH)
        if ended and variation.event == length:
            raise Fault(
                "variation: round {round} has ended at event {length}",
                round=variation.round,
                length=length,
            )
        self.branches.add(variation)


def _verify_content(note: Note) -> None:
    if note.silent:
        raise Fault("a note that says nothing: expected glyph, text, marks, arrows or tags")
    if len(note.marks) > MAX_LISTED:
        raise Fault(
            "marks: expected at most {most}, found {found}", most=MAX_LISTED, found=len(note.marks)
        )


def _place(note: Note) -> tuple[int, str | None, int]:
    return note.round, note.line, note.event
