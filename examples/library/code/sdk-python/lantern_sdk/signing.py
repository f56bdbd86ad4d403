"""Check that a webhook really came from Lantern."""

import hashlib
import hmac

#: A request older than this is refused, so that it cannot be played again.
SIGNATURE_TOLERANCE_SECONDS = 300


def verify_signature(secret: bytes, timestamp: int, body: bytes, header: str, now: int) -> bool:
    """Compare the header with our own signature over the raw body, in constant time.

    While a secret is rotated the header holds two signatures, separated by a comma.
    """
    if abs(now - timestamp) > SIGNATURE_TOLERANCE_SECONDS:
        return False
    expected = "v1=" + hmac.new(secret, b"%d.%s" % (timestamp, body), hashlib.sha256).hexdigest()
    offered = [part.strip() for part in header.split(",")]
    return any(hmac.compare_digest(expected, part) for part in offered)


def fingerprint(text: str) -> str:
    """A short, stable name for a piece of text."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:24]
