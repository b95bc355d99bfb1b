"""What the experiments share: their options, calls of packetmill, where results go, the look of the plots."""
import argparse
import contextlib
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

pyplot.rcParams["figure.constrained_layout.use"] = True

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
PACKETMILL = os.environ.get("PACKETMILL", os.path.join(ROOT, "build", "packetmill"))
ROUTER = os.path.join(HERE, "..", "nf", "router.click")

# A colour stands for the same plan in every plot.
COLORS = {"vanilla": "#8c8c8c", "devirtualize": "#c9b458", "constants": "#7fb069", "static-graph": "#4a9c9c",
          "paper-all": "#3d6cb9", "all": "#c0392b"}


def options(text):
    """The options that every experiment has; its docstring is the help."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5, help="runs of each program, after one to warm up (default 5)")
    parser.add_argument("--cpu", type=int, default=os.cpu_count() - 1, help="the CPU to run on (default: the last)")
    parser.add_argument("--output", metavar="DIRECTORY",
                        default=os.path.relpath(os.path.join(ROOT, "build", "bench", "experiments")),
                        help="where the figures and the plot go (default build/bench/experiments)")
    return parser


def words(text):
    return text.split(",")


def numbers(text):
    return [int(word) for word in text.split(",")]


def progress(text):
    """A line on a terminal; nothing in a pipe."""
    if sys.stderr.isatty():
        print(text, file=sys.stderr)


def packetmill(*arguments):
    """Runs packetmill; its progress and its errors go where ours go. Ends the experiment where it fails."""
    command = [PACKETMILL, *map(str, arguments)]
    if subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode != 0:
        sys.exit("failed: " + " ".join(command))


def bench(arguments, files, plans, *more):
    """The rows of `packetmill bench` (docs/bench.md), by (file, plan); a port without a function is "(empty)"."""
    with tempfile.TemporaryDirectory() as directory:
        rows = os.path.join(directory, "rows.json")
        packetmill("bench", *files, "--plan", ",".join(plans), "--runs", arguments.runs, "--cpu", arguments.cpu,
                   "--json", rows, *more)
        with open(rows, encoding="utf-8") as file:
            return {(row["file"], row["plan"]): row for row in json.load(file)}


@contextlib.contextmanager
def scratch(**files):
    """A directory for as long as the block runs, with a configuration NAME.click for each NAME=TEXT."""
    with tempfile.TemporaryDirectory() as directory:
        for name, text in files.items():
            with open(os.path.join(directory, f"{name}.click"), "w", encoding="ascii") as file:
                file.write(text)
        yield directory


def show(spread, digits=1):
    return f"{spread['median']:.{digits}f} [{spread['min']:.{digits}f}, {spread['max']:.{digits}f}]"


def errors(spreads):
    """As matplotlib's yerr has it: how far least and most are from the median."""
    return [[s["median"] - s["min"] for s in spreads], [s["max"] - s["median"] for s in spreads]]


def last_level():
    """The size of the last-level cache, which is the one that callgrind simulates."""
    sizes = []
    for path in glob.glob("/sys/devices/system/cpu/cpu0/cache/index*/size"):
        with open(path, encoding="ascii") as file:
            sizes.append(int(re.match(r"\d+", file.read()).group()))
    return f"{max(sizes) / 1024:g} MB" if sizes else "unknown size"


def save(arguments, name, result, figure):
    """NAME.json and NAME.png."""
    os.makedirs(arguments.output, exist_ok=True)
    path = os.path.join(arguments.output, name)
    with open(path + ".json", "w", encoding="ascii") as file:
        json.dump(result, file, indent=2)
    figure.savefig(path + ".png", dpi=120)
    pyplot.close(figure)
    print(f"\nThe figures: {path}.json. As a picture: {path}.png")
