"""
How does a server bear up under many bots for a while? Starts one on loopback, runs locust on it.

Bounded in users and time; exits with 1 when a bound of `locustfile` is missed, 2 for a wrong
option.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from loadtest.server import serving

BIN = Path(sys.executable).parent
MOST_USERS, MOST_SECONDS = 200, 600


def main() -> int:
    """Run the load and return how the program exits."""
    parser = argparse.ArgumentParser(prog="make load", description="Load a server on loopback.")
    parser.add_argument("--users", type=int, default=20, help="bots that play at once [20]")
    parser.add_argument("--seconds", type=int, default=30, help="how long they play [30]")
    parser.add_argument("--store", default="", help="memory or sqlite:FILE [sqlite]")
    asked = parser.parse_args()
    if not (1 <= asked.users <= MOST_USERS and 1 <= asked.seconds <= MOST_SECONDS):
        parser.error(f"1 to {MOST_USERS} users and 1 to {MOST_SECONDS} seconds are allowed")
    with tempfile.TemporaryDirectory() as folder:
        store = asked.store or f"sqlite:{folder}/journal.sqlite"
        with serving(Path(folder), store) as server:
            return locust(asked.users, asked.seconds, server.address, server.key)


def locust(users: int, seconds: int, address: str, key: str) -> int:
    """Run locust without its page; return its exit code."""
    command = [f"{BIN}/locust", "--locustfile", str(Path(__file__).with_name("locustfile.py"))]
    bounds = ["--users", str(users), "--spawn-rate", str(users), "--run-time", f"{seconds}s"]
    quiet = ["--headless", "--only-summary", "--loglevel", "WARNING"]
    env = {**os.environ, "LASTCARD_ADDRESS": address, "LASTCARD_KEY": key}
    return subprocess.run([*command, *bounds, *quiet], check=False, env=env).returncode


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
