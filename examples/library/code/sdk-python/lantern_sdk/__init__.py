"""Send notifications through Lantern and verify the webhooks it sends."""

from .client import Client, LanternApiError
from .signing import SIGNATURE_TOLERANCE_SECONDS, verify_signature

__all__ = ["Client", "LanternApiError", "SIGNATURE_TOLERANCE_SECONDS", "verify_signature"]
__version__ = "2.14.0"
