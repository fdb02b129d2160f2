"""`manage.py demo`: the address and the sign-in first, then an event to its champion, then it serves on."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from tests.serving import ROOT

pytestmark = pytest.mark.timeout(300)


class Demo:
    """A demo with its own folder for data."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        environment = {
            **os.environ,
            "SEVEN_MARKS_VAR": str(folder),
            "DJANGO_SETTINGS_MODULE": "deploy.settings.embedded",
            "DATABASE_URL": "",
        }
        self.said = ""
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "demo", "--port", "0", "--teams", "2", *arguments],
            cwd=ROOT,
            env=environment,
            text=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )

    def read_until(self, text: str) -> str:
        assert self.process.stdout is not None
        while text not in self.said:
            line = self.process.stdout.readline()
            assert line, self.said
            self.said += line
        return self.said


def test_demo_serves_on_and_a_second_one_adds_an_event(tmp_path: Path) -> None:
    demo = Demo(tmp_path, "--speed", "max")
    try:
        said = demo.read_until("Still serving at")
        first = [line for line in said.splitlines() if line][1]
        found = re.search(r"Seven Marks runs at (http://127\.0\.0\.1:\d+)$", first)
        assert found, said
        signed_in(said)
        home = httpx.get(f"{found[1]}/t/sample-state-championship/")
        assert home.status_code == 200
        assert re.search(r"^Champion: .+, after \d+:\d\d\.$", said, re.M)
        demo.process.send_signal(signal.SIGINT)
        started = time.monotonic()
        assert demo.process.wait(30) == 0
        assert time.monotonic() - started < 15
    finally:
        demo.process.kill()
    again = Demo(tmp_path, "--speed", "max", "--once")
    try:
        said_again = again.read_until("Stopping.")
        assert again.process.wait(30) == 0
        assert password(said_again) == password(said)
        assert "/t/sample-state-championship-2/" in said_again
    finally:
        again.process.kill()


def test_bad_speed_is_one_sentence(tmp_path: Path) -> None:
    demo = Demo(tmp_path, "--speed", "fast")
    demo.read_until("CommandError: SPEED is a number above 0, such as 2, or max.\n")
    assert demo.process.wait(30) == 1


def password(said: str) -> str:
    found = re.search(r"name director, password (\S+)$", said, re.M)
    assert found, said
    return found[1]


def signed_in(said: str) -> None:
    """The printed sign-in is good."""
    found = re.search(r"Sign in as the director at (\S+): name", said)
    assert found, said
    with httpx.Client(follow_redirects=True) as browser:
        page = browser.get(found[1])
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.text)
        assert token, page.text
        form = {"csrfmiddlewaretoken": token[1], "login": "director", "password": password(said)}
        answer = browser.post(page.url, data={**form, "username": "director"})
        assert answer.status_code == 200
        assert "sessionid" in browser.cookies
