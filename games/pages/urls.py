"""URLs for playing."""

from django.urls import path

from games.pages import challenges, players_guide, playing, rules_page, watching

app_name = "games"
urlpatterns = [
    path("", playing.home, name="home"),
    path("guide/", players_guide.players_guide, name="players_guide"),
    path("rules/", rules_page.rules, name="rules"),
    path("rules/fair-play/", rules_page.fair_play, name="fair_play"),
    path("play/", playing.play, name="lobby"),
    path("play/name/", playing.rename, name="rename"),
    path("play/quick/", playing.quick, name="quick"),
    path("play/guided/", playing.guided, name="guided"),
    path("play/new/", playing.new, name="new"),
    path("play/join/", playing.join, name="join"),
    path("play/challenge/", challenges.challenge, name="challenge"),
    path("play/challenge/<slug:key>/", challenges.challenged, name="challenged"),
    path("play/<slug:table_id>/", playing.table, name="table"),
    path("play/<slug:table_id>/sit/", playing.sit, name="sit"),
    path("play/<slug:table_id>/leave/", playing.stand_up, name="stand_up"),
    path("play/<slug:table_id>/bots/", playing.fill, name="fill"),
    path("play/<slug:table_id>/link/", playing.new_link, name="new_link"),
    path("play/<slug:table_id>/replay/", playing.replay, name="replay"),
    path("watch/", watching.watch, name="watch"),
    path("watch/wall/", watching.wall, name="wall"),
    path("watch/after/<slug:table_id>/", watching.following, name="following"),
]
