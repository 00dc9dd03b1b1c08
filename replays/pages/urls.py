"""URLs for looking back."""

from __future__ import annotations

import re

from django.urls import URLPattern, URLResolver, path, register_converter

from replays.pages import (
    analysis,
    api,
    jobs,
    mine,
    missed_takes,
    pictures,
    trials,
    views,
    wall,
)
from replays.pages.ghost_races import views as ghost_races
from replays.pages.notes import api as notes
from replays.pages.notes import pages as my_notes
from replays.pages.notes import playlists
from replays.pages.patterns import api as pattern_api
from replays.pages.patterns import pages as patterns
from replays.pages.reviews import views as reviews
from replays.pages.studies import answering, bundles, lessons, printing, results
from replays.pages.studies import api as studies
from replays.pages.studies import drills as study_drills
from replays.pages.studies import lists as study_lists
from replays.pages.studies import pages as my_studies
from replays.pages.uploads import views as uploads
from replays.pages.variations import what_if


class MatchNumber:
    """A match's number in a URL, limited to what a database can hold."""

    regex = "[1-9][0-9]{0,17}"

    def to_python(self, value: str) -> int:
        """As a number."""
        return int(value)

    def to_url(self, value: int) -> str:
        """As text."""
        return str(value)


class PlayerName:
    """A player's name in a URL, whatever a record calls somebody.

    A path segment made of dots would leave the folder, however it is escaped, so it is written with
    a leading tilde, as is any name that begins with one.
    """

    regex = ".+"

    def to_python(self, value: str) -> str:
        """The name."""
        return "/".join(part.removeprefix("~") for part in value.split("/"))

    def to_url(self, value: str) -> str:
        """As text."""
        return "/".join(f"~{part}" if _LEADS_OUT(part) else part for part in value.split("/"))


_LEADS_OUT = re.compile(r"\.+$|~").match


class ChapterNumber(MatchNumber):
    """A chapter's number in a URL."""

    regex = "[1-9][0-9]{0,4}"


register_converter(MatchNumber, "match")
register_converter(ChapterNumber, "nth")
register_converter(PlayerName, "player")

