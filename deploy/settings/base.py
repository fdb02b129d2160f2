"""What every shape of the site shares. A shape (embedded, hosted, test) adds database, broker and hosts."""

from pathlib import Path

from kombu import Exchange, Queue

from deploy.health.logs import logging_config

BASE_DIR = Path(__file__).resolve().parents[2]
VAR_DIR = BASE_DIR / "var"

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "rest_framework",
    "rest_framework.authtoken",
    "django_filters",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "csp",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "tournaments",
    "tables",
    "scoring",
    "deploy",
]

MIDDLEWARE = [
    "deploy.health.middleware.Observation",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "deploy.urls"
WSGI_APPLICATION = "deploy.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English")]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "/static/"
STATIC_ROOT = VAR_DIR / "static"

LOGIN_URL = "account_login"
AUTHENTICATION_BACKENDS = [
    "allauth.account.auth_backends.AuthenticationBackend",
    "django.contrib.auth.backends.ModelBackend",
]
ACCOUNT_ADAPTER = "deploy.accounts.adapter.SiteAccounts"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_LOGOUT_REDIRECT_URL = "/"
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_RATE_LIMITS = {"login": "60/m/ip", "login_failed": "30/m/ip,5/5m/key", "signup": "20/m/ip"}
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_TOTP_ISSUER = "Seven Marks"
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "style-src": ["'self'", "'unsafe-inline'"],
        "frame-ancestors": ["'none'"],
        "object-src": ["'none'"],
        "base-uri": ["'self'"],
    }
}

CACHES = {
    "default": {
        # Rendered pages of the process; 147 teams with their fragments are about 2,000 of them.
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "OPTIONS": {"MAX_ENTRIES": 10_000},
    }
}

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "tables.api.authentication.LinkAuthentication",
        "tournaments.api.authentication.AccountToken",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.AllowAny"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["tournaments.api.parsers.StrictJSONParser"],
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "deploy.health.problems.problem_handler",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
    "COERCE_DECIMAL_TO_STRING": False,
}

SPECTACULAR_SETTINGS = {
    "TITLE": "Seven Marks",
    "DESCRIPTION": "Texas 42 tournaments: brackets, hand-by-hand records, live tables.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_NAME_OVERRIDES": {
        "SideEnum": "tournaments.enums.Side",
        "SeatEnum": "tables.enums.SeatName",
        "DrawMethodEnum": "tournaments.enums.DrawMethod",
        "MatchStateEnum": "tournaments.enums.MatchState",
        "TableStateEnum": "tables.enums.TableState",
        "LifecycleEnum": "tournaments.enums.Lifecycle",
        "ResultStateEnum": "tournaments.enums.ResultState",
        "LinkKindEnum": "tables.enums.LinkKind",
        "StageKindEnum": "tournaments.enums.StageKind",
        "OutcomeEnum": "tournaments.enums.Outcome",
        "FindingStateEnum": "scoring.enums.FindingState",
        "FindingOutcomeEnum": "scoring.enums.FindingOutcome",
        "LineKindEnum": "tournaments.api.importing.LINE_KINDS",
        "LineProblemEnum": "tournaments.api.importing.LINE_PROBLEMS",
        "ForfeitSideEnum": "tournaments.api.serializers.FORFEIT_SIDES",
    },
}

# By their names: workers take records for screening only when no team waits to move on.
CELERY_TASK_QUEUES = [Queue(name, Exchange(name), routing_key=name) for name in ("celery", "screening")]
CELERY_TASK_ROUTES = {"scoring.*": {"queue": "screening"}}
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a broker may be away for as long as it likes
CELERY_TASK_SERIALIZER = "json"
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULER = "deploy.beat:SteadyScheduler"
_SWEEPS = {
    "tournaments.sweep_advances": 10.0,
    "tables.sweep_assignments": 10.0,
    "scoring.sweep_screening": 10.0,
    "tournaments.confirm_silent": 30.0,
    "tournaments.end_messages": 20.0,
    "tournaments.forget_idempotency_keys": 3600.0,
}
CELERY_BEAT_SCHEDULE = {
    # A sweep that waited longer than its interval is dropped: the next one does the same work.
    task: {"task": task, "schedule": seconds, "options": {"expires": seconds}}
    for task, seconds in _SWEEPS.items()
}

SWEEPS_WATCHED = [task for task, seconds in _SWEEPS.items() if seconds <= 10]  # their silence is a sign
SNAPSHOT_EVERY = 60  # seconds between two snapshots, as the site is meant to run
METRICS_TOKEN = ""  # lets others than this machine read /metrics

WSGI_THREADS = 16  # requests that Django answers at once in one web process
EVENTS_MAX_STREAMS = 2500  # open event streams in one web process

PUBLIC_BASE_URL = ""  # links and QR codes; empty: the address that the browser used

LOGGING = logging_config(as_json=False)
