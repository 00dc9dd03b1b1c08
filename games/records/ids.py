"""Ids of records and of people's work around them."""

from secrets import token_urlsafe


def new_id(size: int) -> str:
    """An unguessable id of `size` random bytes, valid in the record format.

    It begins with no hyphen: a command would take it for an option.
    """
    while True:
        token = token_urlsafe(size)
        if not token.startswith("-"):
            return token
