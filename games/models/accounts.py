"""What the site stores about an account besides Django's own user."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext as _

from games.models.matches import Match, Player


class Account(models.Model):
    """The skeleton of an account's name, and its mail address.

    A row is created or updated on demand (`games.people.accounts`), since Django's own commands and
    admin can create and rename users too.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="account"
    )
    name = models.CharField(max_length=150, help_text="The name that the skeleton is of.")
    skeleton = models.CharField(
        max_length=600, db_index=True, help_text="What the name looks like (games.people.names)."
    )
    address = models.CharField(
        max_length=254, blank=True, help_text="The mail address that was confirmed last."
    )
    supervised = models.BooleanField(
        default=False,
        db_default=False,
        help_text="Made by a coach for a child: it does only what SUPERVISED_MAY names.",
    )
    bot = models.BooleanField(
        default=False,
        db_default=False,
        help_text="A program's, once and for good (games.people.bots).",
    )
    language = models.CharField(
        max_length=12, blank=True, db_default="", help_text="As chosen; its mail is in it too."
    )
    # Digests of a stored password (`games.people.passwords`).
    failed = models.CharField(
        max_length=64, blank=True, db_default="", help_text="The one that failed log-ins were for."
    )
    code = models.CharField(
        max_length=64, blank=True, db_default="", help_text="The code at the hand-over by a coach."
    )

    def __str__(self) -> str:
        return self.name


class FormerName(models.Model):
    """A former name of an account. For a while no one else may take it.

    Records still contain it: a person who took it at once could pass for the one who played. So a
    deleted account's name is kept too.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="former_names",
    )
    skeleton = models.CharField(max_length=600, db_index=True)
    since = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.skeleton


class LogIn(models.Model):
    """A browser that is logged in to an account: its session, since when."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="log_ins"
    )
    session = models.CharField(max_length=40, unique=True)
    browser = models.CharField(max_length=60, help_text="What it says it is, in short.")
    since = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.browser

    @property
    def shown_browser(self) -> str:
        if self.browser.startswith("("):
            return _("A browser {system}").format(system=self.browser)
        return self.browser or _("A browser")


class Token(models.Model):
    """What an account's programs ask with in place of a session (`games.people.tokens`)."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="tokens"
    )
    name = models.CharField(max_length=40, help_text="What its owner calls it.")
    scopes = models.CharField(max_length=40, help_text="What it allows, with blanks between.")
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the token.")
    password = models.CharField(
        max_length=64, db_default="", help_text="Of the stored password. Another one ends it."
    )
    made = models.DateTimeField(auto_now_add=True)
    until = models.DateTimeField()
    used = models.DateField(null=True, help_text="The last day on which it was used.")

    def __str__(self) -> str:
        return self.name


class MailSent(models.Model):
    """When an address last got mail of a kind. The address itself is not stored."""

    address = models.CharField(max_length=64, unique=True, help_text="A hash of kind and address.")
    at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.address[:8]


class Embargo(models.Model):
    """A person who sees nothing of a match until they have answered a chapter's question."""

    match = models.ForeignKey(
        Match, on_delete=models.CASCADE, related_name="embargoes", db_index=False
    )
    person = models.CharField(max_length=80, help_text="As games.people.person writes it.")
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        help_text="The account that this person's browser was logged in to.",
    )
    chapter = models.BigIntegerField(db_index=True)
    """The chapter's number. This app knows no chapters."""
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "person", "chapter"], name="embargo_once")
        ]
        indexes = [models.Index(fields=["person"], name="embargo_person")]

    def __str__(self) -> str:
        return f"embargo on match {self.match_id}"


class KeptMatch(models.Model):
    """A match in an account's own list, with a word of its own."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="+")
    word = models.CharField(max_length=100, blank=True)
    since = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "kept matches"
        constraints = [models.UniqueConstraint(fields=["user", "match"], name="kept_once")]

    def __str__(self) -> str:
        return f"match {self.match_id}"


class Follow(models.Model):
    """A player, or else a class, whose live matches an account wants to see. It is secret."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, null=True, related_name="+")
    school_class = models.CharField(
        max_length=64, blank=True, db_index=True, help_text="The key of the class."
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "player"], condition=Q(school_class=""), name="player_followed_once"
            ),
            models.UniqueConstraint(
                fields=["user", "school_class"],
                condition=Q(player=None),
                name="class_followed_once",
            ),
        ]

    def __str__(self) -> str:
        return f"follow {self.pk}"
