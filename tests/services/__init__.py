"""Services that tests need, started by ourselves: PostgreSQL, Redis or Valkey, headless Chromium.

`python -m tests.services COMMAND...` runs a command with them; see `__main__`.
"""
