"""URLs for looking back, and their parts for a match, a chapter and a player."""

import re

from django.urls import URLPattern, URLResolver, path, register_converter
from django.views.generic import RedirectView

from replays.pages import (
    analysis,
    archive,
    chart_pictures,
    clips,
    embed,
    ghost_races,
    keeping,
    pictures,
    replay,
    tv,
    you,
)
from replays.pages.classes import children, club, homework, inviting, pupils, season, sheet
from replays.pages.classes import views as classes
from replays.pages.news import mail as news_mail
from replays.pages.news import views as news
from replays.pages.notes import pages as my_notes
from replays.pages.patterns import pages as patterns
from replays.pages.players import pages as players
from replays.pages.players import rivals
from replays.pages.reviews import views as reviews
from replays.pages.studies import answering, daily, lessons, practice, results
from replays.pages.studies import lists as study_lists
from replays.pages.studies import pages as my_studies
from replays.pages.uploads import views as uploads


class MatchNumber:
    """A match's number in a URL, limited to the database's range."""

    regex = "[1-9][0-9]{0,17}"

    def to_python(self, value: str) -> int:
        return int(value)

    def to_url(self, value: int) -> str:
        return str(value)


class PlayerName:
    """A player's name in a URL, whatever name a record has.

    A path segment made of dots would leave the folder, however it is escaped, so it is written with
    a leading tilde, as is any name that begins with one.
    """

    regex = ".+"

    def to_python(self, value: str) -> str:
        return "/".join(part.removeprefix("~") for part in value.split("/"))

    def to_url(self, value: str) -> str:
        return "/".join(f"~{part}" if _LEADS_OUT(part) else part for part in value.split("/"))


_LEADS_OUT = re.compile(r"\.+$|~").match


class ChapterNumber(MatchNumber):
    regex = "[1-9][0-9]{0,4}"


class MemberNumber(MatchNumber):
    """The number of a class's member in a URL."""


register_converter(MemberNumber, "member")
register_converter(MatchNumber, "match")
register_converter(ChapterNumber, "nth")
register_converter(PlayerName, "player")

_MOVED = (
    ("matches/mine/missed-takes/", "practice", "missed_takes"),
    ("situations/", "patterns", "situations"),
    ("jobs/", "patterns", "my_jobs"),
    ("playlists/<slug:key>/drill", "playlist_page", "playlist_drill"),
    ("practice/", "practice", "old_practice"),
    ("studies/<slug:key>/print/", "study_page", "study_print"),
)
"""Former addresses, the names of the pages that they lead to, and their own."""

_CHART = "matches/<match:pk>/charts/<slug:name>"

