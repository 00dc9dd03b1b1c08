"""Whether an update needs the site to stop, read from its migrations.

While processes are restarted one after another, old ones use the new tables. That works unless a
migration takes away something they use, or demands a value they don't write.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db import connection
from django.db.migrations import (
    AddConstraint,
    AddField,
    AlterField,
    AlterUniqueTogether,
    CreateModel,
    DeleteModel,
    Migration,
    RemoveField,
    RenameField,
    RenameModel,
    RunPython,
    RunSQL,
)
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models import Field


def waiting() -> Iterator[tuple[str, list[str]]]:
    """The migrations not applied yet, in order, each with its reasons for a stop."""
    executor = MigrationExecutor(connection)
    graph = executor.loader.graph
    plan = executor.migration_plan(graph.leaf_nodes())
    applied = [key for key in executor.loader.applied_migrations if key in graph.nodes]
    state = executor.loader.project_state(applied)
    for migration, _ in plan:
        yield f"{migration.app_label} {migration.name}", list(reasons(migration, state))
        migration.mutate_state(state, preserve=False)


def reasons(migration: Migration, state: ProjectState) -> Iterator[str]:
    """Why processes of the release before can't go on beside this migration.

    `state` is the models before it. A migration that runs code says `old_processes_may_run = True`
    where that is so.
    """
    new: set[str] = set()
    state = state.clone()
    for step in migration.operations:
        if isinstance(step, CreateModel):
            new.add(step.name_lower)
        elif getattr(step, "model_name_lower", "") not in new:
            before = state.clone()
            step.state_forwards(migration.app_label, state)
            if _stops(step, migration, before, state):
                yield step.describe()
            continue
        step.state_forwards(migration.app_label, state)


def _stops(
    step: Operation, migration: Migration, before: ProjectState, after: ProjectState
) -> bool:
    match step:
        case RunPython() | RunSQL():
            return not getattr(migration, "old_processes_may_run", False)
        case AddField():
            return not (step.field.null or step.field.many_to_many or step.field.has_db_default())
        case AlterField():
            key = migration.app_label, step.model_name_lower
            old, new = (state.models[key].fields[step.name] for state in (before, after))
            return _column(old, new.null) != _column(new, new.null)
        case AlterUniqueTogether():
            return bool(step.unique_together)
    return isinstance(step, RenameModel | DeleteModel | RenameField | RemoveField | AddConstraint)


def _column(field: Field[Any, Any], null: bool) -> tuple[Any, ...]:
    """A field's column. `null` leaves out whether it may be null, for a change that allows it."""
    _, path, args, kwargs = field.deconstruct()
    ignored = {*field.non_db_attrs, *(["null"] if null else [])}
    return path, args, {name: value for name, value in kwargs.items() if name not in ignored}
