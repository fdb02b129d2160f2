"""`python -m tests.bench.one_round SECTION FILE` measures a section once and writes its figures as JSON.

The environment says on which data; the first folder of the path that has the site's packages says which
checkout. `python -m tests.bench` starts one such process for each round.
"""

import json
import os
import resource
import sys
from pathlib import Path

from tests.bench.sections import section


def main(name: str, target: str) -> None:
    """Measure and write."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))  # thousands of listeners, here and in the site
    module = section(name)
    if os.environ.get("DJANGO_SETTINGS_MODULE"):
        import django

        django.setup()
    figures = module.measure()
    Path(target).write_text(json.dumps([figure.as_json() for figure in figures]))


if __name__ == "__main__":
    main(*sys.argv[1:])
