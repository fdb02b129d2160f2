"""libfaketime: a clock of one's own for the processes of a site, which a file sets."""

from pathlib import Path

from tests.services.apt import find_or_install


def faked_clock(file: Path) -> dict[str, str]:
    """The environment of a process whose time of day is the real one plus what `file` says, such as `+2h`.

    Its monotonic clock stays: nobody can set that. The file is looked at once a second.
    """
    find_or_install(["faketime"], ["faketime"])
    library = next(path for path in Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
    return {
        "LD_PRELOAD": str(library),
        "FAKETIME_TIMESTAMP_FILE": str(file),
        "FAKETIME_CACHE_DURATION": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "NO_FAKE_STAT": "1",
    }
