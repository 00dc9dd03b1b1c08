"""Statements about a match: facts that are stored and sent, and the one table of their sentences.

A text is some facts, each a kind with its values (`games.engine.message`). Rows, jobs and the API
keep them as they are. A page puts them into its reader's language, with the names they may see.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from games.engine.message import ENGLISH, Language, Message, Value, plural, render


class Fact(NamedTuple):
    """A kind of `SENTENCES`, and the values that its sentence names."""

    kind: str
    values: dict[str, Value]


class Text(dict[str, list[Fact]]):
    """Facts in order, under `say`. The API describes it as a string, which it sends."""

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, handler: Callable[[type], Any]) -> Any:
        return handler(str)


def fact(kind: str, /, **values: Value) -> Fact:
    return Fact(kind, values)


def say(*facts: Fact | Iterable[Fact]) -> Text:
    said: list[Fact] = []
    for each in facts:
        said += [each] if isinstance(each, Fact) else each
    return Text(say=said)


def to_player(text: Text, of: int) -> Text:
    """A text, made now or stored, as said to a seat's player: `You had a 5` for `Ada had a 5`."""
    return say(
        Fact(f"own_{kind}" if _about(kind, values, of) else kind, values)
        for kind, values in text["say"]
    )


def _about(kind: str, values: dict[str, Value], of: int) -> bool:
    return f"own_{kind}" in SENTENCES and [*values.get("player", ())] == ["seat", of]


def message(kind: str, values: dict[str, Value]) -> Message:
    """A fact as it is, or as it was stored."""
    return SENTENCES[kind].filled(values)


def render_text(
    text: Mapping[str, Any], names: Sequence[str] = (), language: Language = ENGLISH
) -> str:
    """The sentences. `names`: by seat, as this reader may see them, perhaps cut."""
    said = (message(kind, values) for kind, values in text["say"])
    return " ".join(render(each, names, language) for each in said)


