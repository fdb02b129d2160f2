# Everything is installed into .boot/ and .venv/ of this folder; data live in var/.

HOST = 127.0.0.1
PORT = 8000
TEAMS = 147
SPEED =
ARGS =
PYTHON = python3
VENV = .venv/bin/python

.DEFAULT_GOAL := help
.PHONY: help demo run test test-long check bench boot boot-dev

help:
	@echo "make demo        run a sample championship; HOST=0.0.0.0 for phones, PORT=, TEAMS=, SPEED="
	@echo "make run         serve what is there; HOST=, PORT="
	@echo "make test        all tests on SQLite and on PostgreSQL; ARGS= goes to pytest"
	@echo "make test-long   the tests that take minutes too"
	@echo "make check       lint, types, import contracts, Django's checks, migrations"
	@echo "make bench       measure this machine; ARGS= such as --only pages, see docs/performance.md"

demo: boot
	@$(VENV) manage.py demo --host $(HOST) --port $(PORT) --teams $(TEAMS) $(if $(SPEED),--speed $(SPEED))

run: boot
	@$(VENV) manage.py run --host $(HOST) --port $(PORT)

test: boot-dev
	@$(VENV) -m tests.services $(VENV) -m tests.services.suite $(ARGS)

test-long: boot-dev
	@$(VENV) -m tests.services $(VENV) -m tests.services.suite --long $(ARGS)

check: boot-dev
	@$(VENV) -m ruff check .
	@$(VENV) -m ruff format --check .
	@$(VENV) -m mypy fortytwo tournaments tables scoring deploy
	@$(VENV) -c "from importlinter.cli import lint_imports_command as run; run()"
	@$(VENV) manage.py check --database default --fail-level WARNING
	@$(VENV) manage.py makemigrations --check --dry-run

bench: boot-dev
	@$(VENV) -m tests.bench $(ARGS)

boot:
	@command -v $(PYTHON) >/dev/null || { echo "boot: Python 3.11 or newer is needed; there is no $(PYTHON) here." >&2; exit 1; }
	@$(PYTHON) -I deploy/boot.py runtime

boot-dev:
	@command -v $(PYTHON) >/dev/null || { echo "boot: Python 3.11 or newer is needed; there is no $(PYTHON) here." >&2; exit 1; }
	@$(PYTHON) -I deploy/boot.py dev
