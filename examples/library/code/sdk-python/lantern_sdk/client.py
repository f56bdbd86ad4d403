"""A small client for the HTTP API, with nothing but the standard library."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lantern_sdk import signing


class LanternApiError(Exception):
    """An answer with an error code, for instance ``LNT-4090``."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code


@dataclass
class Client:
    """Talks to one Lantern server.

    The token is read from a file on each call, so that it can be replaced without a restart.
    """

    base_url: str
    token_file: str | None = None
    timeout_seconds: float = 10.0
    default_labels: dict[str, str] = field(default_factory=dict)

    def send(self, to: str, *, template: str, data: dict[str, Any] | None = None,
             idempotency_key: str | None = None) -> dict[str, Any]:
        """Submit one notification and return its id and state."""
        body = {"to": to, "template": template, "data": data or {}, "labels": self.default_labels}
        headers = {"Idempotency-Key": idempotency_key or derive_key(to, template, data)}
        return self._post("/v1/notifications", body, headers)

    def _post(self, path: str, body: dict[str, Any], headers: dict[str, str]) -> dict[str, Any]:
        request = urllib.request.Request(self.base_url + path, json.dumps(body).encode(), headers)
        if self.token_file:
            token = Path(self.token_file).read_text(encoding="utf-8").strip()
            request.add_header("Authorization", f"Bearer {token}")
        try:
            with urllib.request.urlopen(request, timeout=self.timeout_seconds) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            problem = json.load(error).get("error", {})
            raise LanternApiError(problem.get("code", "LNT-4221"), problem.get("message", "")) from error


def derive_key(to: str, template: str, data: dict[str, Any] | None) -> str:
    """Name a message by what it says, never by when it is sent."""
    return signing.fingerprint(json.dumps([to, template, data or {}], sort_keys=True))
