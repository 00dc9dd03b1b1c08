from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('replays', '0012_situations'),
    ]

    operations = [
        # The column keeps its name, so older processes go on.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name='homework',
                    name='title',
                    field=models.CharField(db_column='title', max_length=220),
                ),
                migrations.RenameField(
                    model_name='homework',
                    old_name='title',
                    new_name='given_title',
                ),
            ],
        ),
        migrations.AlterField(
            model_name='news',
            name='kind',
            field=models.CharField(choices=[('mention', 'mentioned you in a note on'), ('reply', 'replied to your note on'), ('notes', 'shared notes with you on'), ('playlist', 'shared a playlist with you:'), ('study', 'shared a study with you:'), ('table', 'opened a table for'), ('review', 'began a review for your class:'), ('homework', 'gave you homework:'), ('reminder', 'reminds you of'), ('done', 'have done')], max_length=8),
        ),
    ]
