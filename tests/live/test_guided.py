"""A guided round: newcomers who press only what is highlighted finish; the bots wait for them."""

from collections import Counter
from collections.abc import Iterator

import pytest

from games.engine.actions import Try
from games.engine.cards import FACE, deck_of
from games.engine.events import Deal, End, Out, Play
from games.live.host.timing import KEPT_MS
from games.people.person import guest
from games.records.log import Result
from games.tables.guided import DEALS, SHUFFLES, guided_deal, guided_plan, laid_out
from games.tables.plan import from_json, to_json
from tests.bots.tables import checked
from tests.live.bench import Bench
from tests.live.guiding import Lessons, Newcomer

ASKED = {"start", "up", "down", "five", "wild", "discard"}
HASTY_MS = (300, 600)
READING_MS = (2_000, 6_000)
TAKE_WITHIN_MS = 60_000


@pytest.fixture(scope="module")
def lessons() -> Iterator[Lessons]:
    with Lessons() as started:
        yield started


def learned(newcomer: Newcomer) -> set[str]:
    return set().union(*(told["done"] for told in newcomer.told))


@pytest.mark.parametrize("pace", [HASTY_MS, (1_000, 3_000), (4_000, 15_000)])
def test_newcomers_who_press_what_is_highlighted_all_finish(
    lessons: Lessons, pace: tuple[int, int]
) -> None:
    for seed in range(8):
        newcomer = Newcomer(lessons, seed, *pace)
        newcomer.play()
        *_, out, end, result = newcomer.lines
        assert isinstance(end, End)
        assert isinstance(result, Result)
        assert (type(out), end.reason, result.winners) == (Out, "out", (0,)), seed
        assert learned(newcomer) >= ASKED, seed


def test_who_reads_takes_a_stack_within_a_minute_and_is_too_late_once(lessons: Lessons) -> None:
    for seed in range(8):
        newcomer = Newcomer(lessons, seed, *READING_MS)
        newcomer.play()
        takes = [play.t for play in newcomer.lines if isinstance(play, Play) and play.takes]
        assert takes[0] <= TAKE_WITHIN_MS, seed
        assert "late" in learned(newcomer), seed
        late = next(told["before"] for told in newcomer.told if "Too late" in told["before"])
        assert "was first on stack" in late
        assert "no longer fits" in late


def test_its_record_holds_and_says_that_the_cards_were_laid_out(lessons: Lessons) -> None:
    newcomer = Newcomer(lessons, 1, *READING_MS)
    newcomer.play()
    header = newcomer.plan.header("2026-11-23T06:00:00Z")
    assert header.tags == (DEALS,)
    assert newcomer.deal.fair is None
    assert checked([header, *newcomer.lines]).result is not None


def test_every_deck_is_a_whole_one() -> None:
    plan = guided_plan(guest("a"), "A")
    for shuffle in SHUFFLES:
        for seat, deck in enumerate(laid_out(shuffle).decks):
            assert Counter(deck) == Counter(deck_of(seat, plan.rules.deck))


def begun() -> Bench:
    return Bench(guided_plan(guest("0"), "P0")).begin()


def test_bots_wait_until_the_player_has_moved() -> None:
    bench = begun()
    bench.turn(KEPT_MS // 4, 1_000)
    assert len(bench.lines) == 1, "only the deal"
    dealt = bench.lines[0]
    assert isinstance(dealt, Deal)
    card = next(card for card in dealt.decks[0][:3] if FACE[card] == 1)
    bench.request(Try(0, card, 0, None, 0))
    bench.turn(60_000, 100)
    moved = Counter(line.seat for line in bench.lines if isinstance(line, Play))
    assert moved == {0: 1, 1: 1, 2: 1}, "one movement each, then they wait again"


def test_who_leaves_the_page_finds_the_round_as_it_was() -> None:
    bench = begun()
    bench.here = set()
    bench.turn(KEPT_MS - 10_000, 1_000)
    assert (bench.game.phase, len(bench.lines)) == ("round", 1)
    assert not bench.game.state(bench.now)["seats"][0]["bot"]
    bench.turn(20_000, 1_000)
    assert bench.game.phase == "abandoned"


def test_another_host_deals_the_same_cards_without_a_seed() -> None:
    plan = from_json(to_json(guided_plan(guest("0"), "P0")))
    bench = Bench(plan)
    bench.turn(100)
    assert bench.game.state(bench.now)["commit"] is None
    bench.ready()
    bench.turn(3_100)
    assert bench.lines == [guided_deal(plan.id)]


def test_again_is_another_deal_in_the_same_seat() -> None:
    plan = guided_plan(guest("0"), "P0")
    again = plan.turned("next")
    assert (again.places, again.guided) == (plan.places, True)
    deals = {guided_deal(f"match-{n}") for n in range(40)}
    assert len(deals) > 20
    assert len({laid_out(shuffle) for shuffle in SHUFFLES}) == len(SHUFFLES)


def drawn() -> dict[int, str]:
    """Each way to shuffle, and an id that draws it."""
    ids = {guided_deal(f"id-{n}"): f"id-{n}" for n in range(40 * len(SHUFFLES))}
    return {shuffle: ids[laid_out(shuffle)] for shuffle in SHUFFLES}


def test_every_deal_teaches_what_to_press_to_the_hasty(lessons: Lessons) -> None:
    for shuffle, match in drawn().items():
        newcomer = Newcomer(lessons, 7, *HASTY_MS, match=match)
        newcomer.play()
        assert learned(newcomer) >= ASKED, shuffle


def test_every_deal_teaches_every_rule(lessons: Lessons) -> None:
    for shuffle, match in drawn().items():
        newcomer = Newcomer(lessons, 1, *READING_MS, match=match)
        newcomer.play()
        assert newcomer.deal == laid_out(shuffle)
        assert learned(newcomer) >= ASKED | {"late"}, shuffle
        result = newcomer.lines[-1]
        assert isinstance(result, Result)
        assert result.winners == (0,), shuffle
