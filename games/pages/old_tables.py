"""The addresses of tables that programs had before the API, for one release: `/api/tables/`.

They answer as they did: an error is `{"error": …}`, and a faulty body has the status 400.
"""

from __future__ import annotations

import json
from http import HTTPStatus

from django.http import HttpResponse, JsonResponse
from django.urls import resolve
from django.views.decorators.csrf import csrf_exempt

from games.pages.problems import MEDIA_TYPE, ROOT
from games.people.visit import Request

FAULTY = (HTTPStatus.UNPROCESSABLE_ENTITY, HTTPStatus.REQUEST_ENTITY_TOO_LARGE)


@csrf_exempt
def old_tables(request: Request, rest: str = "") -> HttpResponse:
    """What the API answers under its own address."""
    resolved = resolve(f"{ROOT}tables{rest and '/'}{rest.rstrip('/')}")
    request.resolver_match = resolved
    response: HttpResponse = resolved.func(request, *resolved.args, **resolved.kwargs)
    if response["Content-Type"] != MEDIA_TYPE:
        return response
    status = HTTPStatus.BAD_REQUEST if response.status_code in FAULTY else response.status_code
    old = JsonResponse({"error": json.loads(response.content)["detail"]}, status=status)
    for name in ("Allow", "Retry-After"):
        if name in response:
            old[name] = response[name]
    return old
