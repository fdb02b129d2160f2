"""What Django's middleware does for its answers, done for those of the front: hosts, headers, problems."""

import json
from http import HTTPStatus

from django.conf import settings
from django.http.request import split_domain_port, validate_host

from deploy.front.asgi import Headers, Scope, Send, header


def host_is_allowed(scope: Scope) -> bool:
    """Whether the request names one of ALLOWED_HOSTS."""
    name = header(scope, b"x-forwarded-host") if settings.USE_X_FORWARDED_HOST else ""
    domain, _ = split_domain_port(name or header(scope, b"host"))
    return bool(domain) and validate_host(domain, settings.ALLOWED_HOSTS)


def is_secure(scope: Scope) -> bool:
    """Whether the browser spoke https, by the connection or by the proxy header that the settings trust."""
    if settings.SECURE_PROXY_SSL_HEADER:
        name, value = settings.SECURE_PROXY_SSL_HEADER
        sent = header(scope, name.removeprefix("HTTP_").replace("_", "-").lower().encode())
        return sent.split(",")[0].strip() == value
    return bool(scope.get("scheme") == "https")


def security_headers(scope: Scope) -> Headers:
    """Headers of every answer of the front. Nothing of it is a page, so a browser may load nothing for it."""
    headers = [
        (b"x-content-type-options", b"nosniff"),
        (b"x-frame-options", b"DENY"),
        (b"referrer-policy", str(settings.SECURE_REFERRER_POLICY or "same-origin").encode()),
        (b"cross-origin-opener-policy", b"same-origin"),
        (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    ]
    if settings.SECURE_HSTS_SECONDS and is_secure(scope):
        headers.append((b"strict-transport-security", f"max-age={settings.SECURE_HSTS_SECONDS}".encode()))
    return headers


async def send_problem(
    scope: Scope, send: Send, status: int, code: str, detail: str, extra: Headers | None = None
) -> None:
    """Answer with problem+json (RFC 9457) as the API does."""
    kind = f"/api/docs/problems/#{code}"
    body = json.dumps(
        {"type": kind, "title": HTTPStatus(status).phrase, "status": status, "code": code, "detail": detail}
    ).encode()
    headers = [
        (b"content-type", b"application/problem+json"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        *security_headers(scope),
        *(extra or []),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})


def without_ambiguity(scope: Scope) -> Scope:
    """The request as WSGI may see it: without headers whose underscore would pass for a dash."""
    return {**scope, "headers": [(name, value) for name, value in scope["headers"] if b"_" not in name]}
