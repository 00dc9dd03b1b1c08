import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("games", "0009_names_by_skeleton"),
    ]

    operations = [
        migrations.AddField(
            model_name="embargo",
            name="account",
            field=models.ForeignKey(
                blank=True,
                help_text="The account that this person's browser was logged in to.",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
    ]
