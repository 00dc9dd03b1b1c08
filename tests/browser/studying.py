"""A study made in one go, for tests of what comes after."""

from typing import Any

from playwright.sync_api import Page


def study_of(
    page: Page, match: str, key: str, *chapters: dict[str, Any], visibility: str = "link"
) -> str:
    """A study of a match's first round, made by the visitor of `page`; its address."""
    page.goto("/studies/")
    csrf = page.locator("[name=csrfmiddlewaretoken]").first.input_value()
    headers = {"X-CSRFToken": csrf, "Referer": page.url}

    def sent(method: str, path: str, **body: object) -> None:
        answer = page.request.fetch(path, method=method, data=body, headers=headers)
        assert answer.ok, answer.text()

    sent("POST", "/api/v1/studies", key=key, title="Openings")
    at = {"match": int(match.split("/")[2]), "round": 1}
    for chapter in chapters:
        sent("POST", f"/api/v1/studies/{key}/chapters", **at, **chapter)
    sent("PUT", f"/api/v1/studies/{key}", revision=1, visibility=visibility)
    return f"/studies/{key}/"
