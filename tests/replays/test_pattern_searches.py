"""Searching matches for patterns: what is found, shown to whom, and at what cost."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.timezone import now

from games.engine.message import Message
from games.models import Match, Seat
from games.people import embargoes, person
from replays.analysis.versions import MEASURES_VERSION
from replays.jobs import rows
from replays.models import Job, PatternSearch, Playlist, StoredOccurrences
from replays.patterns import searching
from replays.patterns.query import PatternQuery
from replays.patterns.searching import look_round, unprepared
from tests.guests import guest
from tests.jobs.counting import work
from tests.narrowing import present
from tests.web.records import store


def searched(client: Client, what: str, **fields: str) -> str:
    """The address of a finished search."""
    address = client.post("/patterns/", {"what": what, **fields})["Location"]
    assert "The finds appear here" in client.get(address).text
    work()
    return address


@pytest.mark.django_db
class TestSearching:
    def test_a_search_counts_by_player_and_lists_moments(self) -> None:
        matches = [store("Ada", "Bo"), store("Ada", "Cy", seed=2)]
        ada = guest("ada")
        page = ada.get(searched(ada, "took")).text
        assert f"/matches/{matches[0].pk}/?round=1&amp;event=" in page
        assert "took" in page
        assert "in 2 matches" in page
        assert StoredOccurrences.objects.count() == 2
        total = sum(row[3] for row in present(PatternSearch.objects.get().found))
        assert f"{total} finds" in page

    def test_takes_that_were_open_say_who_took_them_and_when(self) -> None:
        store("Ada", "Bo", "Cy", target=100)
        ada = guest("ada")

        def count(what: str, **fields: str) -> int:
            page = ada.get(searched(ada, what, **fields)).context
            return sum(player.moments for player, _ in page["players"])

        every, soon = count("open"), {"max_s": "1.999"}
        told = ada.get(searched(ada, "open")).context["outcome"]
        taken = round(100 * count("took", **soon) / every)
        missed = round(100 * count("missed", **soon) / every)  # those with time for them
        assert f" {taken} were taken within 2 s" in told
        (first,) = re.findall(r"first (\d+) times", told)
        assert 0 < missed <= int(first) < 100 - taken < 100
        assert not ada.get(searched(ada, "took")).context["outcome"]
        few = ada.get(searched(ada, "open", min_cards="20")).context
        assert (few["total"] < 10, few["outcome"]) == (True, "")

    def test_without_a_match_there_is_nothing_to_wait_for(self) -> None:
        store("Ada", "Bo")
        newcomer = guest("new")
        address = newcomer.post("/patterns/", {"what": "took", "by": "me"})["Location"]
        page = newcomer.get(address).text
        assert "You have no finished match yet." in page
        assert "Searching" not in page
        address = newcomer.post("/patterns/", {"what": "took", "player": "Zoë"})["Location"]
        page = newcomer.get(address).text
        assert "Zoë has no finished match that you can search." in page
        assert not Job.objects.exists()

    def test_players_are_counted_in_all_their_matches_that_were_searched(self) -> None:
        store("Ada", "Bo", target=100)
        store("Ada", "Cy", seed=2)
        ada = guest("ada")
        only_once = ada.get(searched(ada, "took", round="2")).context
        players = {player.name: player for player, _ in only_once["players"]}
        assert "Cy" not in players, "that match had one round"
        assert (players["Ada"].matches, players["Bo"].matches) == (2, 1)
        assert players["Ada"].per_match == players["Ada"].moments / 2

    def test_only_players_with_a_page_are_linked(self) -> None:
        store("Ada", "Bo")
        ada = guest("ada")
        address = searched(ada, "took")
        assert 'href="/players/Ada/"' in ada.get(address).text
        Match.objects.update(origin=Match.Origin.UPLOADED)
        Seat.objects.update(origin=Match.Origin.UPLOADED)
        assert 'href="/players/Ada/"' not in ada.get(address).text
        assert "<bdi>Ada</bdi>" in ada.get(address).text

    def test_players_who_did_the_same_share_one_line(self) -> None:
        store("Ada", "Bo", target=100)
        ada = guest("ada")
        shown = ada.get(searched(ada, "tied")).context
        lines = [words for _, hits in shown["shown"] for _, _, words in hits]
        assert lines
        assert all(words.startswith(("Ada and Bo tied", "Bo and Ada tied")) for words in lines)
        assert shown["total"] == len(lines), "one moment, whoever shares it"
        assert sum(player.moments for player, _ in shown["players"]) == 2 * len(lines)
        several = "A find can count for several players."
        assert several in ada.get(searched(ada, "tied")).text
        assert several not in ada.get(searched(ada, "took")).text, "each is one player's"

    def test_a_moment_is_listed_and_pictured_once_whichever_cards_would_have_taken(self) -> None:
        store("Ada", "Bo", "Cy", target=100)
        ada = guest("ada")
        page = ada.get(searched(ada, "missed"))
        lines = [
            (address, words.partition(" missed")[0])
            for _, hits in page.context["shown"]
            for address, _, words in hits
        ]
        assert page.context["total"] >= len(lines) == len(set(lines))
        pictures = [picture.picture for picture in page.context["pictures"]]
        assert len(pictures) == len(set(pictures))
        found = present(PatternSearch.objects.get().found)
        cut = any(moments > len(kept) for _, _, kept, moments in found)
        assert (f">Play the latest {len(lines)}<" in page.text) == cut
        assert (">Play all<" in page.text) != cut

    @pytest.mark.parametrize("what", ["missed", "late", "took", "tied"])
    def test_a_picture_shows_the_play_that_comes_and_the_caption_has_its_time(
        self, what: str
    ) -> None:
        store("Ada", "Bo", "Cy", target=100)
        ada = guest("ada")
        pictures = ada.get(searched(ada, what)).context["pictures"]
        assert pictures
        for picture in pictures:
            drawn = ada.get(picture.picture).text
            assert picture.words in drawn
            assert drawn.count("stroke-linecap") == 1, "an arrow from the card in the hand"
            assert ("&t=" in picture.picture) == (what == "late"), "a race before both plays"

    def test_a_preset_is_searched_for_one_player(self) -> None:
        store("Bo", "Cy")
        Match.objects.update(started_at=now() - timedelta(8))
        store("Ada", "Bo", target=100, started_at=now().isoformat())
        form = {"player": "Bo", "days": "7", "what": "out", "preset": "yes"}
        address = Client().post("/patterns/?what=missed&min_cards=6", form)["Location"]
        search = PatternSearch.objects.get()
        assert search.query == {"what": "missed", "min_cards": 6, "player": "Bo", "days": 7}
        assert search.matches == 1
        said = "Missed takes of 6 cards or more · by Bo · the last 7 days"
        assert said in Client().get(address).text

    def test_what_is_stored_is_not_computed_again(self, monkeypatch: pytest.MonkeyPatch) -> None:
        store("Ada", "Bo")
        ada = guest("ada")
        first = searched(ada, "took")
        monkeypatch.delattr("replays.patterns.storing.occurrences")
        assert ada.get(searched(ada, "took")).text.count("<li>") == ada.get(first).text.count(
            "<li>"
        )

    def test_workers_prepare_what_is_over_before_anybody_searches(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        over, going_on = store("Ada", "Bo"), store("Ada", "Cy", seed=2)
        Match.objects.filter(pk=going_on.pk).update(state=Match.State.OPEN)
        look_round()
        look_round()
        work()
        assert [row.match_id for row in StoredOccurrences.objects.all()] == [over.pk]
        assert unprepared() == []
        monkeypatch.delattr("replays.patterns.storing.occurrences")
        ada = guest("ada")
        assert "took" in ada.get(searched(ada, "took")).text
        monkeypatch.setattr(searching, "CURRENT", "of another version")
        assert unprepared() == [over.pk]

    def test_only_the_newest_stay_stored(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(searching, "MOST_MATCHES", 2)
        monkeypatch.setattr(searching, "_MOST_DELETED", 1)
        older = [store("Ada", "Bo", seed=seed) for seed in range(2)]
        for match in older:
            searching.prepare(match)
        newest = [store("Ada", "Bo", seed=seed).pk for seed in (2, 3)]
        for left in (older[1:], []):
            look_round()
            work()
            stored = StoredOccurrences.objects.order_by("match").values_list("match", flat=True)
            assert list(stored) == [*(match.pk for match in left), *newest]

    def test_a_search_asks_as_often_for_many_matches_as_for_one(self) -> None:
        query = PatternQuery(what="took")
        pks = [store("Ada", "Bo", seed=seed).pk for seed in range(3)]
        searching.rows_of(pks, query, [])
        with CaptureQueriesContext(connection) as alone:
            searching.rows_of(pks[:1], query, [])
        with CaptureQueriesContext(connection) as three:
            assert len(searching.rows_of(pks, query, [])) == 3
        assert len(three) == len(alone) <= 3

    def test_moments_of_unseen_matches_are_left_out(self) -> None:
        private, _ = store("Ada", "Zenobia"), store("Cy", "Dee")
        Match.objects.filter(pk=private.pk).update(visibility="link", filter_bits=0)
        private.seats.filter(number=0).update(guest="ada")
        ada, stranger = guest("ada"), Client()
        address = searched(ada, "took")
        assert "Zenobia" in ada.get(address).text
        shown = stranger.get(address).text
        assert "Cy" in shown
        assert "Zenobia" not in shown
        assert f"/matches/{private.pk}/" not in shown
        others = stranger.get(searched(stranger, "took")).text
        assert "Zenobia" not in others

    def test_programs_search_and_get_what_the_page_shows(self) -> None:
        store("Ada", "Zoë", target=100)
        ada = guest("ada")
        refused = ada.post("/api/v1/patterns", {"what": "took", "slot": 9}, "application/json")
        assert (refused.status_code, refused.json()["detail"]) == (422, "slot: expected at most 5")
        for body in ({}, {"what": 5}, {"pattern": "took"}, {"what": "drew", "slot": 1}):
            assert ada.post("/api/v1/patterns", body, "application/json").status_code == 422
        query = {"what": "took", "card": "5"}
        begun = ada.post("/api/v1/patterns", query, "application/json")
        shown = f"/patterns/{begun.json()['key']}"
        address = f"/api/v1{shown}"
        assert (begun.status_code, begun.json()["job"]["state"]) == (202, "waiting")
        assert ada.get(address).status_code == 202
        work()
        results, page = Client().get(address).json(), ada.get(f"{shown}/").context
        assert (results["pattern"], results["query"]) == ("Takes by anyone · with a 5", query)
        assert results["total"] == page["total"]
        assert [tuple(player.values()) for player in results["players"]] == [
            tuple(player) for player, _ in page["players"] + page["more_players"]
        ]
        assert [moment["text"] for moment in results["moments"]] == [
            words for _, hits in page["shown"] for _, _, words in hits
        ]
        assert ada.get("/api/v1/patterns").json()["searches"][0]["url"] == f"{shown}/"
        ada.cookies["spoilers"] = "off"
        assert ada.get(address).status_code == 403

    def test_a_question_on_a_match_keeps_its_moments_back(self) -> None:
        match = store("Ada", "Zenobia")
        ada = guest("ada")
        address = searched(ada, "took")
        embargoes.begin(match, [person.guest("ada")], 1)
        told = ada.get(f"/api/v1{address.rstrip('/')}").json()
        assert (told["players"], told["moments"], told["unseen_matches"]) == ([], [], 0)
        assert told["versions"] == {"measures": MEASURES_VERSION}
        assert "Zenobia" not in ada.get(address).text
        assert "Zenobia" not in ada.get(searched(ada, "took")).text
        assert "Zenobia" in guest("bo").get(address).text

    def test_a_pattern_by_a_player_searches_that_players_matches(self) -> None:
        store("Ada", "Bo")
        store("Cy", "Dee")
        page = guest("ada").get(searched(guest("ada"), "took", player="ada")).text
        assert "in 1 match, on " in page
        assert "Dee" not in page

    def test_viewers_who_hide_results_learn_nothing(self) -> None:
        store("Ada", "Bo")
        client = guest("ada")
        address = searched(client, "took")
        client.cookies["spoilers"] = "off"
        assert "/matches/" not in client.get(address).text.split("<main")[1].split("</main")[0]

    def test_a_fault_is_said_and_everything_filled_in_is_kept(self) -> None:
        answer = Client().post("/patterns/", {"what": "out", "card": "5", "player": "<b>"})
        assert answer.status_code == 422
        assert "Not searched. “shouts of OUT” cannot be asked about a card." in answer.text
        assert '<option value="5" selected>a 5</option>' in answer.text
        assert "&lt;b&gt;" in answer.text
        assert not PatternSearch.objects.exists()

    def test_an_address_fills_in_the_form_and_can_be_searched_as_it_is(self) -> None:
        address = "/patterns/?what=took&min_cards=8&player=Kim%22"
        page = Client().get(address).text
        assert '<option value="took" selected>takes</option>' in page
        assert 'type="number" min="0" step="1" value="8"' in page
        assert not PatternSearch.objects.exists()
        assert Client().post(address).status_code == 302
        assert PatternSearch.objects.get().query == {
            "what": "took", "min_cards": 8, "player": 'Kim"',
        }  # fmt: skip

    def test_a_search_of_an_earlier_release_keeps_its_words_and_what_it_found(self) -> None:
        match, ada = store("Ada", "Bo"), guest("ada")
        address = searched(ada, "took")
        PatternSearch.objects.update(text="took  a 5", query={})
        page = ada.get(address).text
        assert "Took  a 5" in page
        assert f"/matches/{match.pk}/" in page
        assert "Change" not in page
        PatternSearch.objects.update(found=None, job=None)
        assert "The search was not finished" in ada.get(address).text

    def test_a_search_that_ended_early_says_why(self) -> None:
        store("Ada", "Bo")
        ada = guest("ada")
        begun = ada.post("/patterns/", {"what": "took"})["Location"]
        rows.cancel(Job.objects.get().pk)
        assert "it was cancelled" in ada.get(begun).text
        fault = Message("match {pk} has no round {number}", pk=7, number=3)
        Job.objects.update(state=Job.State.FAILED, fault=fault.plain())
        assert "not finished: match 7 has no round\N{NO-BREAK SPACE}3" in ada.get(begun).text
        german = ada.get(begun, headers={"accept-language": "de"}).text
        assert "match 7 has" not in german

    def test_old_searches_make_room(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(searching, "MOST_KEPT", 2)
        store("Ada", "Bo")
        ada = guest("ada")
        addresses = [searched(ada, what) for what in ("took", "late", "tied")]
        assert [ada.get(address).status_code for address in addresses] == [404, 200, 200]

    def test_what_is_found_can_be_kept_as_a_playlist(self) -> None:
        store("Ada", "Bo")
        ada = guest("ada")
        address = searched(ada, "took")
        count = len(ada.get(address).context["spans"]["all"])
        made = ada.post(address)["Location"]
        assert "Takes by anyone" in ada.get(made).text
        assert Playlist.objects.get().items.count() == count > 5
        assert f"{count} finds in 1 match, on " in ada.get(address).text
        stranger = Client()
        own = stranger.post(address)["Location"]
        assert own != made
        assert "Takes by anyone" in stranger.get(own).text, "a stranger becomes a guest"
