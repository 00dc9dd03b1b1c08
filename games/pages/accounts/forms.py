"""Forms of the account pages."""

from __future__ import annotations

from django import forms
from django.contrib.auth import get_user_model
from django.contrib.auth.forms import BaseUserCreationForm
from django.contrib.auth.models import AbstractBaseUser

from games.pages.forms import free_name
from games.people.names import LENGTH


class SignUpForm(BaseUserCreationForm):
    """A new account; the address is only for a forgotten password."""

    email = forms.EmailField(
        required=False, help_text="Only for a forgotten password. You may leave it empty."
    )

    class Meta:
        model = get_user_model()
        fields = ("username", "email")

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        username = self.fields["username"]
        username.help_text = "Letters, digits and @ . + - _, shown at the table."
        username.widget.attrs |= {"maxlength": LENGTH, "autocomplete": "username"}
        self.fields["email"].widget.attrs["autocomplete"] = "email"

    def clean_username(self) -> str:
        """A name that nobody else could be taken for."""
        return free_name(self.cleaned_data["username"])


class DeleteForm(forms.Form):
    """The account's password once more, before it is deleted."""

    password = forms.CharField(
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"})
    )

    def __init__(self, user: AbstractBaseUser, *args: object, **kwargs: object) -> None:
        self.user = user
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]

    def clean_password(self) -> str:
        """The password, if it is the account's."""
        password: str = self.cleaned_data["password"]
        if not self.user.check_password(password):
            raise forms.ValidationError("That is not your password.")
        return password
