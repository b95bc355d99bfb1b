"""What the experiments share: their options, calls of packetmill, where results go, the look of the plots."""
import argparse
import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
import peers  # noqa: E402
from peers import PACKETMILL, spread  # noqa: E402

pyplot.rcParams["figure.constrained_layout.use"] = True

ROOT = os.path.join(HERE, "..", "..")
ROUTER = os.path.join(HERE, "..", "nf", "router.click")

# What callgrind simulates, here and in `packetmill bench --count`: what a processor says of itself may be anything.
LAST_LEVEL = "32 MB"
LAST_LEVEL_OPTION = "--LL=33554432,16,64"

# A colour stands for the same plan, or the same metadata model, in every plot.
COLORS = {"vanilla": "#8c8c8c", "devirtualize": "#c9b458", "constants": "#7fb069", "static-graph": "#4a9c9c",
          "paper-all": "#3d6cb9", "all": "#c0392b",
          "copying": "#c9b458", "overlaying": "#7fb069", "copying+overlaying": "#4a9c9c", "xchange": "#3d6cb9",
          "registers": "#c0392b"}
# What frames come from over `packetmill bench --port mlx5`, as plots call it.
NIC = "emulated ConnectX (mlx5's own queues in memory; no PCIe, no line rate)"
RECEIVES = {"mlx5": "vector, or exchange", "mlx5-scalar": "scalar", "mlx5-beside": "NIC on the other core"}
BURST = 32  # of which an emulated NIC says what they took


def options(text, runs=True):
    """The options that every experiment has, the first two if it measures time; its docstring is the help."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    if runs:
        parser.add_argument("--runs", type=int, default=5, help="runs of each program, after one to warm up (default 5)")
        parser.add_argument("--cpu", type=int, default=os.cpu_count() - 1, help="the CPU to run on (default: the last)")
    parser.add_argument("--output", metavar="DIRECTORY",
                        default=os.path.relpath(os.path.join(ROOT, "build", "bench", "experiments")),
                        help="where the figures and the plot go (default build/bench/experiments)")
    return parser


def title(plan):
    """What a plan is called in a legend."""
    return "interpreted (vanilla)" if plan == "vanilla" else f"milled ({plan})"


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


def trace(directory, size, packets=4096):
    """Frames of one size and 1,000 flows."""
    path = os.path.join(directory, f"trace-{size}.pcap")
    packetmill("traffic", "-o", path, "--seed", 1, "--packets", packets, "--size", size)
    return path


def models():
    """The metadata models that packetmill has, from what it says of one that it has not."""
    asked = subprocess.run([PACKETMILL, "build", "-e", "Idle -> Discard;", "--set", "metadata=none"], capture_output=True,
                           text=True, check=False)
    return re.search(r"metadata is one of (.*)", asked.stderr).group(1).split(", ")


def bench_rows(arguments, files, plans, *more):
    """The rows of `packetmill bench` (docs/bench.md); a port without a function is "(empty)"."""
    with tempfile.TemporaryDirectory() as directory:
        rows = os.path.join(directory, "rows.json")
        packetmill("bench", *files, "--plan", ",".join(plans), "--runs", arguments.runs, "--cpu", arguments.cpu,
                   "--json", rows, *more)
        with open(rows, encoding="utf-8") as file:
            return json.load(file)


def bench(arguments, files, plans, *more):
    """The same by (file, plan), over a port that has one row for each."""
    return {(row["file"], row["plan"]): row for row in bench_rows(arguments, files, plans, *more)}


def emulated(trace_file, **more):
    """EAL's argument for an emulated ConnectX (docs/xchange.md)."""
    return ",".join([f"--vdev=net_mlx5_emulated0,trace={trace_file}", *(f"{key}={value}" for key, value in more.items())])


def reports(program, vdev, *eal):
    """The command of a network function, milled or interpreted, that says at its end what it did and what a burst took."""
    return [*program, "-w", "-h", "FromDPDKDevice.xstats", "--stats=json", "--dpdk", *eal, vdev, "--"]


def run(command, seconds=None):
    """What a command prints, on both streams; it is interrupted after some seconds. Ends the experiment where it fails."""
    limit = [] if seconds is None else ["timeout", "--preserve-status", "--signal=INT", "--kill-after=30", str(seconds)]
    done = subprocess.run([*limit, *map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False)
    if done.returncode != 0:
        sys.exit(f"failed: {' '.join(map(str, command))}\n{done.stdout}")
    return done.stdout


def burst_cycles(printed):
    """Cycles a packet, from what an emulated NIC says of full bursts: receive, network function, transmit."""
    return int(re.search(r"burst_cycles_median:? (\d+)", printed).group(1)) / BURST


def rounds(arguments, measures):
    """What each function returns, by name: they take turns, after a round to warm up."""
    found = {name: [] for name in measures}
    for number in range(arguments.runs + 1):
        progress(f"round {number} of {arguments.runs}")
        for name, measure in measures.items():
            value = measure()
            if number > 0:
                found[name].append(value)
    return {name: spread(values) for name, values in found.items()}


def callgrind(output, toggle, command, *options):
    """Events by name, without those of the functions that `toggle` matches, and what the program printed."""
    # In this order: after --toggle-collect, collection is off at the start, unless the next option says otherwise.
    printed = run(["valgrind", "--tool=callgrind", "--cache-sim=yes", LAST_LEVEL_OPTION, f"--toggle-collect={toggle}",
                   "--collect-atstart=yes", f"--callgrind-out-file={output}", *options, *command])
    with open(output, encoding="ascii") as file:
        text = file.read()
    names, totals = (re.search(rf"^{key}: (.*)$", text, re.M).group(1).split() for key in ("events", "totals"))
    return dict(zip(names, map(int, totals))), printed


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


def pages():
    """A warning for the head of a table, where there are no hugepages."""
    return "" if peers.hugepages() else "\nNO HUGEPAGES: a packet costs up to several times as much over DPDK's ports."


def save(arguments, name, result, figure):
    """NAME.json and NAME.png."""
    os.makedirs(arguments.output, exist_ok=True)
    path = os.path.join(arguments.output, name)
    with open(path + ".json", "w", encoding="ascii") as file:
        json.dump(result, file, indent=2)
    figure.savefig(path + ".png", dpi=120)
    pyplot.close(figure)
    print(f"\nThe figures: {path}.json. As a picture: {path}.png")
