"""Many readers at once: wrk, installed from Debian where it is missing, driven by a small script."""

from __future__ import annotations

import json
import resource
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from tests.services.apt import find_or_install

CONNECTIONS = 32
SCRIPT = """
local known, message = nil, nil
local counts = {}
ok, unchanged, other = 0, 0, 0
local threads = {}

function setup(thread) table.insert(threads, thread) end

function init(args) conditional = args[1] == "conditional" end

function request()
  if message == nil then
    local headers = {["Host"] = "127.0.0.1", ["Accept-Language"] = "en-US,en;q=0.9"}
    if conditional and known then headers["If-None-Match"] = known end
    message = wrk.format("GET", nil, headers)
  end
  return message
end

function response(status, headers, body)
  if status == 200 then ok = ok + 1 elseif status == 304 then unchanged = unchanged + 1 else other = other + 1 end
  local etag = headers["etag"] or headers["ETag"]
  if conditional and etag ~= known then known, message = etag, nil end
end

function done(summary, latency, requests)
  local sums = {ok = 0, unchanged = 0, other = 0}
  for _, thread in ipairs(threads) do
    for name, sum in pairs(sums) do sums[name] = sum + thread:get(name) end
  end
  local errors = summary.errors
  io.write(string.format('{"seconds": %f, "ok": %d, "unchanged": %d, "other": %d, "errors": %d, "p95": %f}\\n',
    summary.duration / 1e6, sums.ok, sums.unchanged, sums.other,
    errors.connect + errors.read + errors.write + errors.timeout, latency:percentile(95) / 1000))
end
"""


@dataclass(frozen=True)
class Load:
    """What wrk saw. `p95` is in milliseconds, `client` the share of one processor that wrk took itself."""

    seconds: float
    ok: int
    unchanged: int
    bad: int
    p95: float
    client: float


def read(url: str, *, seconds: float, conditional: bool = False, connections: int = CONNECTIONS) -> Load:
    """Ask for `url` over and over; `conditional` sends the last ETag back, as a browser does."""
    binary = find_or_install(["wrk"], ["wrk"])
    with tempfile.TemporaryDirectory(prefix="seven-marks-wrk-") as folder:
        script = Path(folder) / "read.lua"
        script.write_text(SCRIPT)
        command = [binary, "-t1", f"-c{connections}", f"-d{seconds:.0f}s", "-s", str(script), url]
        began, used = time.perf_counter(), _children()
        done = subprocess.run(
            [*command, "--", "conditional" if conditional else "plain"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=True,
        )
        share = (_children() - used) / (time.perf_counter() - began)
    seen = json.loads(done.stdout.strip().splitlines()[-1])
    return Load(
        seconds=seen["seconds"],
        ok=seen["ok"],
        unchanged=seen["unchanged"],
        bad=seen["other"] + seen["errors"],
        p95=seen["p95"],
        client=share,
    )


def _children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
