"""The whole suite: everything on SQLite, then what touches a database once more on PostgreSQL.

`python -m tests.services.suite [--long] [pytest arguments]`, run under `python -m tests.services`.
"""

import os
import subprocess
import sys
import time

_PYTEST = [sys.executable, "-m", "pytest", "--ds=deploy.settings.test"]


def main(arguments: list[str]) -> int:
    """The worse of both exit statuses; a run that selects nothing passes only beside one that did."""
    everything = [argument for argument in arguments if argument != "--long"]
    if "--long" in arguments:
        everything += ["-m", ""]
    if not any(argument.startswith("-n") for argument in everything):
        everything += ["-n", "2"]
    environment = dict(os.environ)
    database = environment.pop("DATABASE_URL", "")
    results = [_run("SQLite", everything, environment)]
    if database:
        environment["DATABASE_URL"] = database
        results.append(_run("PostgreSQL", [*everything, "--database-tests-only"], environment))
    failed = [result for result in results if result not in (0, 5)]
    return failed[0] if failed else min(results)


def _run(name: str, arguments: list[str], environment: dict[str, str]) -> int:
    print(f"== {name}", flush=True)
    started = time.monotonic()
    result = subprocess.call([*_PYTEST, *arguments], env=environment)
    print(f"== {name}: {time.monotonic() - started:.0f} s", flush=True)
    return result


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
