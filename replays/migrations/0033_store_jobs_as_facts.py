from django.db import migrations, models


def keep_words(apps, _editor):
    """Titles and errors of earlier releases stay in the words in which they were written."""
    rows = apps.get_model("replays", "Job").objects.all()
    for job in rows.only("title", "error").iterator(chunk_size=1_000):
        fault = [job.error, {}] if job.error else None
        rows.filter(pk=job.pk).update(named=[job.title, {}], fault=fault)


def put_back(apps, _editor):
    rows = apps.get_model("replays", "Job").objects.all()
    for job in rows.only("named", "fault").iterator(chunk_size=1_000):
        fault = in_words(job.fault)[:300] if job.fault else ""
        rows.filter(pk=job.pk).update(title=in_words(job.named)[:200], error=fault)


def in_words(plain):
    match plain:
        case [str(text), dict(values), *many]:
            text = many[0] if many and values["count"] != 1 else text
            words = {name: in_words(value) for name, value in values.items()}
            return text.format_map(words) if values else text
    return plain


class Migration(migrations.Migration):
    dependencies = [("replays", "0032_news_in_sentences")]

    operations = [
        migrations.AddField("job", "named", models.JSONField(default=list, help_text="What for: a `Message`, as `plain` gives it.")),
        migrations.AddField("job", "fault", models.JSONField(blank=True, null=True, help_text="Why it failed: a `Message`.")),
        migrations.RunPython(keep_words, put_back),
        migrations.RemoveField("job", "title"),
        migrations.RemoveField("job", "error"),
        migrations.AlterField(
            "patternsearch",
            "text",
            models.CharField(
                blank=True,
                max_length=500,
                help_text="In words, of searches before `query` was kept.",
            ),
        ),
    ]
