"""Forms of the account pages."""

from typing import Any, Final

from django import forms
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth import get_user_model
from django.contrib.auth.forms import AuthenticationForm, BaseUserCreationForm, UsernameField
from django.contrib.auth.hashers import check_password
from django.contrib.auth.models import AbstractBaseUser
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from games.models import SignUpInvitation
from games.pages.forms import free_name
from games.people import passwords, tokens
from games.people.accounts import as_written
from games.people.codes import as_code
from games.people.names import LENGTH
from games.records.shape import without_marks

SPENT: Final = _(
    "This invitation does not work: it is misspelt, used up or too old. Ask for a new one."
)


def describe_username(username: forms.Field) -> None:
    """Tell people and browsers what a name may be."""
    username.help_text = _("Letters, digits and @ . + - _, shown at the table.")
    username.error_messages["invalid"] = _("Only letters, digits and @ . + - _.")
    username.widget.attrs |= {"maxlength": LENGTH, "autocomplete": "username"}


class SignUpForm(BaseUserCreationForm):
    invitation = forms.CharField(
        max_length=64,
        label=_("Invitation"),
        help_text=_("The code that you were given. Its link fills this in."),
    )
    email = forms.EmailField(
        label=_("Email (optional)"), required=False, help_text=_("For a forgotten password.")
    )

    class Meta:
        model = get_user_model()
        fields = ("username", "email")

    def __init__(self, *args: Any, invited: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if invited:
            del self.fields["invitation"]
        describe_username(self.fields["username"])
        self.fields["email"].widget.attrs["autocomplete"] = "email"
        first, again = self.fields["password1"], self.fields["password2"]
        first.help_text = _("At least 8 characters. Not a common password, not like your name.")
        again.label, again.help_text = _("Repeat the password"), ""
        self.order_fields(("invitation", "username", "password1", "password2", "email"))

    def full_clean(self) -> None:
        """Put the cursor where the first error is."""
        super().full_clean()
        if wrong := next((name for name in self.fields if name in self.errors), None):
            for name, field in self.fields.items():
                field.widget.attrs["autofocus"] = name == wrong

    def clean_username(self) -> str:
        """A name that cannot be mistaken for anyone else's."""
        return free_name(self.cleaned_data["username"])

    def clean_invitation(self) -> str:
        """An invitation that may still be used."""
        code: str = self.cleaned_data["invitation"]
        if not SignUpInvitation.valid(code).exists():
            raise forms.ValidationError(SPENT)
        return code


class RenameForm(forms.ModelForm):
    """A new name for an account. Records keep the one they were played under."""

    class Meta:
        model = get_user_model()
        fields = ("username",)
        field_classes = {"username": UsernameField}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        describe_username(self.fields["username"])

    def clean_username(self) -> str:
        """A name that cannot be mistaken for anyone else's. Changing its capitals is allowed."""
        return free_name(self.cleaned_data["username"], self.instance.pk)


class LogInForm(AuthenticationForm):
    """Names are case-insensitive, since no two accounts differ by capitals alone."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password"].label = _("Password or code")

    def clean_username(self) -> str:
        """The name as the account has it."""
        return as_written(without_marks(self.cleaned_data["username"]).strip())

    def clean_password(self) -> str:
        """A code from paper as it is printed there, if it is this account's."""
        typed: str = self.cleaned_data["password"]
        code = as_code(typed)
        if code in ("", typed):
            return typed
        users = get_user_model().objects.filter(username=self.cleaned_data.get("username"))
        stored = users.values_list("password", flat=True).first()
        return code if stored and check_password(code, stored) else typed

    def clean(self) -> dict[str, Any]:
        """Log in. A code from a coach is now stored as every password is stored."""
        before = passwords.digest_under(self.cleaned_data.get("username", ""))
        cleaned: dict[str, Any] = super().clean()
        user = self.get_user()
        if user is not None and passwords.digest(user) != before:
            passwords.stored_anew(user, before)
        return cleaned


class StaffLogInForm(LogInForm, AdminAuthenticationForm):
    """The same for the admin, which admits only staff."""


class PasswordAgain(forms.Form):
    """Ask for the password again: an open browser is not enough."""

    password = forms.CharField(
        label=_("Password"), widget=forms.PasswordInput(attrs={"autocomplete": "current-password"})
    )

    def __init__(self, user: AbstractBaseUser, *args: object, **kwargs: object) -> None:
        self.user = user
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]

    def clean_password(self) -> str:
        """The password, if it is right."""
        password: str = self.cleaned_data["password"]
        if not self.user.check_password(password):
            raise forms.ValidationError(_("That is not your password."))
        return password


class TokenForm(PasswordAgain):
    """A new token of an account, which may play if it is a bot."""

    name = forms.CharField(max_length=40, label=_("What it is for"))
    scopes = forms.MultipleChoiceField(
        label=_("What it may do"), widget=forms.CheckboxSelectMultiple, initial=[tokens.READ]
    )
    days = forms.TypedChoiceField(label=_("Ends in"), coerce=int)
    field_order = ("name", "scopes", "days", "password")

    def __init__(self, user: AbstractBaseUser, *args: object, bot: bool) -> None:
        super().__init__(user, *args)
        offered = list(tokens.SCOPES.items())
        scopes = self.fields["scopes"]
        assert isinstance(scopes, forms.MultipleChoiceField)
        days = self.fields["days"]
        assert isinstance(days, forms.TypedChoiceField)
        days.choices = [
            (count, ngettext("{count} day", "{count} days", count).format(count=count))
            for count in tokens.DAYS
        ]
        scopes.choices = offered if bot else [each for each in offered if each[0] != tokens.PLAY]