app_name = "replays"
urlpatterns: list[URLPattern | URLResolver] = [
    path("matches/", archive.archive, name="archive"),
    path("matches/mine/", archive.mine, name="mine"),
    path("matches/mine/next/", you.you, name="you"),
    path("matches/kept/", keeping.kept_matches, name="kept"),
    path("matches/upload/", uploads.upload, name="upload"),
    path("matches/<match:pk>.ratuki", replay.record, name="record"),
    path("matches/<match:pk>/", replay.replay, name="replay"),
    path("matches/<match:pk>/keep/", keeping.keep_match, name="keep_match"),
    path("matches/<match:pk>/complaint/", uploads.complain, name="complaint"),
    path("matches/<match:pk>/picture.svg", pictures.picture, {"png": False}, "picture_svg"),
    path("matches/<match:pk>/picture.png", pictures.picture, {"png": True}, "picture"),
    path(f"{_CHART}.svg", chart_pictures.chart, {"png": False}, "chart_svg"),
    path(f"{_CHART}.png", chart_pictures.chart, {"png": True}, "chart_png"),
    path("matches/<match:pk>/clips/<slug:key>.webp", clips.clip, name="clip"),
    path("matches/<match:pk>/race", ghost_races.ghost_race, name="ghost_race"),
    path("matches/<match:pk>/review/", reviews.start, name="start_review"),
    path("embed/matches/<match:pk>/", embed.embed_match, name="embed_match"),
    path("embed/tables/<slug:table_id>/", embed.embed_table, name="embed_table"),
    path("embed/studies/<slug:key>/<nth:number>/", embed.embed_chapter, name="embed_chapter"),
    path("oembed", embed.oembed, name="oembed"),
    path("live/<slug:table_id>/story/<slug:language>/<int:after>", analysis.story, name="story"),
    path("tv/", tv.tv, name="tv"),
    path("reviews/", reviews.my_reviews, name="my_reviews"),
    path("reviews/<slug:key>/", reviews.review_page, name="review"),
    path("notes/", my_notes.my_notes, name="my_notes"),
    path("notes/tags.csv", my_notes.tags_csv, name="tags_csv"),
    path("notes/tags/", my_notes.old_table, name="tag_table"),
    path("playlists/", my_notes.my_playlists, name="my_playlists"),
    path("playlists/<slug:key>/", my_notes.playlist_page, name="playlist_page"),
    path("patterns/", patterns.patterns, name="patterns"),
    path("patterns/<slug:key>/", patterns.pattern, name="pattern"),
    path("playlists/<slug:key>/practise", practice.practise_playlist, name="practise_playlist"),
    path("news/", news.page, name="news"),
    path("news/settings/", news.save_settings, name="news_settings"),
    path("news/stop/<str:token>/", news_mail.stop, name="stop_news"),
    path("matches/<int:pk>/release", answering.release_match, name="release_match"),
    path("practise/", practice.practise, name="practice"),
    path("puzzle/", daily.puzzle, name="puzzle"),
    path("studies/", study_lists.my_studies, name="my_studies"),
    path("studies/<slug:key>/restore/", study_lists.restore_study, name="study_restore"),
    path("studies/<slug:key>/complaint/", study_lists.complain_about_study, name="study_complaint"),
    path("studies/<slug:key>/", my_studies.study_page, name="study_page"),
    path("studies/<slug:key>/review/", reviews.start_on_study, name="start_study_review"),
    path("studies/<slug:key>/results/", results.study_results, name="study_results"),
    path("studies/<slug:key>/<nth:number>/", lessons.chapter_page, name="chapter"),
    path("studies/<slug:key>/<nth:number>/start", answering.start, name="chapter_start"),
    path("studies/<slug:key>/<nth:number>/results/", results.results, name="chapter_results"),
    path("classes/", classes.my_classes, name="my_classes"),
    path("classes/join/", inviting.join_class, name="join_class"),
    path("classes/enter/", inviting.enter_class, name="enter_class"),
    path("classes/<slug:key>/", classes.class_page, name="school_class"),
    path("classes/<slug:key>/together/", classes.class_together, name="class_together"),
    path("classes/<slug:key>/season/", season.season, name="season"),
    path("classes/<slug:key>/tags/", season.class_tags, name="class_tags"),
    path("classes/<slug:key>/tags.csv", season.class_tags_csv, name="class_tags_csv"),
    path("classes/<slug:key>/sheet/", sheet.homework_sheet, name="homework_sheet"),
    path("classes/<slug:key>/sheet.csv", sheet.sheet_csv, name="sheet_csv"),
    path("classes/<slug:key>/tables/", club.class_wall, name="class_wall"),
    path("classes/<slug:key>/tables/seat/", club.seat_class, name="seat_class"),
    path("classes/<slug:key>/tables/change/", club.change_tables, name="change_tables"),
    path("classes/<slug:key>/change/", classes.change_class, name="change_class"),
    path("classes/<slug:key>/people/<member:number>/", classes.change_member, name="change_member"),
    path("classes/<slug:key>/children/", children.new_children, name="new_children"),
    path("classes/<slug:key>/children/codes/", children.new_codes, name="new_codes"),
    path("classes/<slug:key>/codes/", children.codes, name="codes"),
    path(
        "classes/<slug:key>/children/<member:number>/", children.change_child, name="change_child"
    ),
    path("classes/<slug:key>/pupils/<member:number>/", pupils.pupil, name="pupil"),
    path("classes/<slug:key>/pupils/<member:number>/drill/", pupils.send_drill, name="send_drill"),
    path("classes/<slug:key>/follow/", keeping.follow_class, name="follow_class"),
    path("classes/<slug:key>/leave/", classes.leave_class, name="leave_class"),
    path("classes/<slug:key>/restore/", classes.restore_class, name="restore_class"),
    path("classes/<slug:key>/homework.csv", homework.homework_csv, name="class_csv"),
    path("classes/<slug:key>/homework/", homework.new_homework, name="new_homework"),
    path(
        "classes/<slug:key>/homework/<slug:homework_key>/", homework.homework_page, name="homework"
    ),
    path(
        "classes/<slug:key>/homework/<slug:homework_key>/change/",
        homework.change_homework,
        name="change_homework",
    ),
    path(
        "classes/<slug:key>/homework/<slug:homework_key>.csv",
        homework.homework_csv,
        name="homework_csv",
    ),
    path("players/", players.players, name="players"),
    path("rivals/", rivals.rivals, name="rivals"),
    path("players/<player:name>/follow/", keeping.follow_player, name="follow_player"),
    path("players/<player:name>/", players.player_page, name="player"),
    path("spoilers/", archive.spoilers, name="spoilers"),
    *(
        path(
            address,
            RedirectView.as_view(pattern_name=f"replays:{to}", permanent=True, query_string=True),
            name=name,
        )
        for address, to, name in _MOVED
    ),
]
