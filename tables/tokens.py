"""The token and the code of a link: both follow from the secret key and the link's id, so nothing is stored.

A *token* opens the link; it is the id in 22 characters and 22 characters of signature. A *code* is four
digits that only the team knows and that it types on somebody else's phone. A new link has a new id, so
both change. Keys in SECRET_KEY_FALLBACKS still open what was printed under them.
"""

import base64
import binascii
from uuid import UUID

from django.conf import settings
from django.core.signing import Signer
from django.utils.crypto import constant_time_compare, salted_hmac

CODE_DIGITS = 4
ID_LENGTH = 22
SIGNATURE_LENGTH = 22  # 132 bits of SHA-256
TOKEN_SALT = "tables.link"
CODE_SALT = "tables.code"


def token_of(link_id: UUID) -> str:
    """The link's token, safe in an address."""
    text = base64.urlsafe_b64encode(link_id.bytes).decode().rstrip("=")
    return text + _signature(text, settings.SECRET_KEY)


def link_id_of(token: str) -> UUID | None:
    """The id that the token was made from, or None for a token that this site did not sign."""
    text, signature = token[:ID_LENGTH], token[ID_LENGTH:]
    if not token.isascii():  # half a surrogate pair cannot even be signed
        return None
    if not any(constant_time_compare(signature, _signature(text, key)) for key in _keys()):
        return None
    try:
        return UUID(bytes=base64.urlsafe_b64decode(text + "=="))
    except (binascii.Error, ValueError):
        return None


def code_of(link_id: UUID) -> str:
    """The four digits of the link."""
    return _code(link_id, settings.SECRET_KEY)


def is_code_of(link_id: UUID, code: str) -> bool:
    """True for the right digits; takes as long for wrong ones."""
    return code.isascii() and sum(constant_time_compare(code, _code(link_id, key)) for key in _keys()) > 0


def _keys() -> list[str | bytes]:
    return [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]


def _signature(text: str, key: str | bytes) -> str:
    return Signer(key=key, salt=TOKEN_SALT).signature(text)[:SIGNATURE_LENGTH]


def _code(link_id: UUID, key: str | bytes) -> str:
    digest = salted_hmac(CODE_SALT, link_id.hex, secret=key, algorithm="sha256").digest()
    return f"{int.from_bytes(digest[:8], 'big') % 10**CODE_DIGITS:0{CODE_DIGITS}d}"