app_name = "replays"
urlpatterns: list[URLPattern | URLResolver] = [
    path("matches/", views.archive, name="archive"),
    path("matches/mine/", mine.mine, name="mine"),
    path("matches/mine/missed-takes/", missed_takes.missed_takes, name="missed_takes"),
    path("matches/upload/", uploads.upload, name="upload"),
    path("matches/<match:pk>.ratuki", views.record, name="record"),
    path("matches/<match:pk>/", views.replay, name="replay"),
    path("matches/<match:pk>/report/", uploads.report, name="report"),
    path("matches/<match:pk>/log", api.log, name="log"),
    path("matches/<match:pk>/picture.svg", pictures.svg, name="picture_svg"),
    path("matches/<match:pk>/picture.png", pictures.png, name="picture"),
    path("matches/<match:pk>/race", ghost_races.ghost_race, name="ghost_race"),
    path("matches/<match:pk>/what-if", what_if.what_if, name="what_if"),
    path("matches/<match:pk>/what-if/try", trials.trial, name="trial"),
    path("matches/<match:pk>/charts/", api.charts, name="charts"),
    path("matches/<match:pk>/charts/<slug:name>", api.chart, name="chart"),
    path("matches/<match:pk>/analysis", analysis.analysis, name="analysis"),
    path(
        "matches/<match:pk>/analysis/<match:number>",
        analysis.round_analysis,
        name="round_analysis",
    ),
    path("matches/<match:pk>/notes", notes.match_notes, name="notes"),
    path("matches/<match:pk>/variations", notes.match_variations, name="variations"),
    path("matches/<match:pk>/review/", reviews.start, name="start_review"),
    path("reviews/", reviews.my_reviews, name="my_reviews"),
    path("reviews/<slug:key>/", reviews.review, name="review"),
    path("reviews/<slug:key>/keep", reviews.keep, name="keep_review"),
    path("notes/", my_notes.my_notes, name="my_notes"),
    path("notes/tags/", my_notes.tag_table, name="tag_table"),
    path("playlists/", my_notes.my_playlists, name="my_playlists"),
    path("playlists/<slug:key>/", my_notes.playlist_page, name="playlist_page"),
    path("players/<player:name>/notes.atom", my_notes.feed, name="notes_feed"),
    path("notes/buttons", playlists.buttons, name="tag_buttons"),
    path("notes/matrix", playlists.matrix, name="tag_matrix"),
    path("playlists", playlists.all_playlists, name="playlists"),
    path("playlists/<slug:key>", playlists.playlist, name="playlist"),
    path("notes/preview", notes.preview, name="note_preview"),
    path("notes/<slug:key>", notes.note, name="note"),
    path("notes/<slug:key>/restore", notes.restore_note, name="note_restore"),
    path("notes/<slug:key>/settle", notes.settle_note, name="note_settle"),
    path("notes/<slug:key>/report", notes.report_note, name="note_report"),
    path("notes/<slug:key>/hide", notes.hide_note, name="note_hide"),
    path("notes/<slug:key>/history", notes.note_history, name="note_history"),
    path("variations/<slug:key>", notes.variation, name="variation"),
    path("variations/<slug:key>/promote", notes.promote_variation, name="variation_promote"),
    path("variations/<slug:key>/restore", notes.restore_variation, name="variation_restore"),
    path("patterns/", patterns.patterns, name="patterns"),
    path("patterns", pattern_api.all_searches, name="pattern_searches"),
    path("patterns/<slug:key>", pattern_api.one_search, name="pattern_json"),
    path("patterns/<slug:key>.csv", pattern_api.search_csv, name="pattern_csv"),
    path("patterns/<slug:key>/", patterns.pattern, name="pattern"),
    path("jobs/", jobs.my_jobs, name="my_jobs"),
    path("jobs", jobs.all_jobs, name="jobs"),
    path("jobs/<slug:key>", jobs.job, name="job"),
    path("playlists/<slug:key>/drill", study_drills.playlist_drill, name="playlist_drill"),
    path("studies/", study_lists.my_studies, name="my_studies"),
    path("studies/import/", bundles.import_study, name="study_import"),
    path("studies", studies.studies, name="studies"),
    path("studies/<slug:key>", studies.study, name="study"),
    path("studies/<slug:key>.zip", bundles.study_zip, name="study_zip"),
    path("studies/<slug:key>/restore/", study_lists.restore_study, name="study_restore"),
    path("studies/<slug:key>/report/", study_lists.report_study, name="study_report"),
    path("studies/<slug:key>/history", studies.study_history, name="study_history"),
    path("studies/<slug:key>/copy", studies.copy_study, name="study_copy"),
    path("studies/<slug:key>/chapters", studies.study_chapters, name="study_chapters"),
    path("studies/<slug:key>/chapters/<nth:number>", studies.study_chapter, name="study_chapter"),
    path(
        "studies/<slug:key>/chapters/<nth:number>/history",
        studies.chapter_history,
        name="chapter_history",
    ),
    path(
        "studies/<slug:key>/chapters/<nth:number>/restore",
        studies.restore_chapter,
        name="chapter_restore",
    ),
    path("studies/<slug:key>/", my_studies.study_page, name="study_page"),
    path("studies/<slug:key>/review/", reviews.start_on_study, name="start_study_review"),
    path("studies/<slug:key>/results/", results.class_results, name="study_results"),
    path("studies/<slug:key>/print/", printing.print_page, name="study_print"),
    path("studies/<slug:key>/<nth:number>/", lessons.chapter, name="chapter"),
    path("studies/<slug:key>/<nth:number>/start", answering.start, name="chapter_start"),
    path("studies/<slug:key>/<nth:number>/log", answering.chapter_log, name="chapter_log"),
    path("studies/<slug:key>/<nth:number>/notes", lessons.chapter_notes, name="chapter_notes"),
    path(
        "studies/<slug:key>/<nth:number>/variations",
        lessons.chapter_variations,
        name="chapter_variations",
    ),
    path("studies/<slug:key>/<nth:number>/answer", answering.chapter_answer, name="chapter_answer"),
    path("studies/<slug:key>/<nth:number>/results/", results.results, name="chapter_results"),
    path("players/", views.players, name="players"),
    path("players/<player:name>/figures.csv", views.player_figures, name="player_figures"),
    path(
        "players/<player:name>/figures.json",
        views.player_figures_json,
        name="player_figures_json",
    ),
    path("players/<player:name>/", views.player, name="player"),
    path("watch/chances", wall.chances, name="wall_chances"),
    path("spoilers/", views.spoilers, name="spoilers"),
]
