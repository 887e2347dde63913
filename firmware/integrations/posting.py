"""One HTTP request that neither waits long nor is led astray."""

import urllib.request
from collections.abc import Mapping
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError


class NotTaken(OSError):
    """The other side did not take it; the message says why in a few words. `again`: it may take it later."""

    def __init__(self, why: str, again: bool) -> None:
        super().__init__(why)
        self.again = again


class _NoDetour(urllib.request.HTTPRedirectHandler):
    """What is signed for one address is not sent to another."""

    def redirect_request(self, *_: Any) -> None:
        return None


# No proxy of the environment: lights and webhooks are in the house, or named in full.
_OPENER = urllib.request.build_opener(_NoDetour, urllib.request.ProxyHandler({}))


def post(url: str, body: bytes, headers: Mapping[str, str], timeout_s: float) -> None:
    """POST `body` as JSON. Each wait for the network lasts at most `timeout_s`. Raises `NotTaken`."""
    request = urllib.request.Request(url, body, {"Content-Type": "application/json", **headers}, method="POST")
    try:
        with _OPENER.open(request, timeout=timeout_s):
            return
    except HTTPError as error:
        with error:
            raise NotTaken(f"it answered {error.code}", error.code >= 500 or error.code in (408, 429)) from None
    except TimeoutError:
        raise NotTaken("it did not answer in time", True) from None
    except (OSError, HTTPException, ValueError) as error:
        reason = getattr(error, "reason", error)
        raise NotTaken(getattr(reason, "strerror", None) or str(reason) or type(error).__name__, True) from None
