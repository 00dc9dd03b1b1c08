"""URLs of the account pages. Django's own views keep their names."""

from django.contrib.auth import views as auth
from django.urls import path, reverse_lazy

from games.pages.accounts import mail, programs, views

app_name = "accounts"

urlpatterns = [
    path("", views.profile, name="profile"),
    path("new/", views.sign_up, name="sign_up"),
    path("name/", views.rename, name="name"),
    path("address/", mail.address, name="address"),
    path("confirm/<str:token>/", mail.confirm, name="confirm"),
    path("claim/", views.claim, name="claim"),
    path("language/", views.language, name="language"),
    path("browsers/", views.browsers, name="browsers"),
    path("programs/", programs.programs, name="programs"),
    path("programs/<int:pk>/revoke", programs.revoke, name="revoke"),
    path("programs/bot", programs.be_bot, name="be_bot"),
    path("delete/", views.delete, name="delete"),
    path("log-in/", views.LogIn.as_view(), name="log_in"),
    path("log-out/", views.LogOut.as_view(), name="log_out"),
    path("password/", views.PasswordChange.as_view(), name="password"),
    path(
        "reset/",
        auth.PasswordResetView.as_view(
            form_class=mail.ResetForm,
            success_url=reverse_lazy("accounts:reset_sent"),
            email_template_name="registration/reset_email.txt",
            subject_template_name="registration/reset_subject.txt",
        ),
        name="reset",
    ),
    path("reset/sent/", auth.PasswordResetDoneView.as_view(), name="reset_sent"),
    path("reset/<uidb64>/<token>/", views.PasswordReset.as_view(), name="reset_confirm"),
]