def with_words(value: Any, names: Sequence[str], language: Language = ENGLISH) -> Any:
    """A JSON value, its texts told and its messages in words."""
    if isinstance(value, Message):
        return render(value, names, language)
    if isinstance(value, dict):
        if value.keys() == {"say"}:
            return render_text(value, names, language)
        return {name: with_words(part, names, language) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [with_words(part, names, language) for part in value]
    return value


SENTENCES: Final = {
    # The verdict
    "abandoned": Message("The match was abandoned."),
    "abandoned_when": Message("The match was abandoned {when}."),
    "won": plural(
        "{player} won with {count} point, {ahead} ahead.",
        "{player} won with {count} points, {ahead} ahead.",
    ),
    "drew": plural(
        "{players} drew with {count} point each.", "{players} drew with {count} points each."
    ),
    "leads": plural(
        "{player} leads with {count} point, {ahead} ahead.",
        "{player} leads with {count} points, {ahead} ahead.",
    ),
    "lead_together": plural(
        "{players} lead with {count} point each.", "{players} lead with {count} points each."
    ),
    # During a match, without the numbers that the table and the bar show
    "leads_now": Message("{player} leads."),
    "lead_now": Message("{players} lead together."),
    "level_now": Message("All are level."),
    "favours_cards": Message("{player} is the favourite, by the cards taken and left."),
    "favours_fives": Message(
        "{player} is the favourite: {own} 5s and wilds still to play, the others "
        "{others} on average."
    ),
    "favours_pace": Message(
        "{player} is the favourite: a move every {own} s, the others every {others} s."
    ),
    "favours_taking": Message("{player} is the favourite, by more takes per move."),
    "favours_time": Message("{player} is the favourite, by the points still to go."),
    "favours_strength": Message("{player} is the favourite, as the stronger player."),
    "known_strength": Message(
        "The chance to win knows how strong these players are. {player} is the strongest."
    ),
    # The parts of a change of a chance to win
    "began_at": Message("Everyone began at {share}."),
    "by_cards": Message("Cards: {points} percentage points."),
    "by_fives": Message("5s and wilds: {points} percentage points."),
    "by_pace": Message("Quicker hand: {points} percentage points."),
    "by_slower": Message("Slower hand: {points} percentage points."),
    "by_taking": Message("Takes per move: {points} percentage points."),
    "by_time": Message("Points to go: {points} percentage points."),
    "by_strength": Message("Strength: {points} percentage points."),
    "level": plural("All are level with {count} point.", "All are level with {count} points."),
    "took_when": plural(
        "{player} took {count} card {when}.", "{player} took {count} cards {when}."
    ),
    "for_stacks": plural(
        "{player} got {won} of {count} stack that others could take too, and {other} got {theirs}.",
        "{player} got {won} of {count} stacks that others could take too, "
        "and {other} got {theirs}.",
    ),
    "for_rivals": plural(
        "{player} took {count} card that others could take too, and {other} took {theirs}.",
        "{player} took {count} cards that others could take too, and {other} took {theirs}.",
    ),
    "for_left": plural(
        "{player} had {count} card left when rounds ended, and {other} had {theirs}.",
        "{player} had {count} cards left when rounds ended, and {other} had {theirs}.",
    ),
    "for_none_left": Message(
        "{player} had no cards left when rounds ended, and {other} had {theirs}."
    ),
    "for_wilds": plural(
        "{player} took {count} card with wilds, and {other} took {theirs}.",
        "{player} took {count} cards with wilds, and {other} took {theirs}.",
    ),
    "for_alone": plural(
        "{player} took {count} card when no one else had a 5 ready, and {other} took {theirs}.",
        "{player} took {count} cards when no one else had a 5 ready, and {other} took {theirs}.",
    ),
    # The verdict as said to a player
    "own_won": plural(
        "You won with {count} point, {ahead} ahead.", "You won with {count} points, {ahead} ahead."
    ),
    "own_second": plural(
        "You came second, {count} point behind {other}.",
        "You came second, {count} points behind {other}.",
    ),
    "own_third": plural(
        "You came third, {count} point behind {other}.",
        "You came third, {count} points behind {other}.",
    ),
    "own_fourth": plural(
        "You came fourth, {count} point behind {other}.",
        "You came fourth, {count} points behind {other}.",
    ),
    "own_fifth": plural(
        "You came fifth, {count} point behind {other}.",
        "You came fifth, {count} points behind {other}.",
    ),
    "own_took_when": plural("You took {count} card {when}.", "You took {count} cards {when}."),
    "own_for_stacks": plural(
        "You got {won} of {count} stack that others could take too, and {other} got {theirs}.",
        "You got {won} of {count} stacks that others could take too, and {other} got {theirs}.",
    ),
    "own_for_rivals": plural(
        "You took {count} card that others could take too, and {other} took {theirs}.",
        "You took {count} cards that others could take too, and {other} took {theirs}.",
    ),
    "own_for_none_stacks": Message(
        "You got no stack that others could take too, and {other} got {theirs}."
    ),
    "own_for_left": plural(
        "You had {count} card left when rounds ended, and {other} had {theirs}.",
        "You had {count} cards left when rounds ended, and {other} had {theirs}.",
    ),
    "own_for_none_left": Message(
        "You had no cards left when rounds ended, and {other} had {theirs}."
    ),
    "own_for_wilds": plural(
        "You took {count} card with wilds, and {other} took {theirs}.",
        "You took {count} cards with wilds, and {other} took {theirs}.",
    ),
    "own_for_none_wilds": Message("You took no cards with wilds, and {other} took {theirs}."),
    "own_for_alone": plural(
        "You took {count} card when no one else had a 5 ready, and {other} took {theirs}.",
        "You took {count} cards when no one else had a 5 ready, and {other} took {theirs}.",
    ),
    "own_for_none_alone": Message(
        "You took no cards when only you had a 5 ready, and {other} took {theirs}."
    ),
    "own_stopped_when": Message("You stopped playing {when}."),
    "own_never_played": Message("You never played."),
    # Contested stacks
    "laid_and_took": Message("{player} laid the 4 and took the stack {time} later."),
    "laid_for": Message("{other} laid a 4, and {player} took the stack {time} later."),
    "own_laid_and_took": Message("You laid the 4 and took the stack {time} later."),
    "own_laid_for": Message("{other} laid a 4, and you took the stack {time} later."),
    "all_had_5": Message("Everyone had a 5."),
    "had_5_too": Message("{players} had a 5 too."),
    "came_late": Message("{player} was {ms} ms late."),
    "own_laid": Message(
        "You laid the 4 with a 5 in your hand. {player} took the stack {time} later."
    ),
    "own_laid_first": Message(
        "You laid a 4 and drew a 5. {player} took the stack {time} after that."
    ),
    "own_had_5": Message("You had a 5."),
    "own_came_late": Message("You were {time} late."),
    # Decisions as said to the player
    "own_put_on": plural(
        "You put {card} on stack {stack}: {count} card to take.",
        "You put {card} on stack {stack}: {count} cards to take.",
    ),
    "own_held_fives": plural(
        "You had a 5 that could take them.", "You had {count} fives that could take them."
    ),
    "own_held_wilds": plural(
        "You had a wild that could take them.", "You had {count} wilds that could take them."
    ),
    "own_instead_drew": Message("Instead, you drew."),
    "own_instead_discarded": Message("Instead, you discarded {card}."),
    "own_instead_took": plural(
        "Instead, you took {count} card with {card}.",
        "Instead, you took {count} cards with {card}.",
    ),
    "own_instead_played": Message("Instead, you played {card}."),
    "own_instead_played_as": Message("Instead, you played {card} as a {number}."),
    "own_then_put": Message("You put {card} on them {time} later."),
    "own_then_put_at_once": Message("You put {card} on them at the same time."),
    "own_then_took": plural(
        "You took {count} card {time} later.", "You took {count} cards {time} later."
    ),
    "own_then_took_at_once": plural(
        "You took {count} card at the same time.", "You took {count} cards at the same time."
    ),
    # A chance to win, of the player just named or of another
    "chance": Message("Chance to win: {before} → {after}."),
    "chance_kept": Message("Chance to win: {before} before and after."),
    "chance_won": Message("Chance to win: {before} before it."),
    "chance_of": Message("{player}’s chance to win: {before} → {after}."),
    "chance_kept_of": Message("{player}’s chance to win: {before} before and after."),
    "chance_won_of": Message("{player}’s chance to win: {before} before it."),
    "no_chance_changed": Message("No one’s chance to win changed noticeably."),
    "with_take": Message("{player}’s chance to win: {now}, with the take {instead}."),
    # Facts
    "never_played": Message("{player} never played."),
    "not_moved": Message("{player} has not moved yet."),
    "stopped": Message("{player} stopped playing."),
    "stopped_when": Message("{player} stopped playing {when}."),
    "last_moved": Message("{player} last moved {when}."),
    "stall": Message("The longest stall: no one played a card for {time}, {when}."),
    "stall_to_end": Message(
        "The longest stall, {when}: no one played a card in the round’s last {time}."
    ),
    "none_fitted": Message("No one held a card that fitted."),
    "none_fitted_for": Message("For {time} of it no one held a card that fitted."),
    "one_fitted_for": Message("For {time} of that, {player} had a card that fitted."),
    # Moments
    "took": plural(
        "{player} took {count} card with {card}.", "{player} took {count} cards with {card}."
    ),
    "biggest": Message("It was the biggest take of the match."),
    "among_biggest": Message("It was one of the biggest takes of the match."),
    "biggest_yet": Message("It is the biggest take so far."),
    "among_biggest_yet": Message("It is one of the biggest takes so far."),
    "ahead_of": Message("{player} was {ms} ms ahead of {other}."),
    "fed_before": Message("Just {time} before, {other} had played {card}."),
    "own_before": Message("Just {time} before, {player} had played {card}."),
    "favourite": Message("{player} was the favourite from then on."),
    "favourite_since": Message("{player} has been the favourite since."),
    "could_take": Message("{player} had {time} to take it with {card}."),
    "played": Message("{player} played {card} on stack {stack}."),
    "tied": Message("{players} tied, and their cards went to the discard piles."),
    "tied_apart": Message("{players} tied, {ms} ms apart."),
    "tied_at_once": Message("{players} tied in the same millisecond."),
    "either_alone": plural(
        "Either card alone would have taken {count} card.",
        "Either card alone would have taken {count} cards.",
    ),
    "each_alone": plural(
        "Each of the cards alone would have taken {count} card.",
        "Each of the cards alone would have taken {count} cards.",
    ),
    "took_after_tie": Message("{player} took the stack {time} later."),
    "none_took_after": Message("No one took the stack afterwards."),
    "out": Message("{player} shouted OUT."),
    "out_and_won": Message("{player} shouted OUT and won."),
    "out_and_ended": Message("{player} shouted OUT, which ended the match."),
    "missed_left": plural(
        "{player} had {card} ready for {time}, but left {count} card to {taker}.",
        "{player} had {card} ready for {time}, but left {count} cards to {taker}.",
    ),
    "missed_late": plural(
        "{player} had {card} ready for {time}, but came {ms} ms late: {taker} took the {count} "
        "card.",
        "{player} had {card} ready for {time}, but came {ms} ms late: {taker} took the {count} "
        "cards.",
    ),
    "mistake": Message("{player} tried {card} on stack {stack}, where it didn’t fit."),
    "lost_meanwhile": plural(
        "{time} later {taker} took {count} card that {player} could have taken.",
        "{time} later {taker} took {count} cards that {player} could have taken.",
    ),
    "fed": plural(
        "{player} played {card}, and {taker} took the {count} card {time} later.",
        "{player} played {card}, and {taker} took the {count} cards {time} later.",
    ),
    "raced": plural(
        "{player} took {count} card {ms} ms ahead of {other}.",
        "{player} took {count} cards {ms} ms ahead of {other}.",
    ),
    "raced_at_once": plural(
        "{player} took {count} card in the same millisecond as {other}.",
        "{player} took {count} cards in the same millisecond as {other}.",
    ),
    "comeback": plural(
        "{player} had a chance to win of {low} {when}, {count} point behind, and still won.",
        "{player} had a chance to win of {low} {when}, {count} points behind, and still won.",
    ),
    "gained": plural(
        "{count} card taken {when}: {before} → {after}.",
        "{count} cards taken {when}: {before} → {after}.",
    ),
    "favourite_for_good": Message("{player} became the favourite for good."),
    "favourite_for_now": Message("{player} became the favourite and still is."),
    "at_round_end": Message("It happened as round {round} ended."),
    "at_deal": Message("It happened at the deal of round {round}."),
    "at_end": Message("It happened at the end."),
    "run_taken": plural(
        "In the next {time}, {player} took {count} card in {takes} takes.",
        "In the next {time}, {player} took {count} cards in {takes} takes.",
    ),
    "run_lost": plural(
        "In the next {time}, others took {count} card in {takes} takes.",
        "In the next {time}, others took {count} cards in {takes} takes.",
    ),
    "run": Message("In the next {time}, no single play stood out."),
    # Races
    "reached": Message("{player} reached stack {stack}, {ms} ms before {other}."),
    "reached_at_once": Message(
        "{player} reached stack {stack} before {other}, in the same millisecond."
    ),
    "late_already": Message(
        "{player} was too late already: {other} had played {card} {ms} ms earlier."
    ),
    "race_tied": Message("{players} tied on stack {stack}, {ms} ms apart."),
    "race_tied_at_once": Message("{players} tied on stack {stack}, in the same millisecond."),
    "both_saw": Message("Both screens showed a {top} there."),
    "both_saw_none": Message("Both screens showed an empty slot there."),
    "all_saw": Message("All their screens showed a {top} there."),
    "all_saw_none": Message("All their screens showed an empty slot there."),
    "none_seen": Message("No one had seen another’s card yet."),
    "saw": Message("{player}’s screen showed a {top}."),
    "saw_none": Message("{player}’s screen showed an empty slot."),
    "came_to_screen": Message(
        "{other}’s card came to {player}’s screen about {ms} ms after {player}’s hand had moved "
        "(estimated: {low} to {high})."
    ),
    "tied_cards_went": Message("The tied cards went to their owners’ discard piles."),
    "stayed": plural("{count} card stayed on the stack.", "{count} cards stayed on the stack."),
    "none_stayed": Message("No card stayed on the stack."),
    "laid_on": plural(
        "{player} played {card} on a stack of {count} card.",
        "{player} played {card} on a stack of {count} cards.",
    ),
    "started": Message("{player} started the stack with {card}."),
    "kept": Message("{player} kept {card} in hand."),
    "delay_unknown": Message(
        "Unknown: the delay of {players} was neither measured nor shows in the log."
    ),
    "still_tie": Message("Still a tie."),
    "a_tie": Message("A tie."),
    "first_too": Message("{player} would also have been first."),
    "first_then": Message("{player} would have been first."),
    "without_delay": Message("An estimate, with each player’s delay taken off."),
    "delay": Message("{player}’s delay: {ms} ms."),
    "no_flip": Message(
        "Nothing: {player} could not have come early enough (the hand was busy, or the stack was "
        "not ready for that card)."
    ),
    "flip_first": Message("{player} {ms} ms earlier: first."),
    "flip_not_tie": Message("{player} {ms} ms earlier: first, instead of a tie."),
    "flip_tie": Message("{player} {ms} ms earlier: a tie, instead of too late."),
    "flip_tie_with": Message("{player} {ms} ms earlier: a tie with {other}, instead of too late."),
    # Decisions
    "put_on": plural(
        "{player} put {card} on stack {stack}: {count} card to take.",
        "{player} put {card} on stack {stack}: {count} cards to take.",
    ),
    "lay_open": plural(
        "For {time}, {count} card could be taken on stack {stack}.",
        "For {time}, {count} cards could be taken on stack {stack}.",
    ),
    "held_fives": plural(
        "{player} had a 5 that could take them.",
        "{player} had {count} fives that could take them.",
    ),
    "held_wilds": plural(
        "{player} had a wild that could take them.",
        "{player} had {count} wilds that could take them.",
    ),
    "instead_drew": Message("Instead, {player} drew."),
    "instead_discarded": Message("Instead, {player} discarded {card}."),
    "instead_took": plural(
        "Instead, {player} took {count} card with {card}.",
        "Instead, {player} took {count} cards with {card}.",
    ),
    "instead_played": Message("Instead, {player} played {card}."),
    "instead_played_as": Message("Instead, {player} played {card} as a {number}."),
    "then_put": Message("{player} put {card} on them {time} later."),
    "then_put_at_once": Message("{player} put {card} on them at the same time."),
    "then_took": plural(
        "{player} took {count} card {time} later.", "{player} took {count} cards {time} later."
    ),
    "then_took_at_once": plural(
        "{player} took {count} card at the same time.",
        "{player} took {count} cards at the same time.",
    ),
    "none_took": Message("No one took them."),
    "refused": Message("Not possible: the rules would not allow it."),
    "refused_busy": Message("Not possible: {player}’s hand would still be busy."),
    "refused_not_held": Message("Not possible: {player} would not hold that card."),
    "refused_over": Message("Not possible: the round would be over."),
    "would_play": Message("{player}’s card would be played."),
    "would_take": plural(
        "{player}’s card would be played and would take {count} card.",
        "{player}’s card would be played and would take {count} cards.",
    ),
    "would_tie": Message("{player} would tie with {others}."),
    "would_be_late": Message("{player} would be too late."),
    "would_not_play": Message("This assumes {player} hadn’t played."),
    "taken_anyway": Message(
        "The take changed it from {before} to {after}, but without it {player} still takes the "
        "stack {share} of the time, {time} later on average."
    ),
    "taken_instead": Message(
        "The take changed it from {before} to {after}, and without it {player} takes the stack "
        "{share} of the time, {time} later on average."
    ),
    "without_take": Message(
        "When bots play on, {player} takes the stack {share} of the time, {time} later on average."
    ),
    "would_err": Message("{player} would make a mistake."),
    "difference": plural(
        "{player}’s chance to win: {by} percentage point ({low} to {high}), {before} → {after}.",
        "{player}’s chance to win: {by} percentage points ({low} to {high}), {before} → {after}.",
    ),
    "difference_instead": plural(
        "{player}’s chance to win: {by} percentage point ({low} to {high}), "
        "{after} instead of {played}.",
        "{player}’s chance to win: {by} percentage points ({low} to {high}), "
        "{after} instead of {played}.",
    ),
    "no_difference": plural(
        "No clear difference for {player}’s chance to win: {by} percentage point "
        "({low} to {high}), {before} → {after}.",
        "No clear difference for {player}’s chance to win: {by} percentage points "
        "({low} to {high}), {before} → {after}.",
    ),
    "no_difference_instead": plural(
        "No clear difference for {player}’s chance to win: {by} percentage point "
        "({low} to {high}), {after} instead of {played}.",
        "No clear difference for {player}’s chance to win: {by} percentage points "
        "({low} to {high}), {after} instead of {played}.",
    ),
    "no_decision": Message("no missed take"),
    "lost_points": plural(
        "{points} points lost on missed takes ({low} to {high}), in {count} decision",
        "{points} points lost on missed takes ({low} to {high}), in {count} decisions",
    ),
}
"""By kind. Stored texts name a kind, so one that goes or changes its values needs a new version
(`replays.analysis.versions`)."""
