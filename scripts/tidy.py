#!/usr/bin/python3
"""Runs clang-tidy over the files of ours in build/compile_commands.json, last changed first, within a time budget.

A file that was found clean is not looked at again until it, a header of ours that it includes, or .clang-tidy changes.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
CACHE = pathlib.Path(
    os.environ.get("PACKETMILL_CACHE")
    or pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "packetmill"
) / "tidy"
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)


def closure(path, seen):
    """The files of ours that `path` is made of."""
    if path in seen or not path.exists():
        return seen
    seen.add(path)
    for name in INCLUDE.findall(path.read_text(errors="replace")):
        closure(ROOT / name, seen)
    return seen


def fingerprint(path):
    digest = hashlib.sha256((ROOT / ".clang-tidy").read_bytes())
    for part in sorted(closure(path, set())):
        digest.update(str(part.relative_to(ROOT)).encode() + b"\0" + part.read_bytes())
    return digest.hexdigest()


def by_last_change(files):
    """Uncommitted changes first, then as the history has them."""
    git = ["git", "-C", ROOT]
    names = subprocess.run([*git, "diff", "--name-only", "HEAD"], capture_output=True, text=True).stdout.split()
    names += subprocess.run([*git, "log", "-n", "300", "--format=", "--name-only"], capture_output=True, text=True).stdout.split()
    rank = {}
    for name in names:
        rank.setdefault(ROOT / name, len(rank))
    return sorted(files, key=lambda file: (rank.get(file, len(rank)), file))


def check(path, deadline):
    """True: clean. False: not. None: no time left."""
    stamp = CACHE / fingerprint(path)
    if stamp.exists():
        return True
    if time.monotonic() > deadline:
        return None
    result = subprocess.run(
        ["clang-tidy-19", "-p", BUILD, "--quiet", "--warnings-as-errors=*", path], capture_output=True, text=True
    )
    if result.returncode == 0:
        stamp.touch()
        return True
    print(result.stdout, result.stderr, sep="", flush=True)
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=240, help="start no further file after this time")
    parser.add_argument("--tests", action="store_true", help="the tests' files too: they take a minute each")
    arguments = parser.parse_args()
    CACHE.mkdir(parents=True, exist_ok=True)
    commands = json.loads((BUILD / "compile_commands.json").read_text())
    files = {pathlib.Path(command["file"]) for command in commands}
    files = [file for file in files if file.is_relative_to(ROOT) and not file.is_relative_to(BUILD) and file.exists()]
    files = by_last_change(file for file in files if arguments.tests or not file.name.endswith("_test.cc"))
    deadline = time.monotonic() + arguments.seconds
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda file: check(file, deadline), files))
    unchecked = results.count(None)
    print(f"clang-tidy: {results.count(True)} of {len(files)} files clean"
          + (f"; {unchecked} not looked at within {arguments.seconds:.0f} s" if unchecked else ""))
    sys.exit(1 if False in results else 0)


if __name__ == "__main__":
    main()
