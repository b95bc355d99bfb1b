#!/usr/bin/env python3
"""The five network functions of bench/nf beside dpdk-testpmd: the same port, one pinned core, runs that take turns.

    bench/peers.py [--plan vanilla,all] [--runs 5] [--seconds 2] [--core 1] [--json FILE] [--plot FILE] [NF ...]

The figure that carries from machine to machine is the ratio: cycles per packet (of the time-stamp counter) over those of
testpmd's macswap on the same port in the same round. A round is one run of testpmd and, under each plan, one of the
network function and one of an empty forward over the same port, so a machine that slows down slows down all. What a
packet costs less what it costs in the empty forward is the network function's own part.
"""
import argparse
import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import typing

HERE = os.path.dirname(os.path.abspath(__file__))
PACKETMILL = os.environ.get("PACKETMILL", os.path.join(HERE, "..", "build", "packetmill"))


class Function(typing.NamedTuple):
    """A network function, and what it is measured with."""
    port: str  # what FastClick was measured on
    fastclick: float | None  # its own multiple of testpmd's macswap there, interpreted, which our interpreter must not exceed
    best: float | None = None  # the same of its best specialised build
    flows: int = 1000
    packets: int = 4096
    start: float = 1.5  # seconds after which both sides run
    parameters: tuple = ()  # of the configuration


FUNCTIONS = {
    "forwarder": Function("net_null", 2.2, 1.09),
    "router": Function("net_pcap", 3.5, 2.8),
    "ids-router": Function("net_pcap", 5.2, 4.5),
    "nat": Function("net_pcap", 7.5),
    "nat-pool": Function("net_pcap", None, flows=1_000_000, packets=2_000_000, start=20,
                         parameters=("BUFFERS=2100000",)),
    "workpackage": Function("net_null", 3.2, 2.5),
}
MOST_PACKETS = 10_000  # of what is measured by default


def write_trace(path, function):
    subprocess.run([PACKETMILL, "traffic", "-o", path, "--seed", "1", "--size", "64", "--packets", str(function.packets),
                    "--flows", str(function.flows)], check=True)


def vdev(port, trace):
    return "net_null0" if port == "net_null" else f"net_pcap0,rx_pcap={trace},infinite_rx=1"


def tsc_hertz():
    """The kernel's measurement of the time-stamp counter."""
    log = subprocess.run(["dmesg"], capture_output=True, text=True, check=False).stdout
    found = re.findall(r"tsc: (?:Refined TSC clocksource calibration|Detected) ?:? ?([\d.]+) MHz", log)
    if found:
        return float(found[-1]) * 1e6
    with open("/proc/cpuinfo", encoding="ascii") as cpuinfo:
        return float(re.search(r"cpu MHz\s*:\s*([\d.]+)", cpuinfo.read()).group(1)) * 1e6


def hugepages():
    """Whether there are free ones: without them testpmd takes four times the cycles, and every ratio flatters us."""
    with open("/proc/meminfo", encoding="ascii") as meminfo:
        return int(re.search(r"HugePages_Free:\s*(\d+)", meminfo.read()).group(1)) >= 256


def run_testpmd(function, trace, seconds, core):
    """Packets per second that testpmd's macswap forwards on one core."""
    other = 0 if core else 1
    memory = ["--in-memory"] if hugepages() else ["--no-huge", "-m", "1024"]  # as packetmill chooses
    command = ["dpdk-testpmd", "-l", f"{other},{core}", "--main-lcore", str(other), *memory, "--no-pci", "--no-telemetry",
               "--log-level=3", f"--vdev={vdev(function.port, trace)}", "--", f"--total-num-mbufs={function.packets + 28672}", "--forward-mode=macswap", "--burst=32", "--no-lsc-interrupt", "-i", "--port-topology=loop"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def say(line):
        process.stdin.write(line + "\n")
        process.stdin.flush()
        return time.monotonic()

    time.sleep(function.start)
    start = say("start")
    time.sleep(seconds)
    end = say("stop")
    say("quit")
    output, _ = process.communicate(timeout=30)
    totals = re.findall(r"RX-packets:\s*(\d+)\s+RX-dropped", output)
    if not totals:
        raise RuntimeError("dpdk-testpmd: " + " ".join(command) + "\n" + output)
    return int(totals[-1]) / (end - start)


def empty(function):
    """From the port to itself, which is what the port costs, as words of a command."""
    return ["-e", f"DPDKInfo(NB_SOCKET_MBUF {function.packets + 8192});"
            "FromDPDKDevice(0, N_QUEUES 1, BURST 32) -> ToDPDKDevice(0, BURST 32)"]


def build(configuration, plan, program):
    """The command of a network function, milled under a plan; of the interpreter, for the plan `vanilla`."""
    if plan == "vanilla":
        return [PACKETMILL, "run", *configuration]
    preset, *choices = plan.split(":")
    command = [PACKETMILL, "build", *configuration, "-o", program, "--plan", preset]
    for choice in choices:
        command += ["--set", choice]
    subprocess.run(command, check=True)
    return [program]


def run_packetmill(program, function, trace, seconds, core):
    """Packets per second that the network function forwards on one core."""
    command = ["taskset", "-c", str(core), *program, "--stats=json", "--dpdk", f"--vdev={vdev(function.port, trace)}", "--"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    time.sleep(seconds + function.start)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    try:
        stats = json.loads(errors[errors.index("{"):])
    except ValueError as error:
        raise RuntimeError(f"{' '.join(command)}:\n{errors}") from error
    return stats["received"] / stats["seconds"]


def spread(values):
    return {"min": min(values), "median": statistics.median(values), "max": max(values)}


def measure(name, arguments, hertz, directory):
    """One row for each plan; a round has a run of testpmd and one of each."""
    function = FUNCTIONS[name]
    trace = os.path.join(directory, "trace.pcap")
    write_trace(trace, function)
    programs = {plan: (build([os.path.join(HERE, "nf", f"{name}.click"), *function.parameters], plan, os.path.join(directory, f"{name}-{plan}")),
                       build(empty(function), plan, os.path.join(directory, f"empty-{plan}")))
                for plan in arguments.plan}
    peer, ours, alone = [], {plan: [] for plan in programs}, {plan: [] for plan in programs}
    for round_number in range(arguments.runs + 1):
        if sys.stderr.isatty():
            print(f"\r{name}: round {round_number} of {arguments.runs}  ", end="", file=sys.stderr)
        reference = run_testpmd(function, trace, arguments.seconds, arguments.core)
        for plan, commands in programs.items():
            rate, port_rate = (run_packetmill(words, function, trace, arguments.seconds, arguments.core)
                               for words in commands)
            if round_number > 0:  # the first one warms up
                ours[plan].append(hertz / rate)
                alone[plan].append(hertz / rate - hertz / port_rate)
        if round_number > 0:
            peer.append(hertz / reference)
    if sys.stderr.isatty():
        print("\r" + " " * 60 + "\r", end="", file=sys.stderr)
    return [{"name": name, "plan": plan, "port": function.port, "flows": function.flows, "testpmd": spread(peer), "cycles_per_packet": spread(cycles), "function": spread(alone[plan]),
             "mpps": spread([hertz / c / 1e6 for c in cycles]),
             "ratio": spread([a / b for a, b in zip(cycles, peer)]), "fastclick": function.fastclick if plan == "vanilla" else function.best}
            for plan, cycles in ours.items()]


def plot(rows, path):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(figsize=(9, 4))
    names = list(dict.fromkeys(row["name"] for row in rows))
    plans = list(dict.fromkeys(row["plan"] for row in rows))
    width = 0.8 / (len(plans) + 1)

    def places(number):
        return [i + (number - len(plans) / 2) * width for i in range(len(names))]
    axes.bar(places(0), [FUNCTIONS[name].fastclick or 0 for name in names], width, color="silver",
             label="FastClick, interpreted (its own measurement)")
    for i, name in enumerate(names):
        if FUNCTIONS[name].best:
            axes.hlines(FUNCTIONS[name].best, places(0)[i] - width / 2, places(0)[i] + width / 2, color="black",
                        label="FastClick, its best build" if i == 0 else None)
    for number, plan in enumerate(plans, 1):
        ratios = [row["ratio"] for row in rows if row["plan"] == plan]
        errors = [[r["median"] - r["min"] for r in ratios], [r["max"] - r["median"] for r in ratios]]
        axes.bar(places(number), [r["median"] for r in ratios], width, yerr=errors, capsize=3,
                 label="PacketMill, interpreted" if plan == "vanilla" else f"PacketMill, milled: {plan}")
    axes.axhline(1, color="gray", linewidth=0.8)
    axes.set_xticks(range(len(names)), [f"{name}\n{FUNCTIONS[name].port}" for name in names])
    axes.set_ylabel("cycles/packet, as a multiple of\ntestpmd macswap on the same port")
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=120)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("functions", nargs="*", metavar="NF", help=", ".join(FUNCTIONS) + "; all of them by default but nat-pool, whose million flows take minutes and 3000 hugepages")
    parser.add_argument("--plan", type=lambda text: text.split(","), default=["vanilla", "all"], metavar="A,B",
                        help="plans of packetmill build; vanilla is the interpreter (default vanilla,all)")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--core", type=int, default=os.cpu_count() - 1)
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--plot", metavar="FILE", help="a PNG")
    arguments = parser.parse_args()
    if unknown := set(arguments.functions) - set(FUNCTIONS):
        parser.error("no such network function: " + ", ".join(sorted(unknown)))
    if shutil.which("dpdk-testpmd") is None:
        sys.exit("dpdk-testpmd is not installed: 'make bench' does that")
    hertz = tsc_hertz()
    rows = []
    with tempfile.TemporaryDirectory() as directory:
        if not hugepages():
            print("NO HUGEPAGES: testpmd is several times slower without them, and the ratios mean little.\n"
                  "As root: echo 512 > /proc/sys/vm/nr_hugepages\n")
        print(f"TSC {hertz / 1e9:.2f} GHz, 64-byte frames, core {arguments.core}, "
              f"{arguments.runs} rounds of {arguments.seconds:g} s after one to warm up; median [min, max]\n")
        print(f"{'':12} {'plan':9} {'port':9} {'Mpps':>18} {'cycles/packet':>24} {'less the port':>24} {'testpmd macswap':>22} {'ratio':>20} {'FastClick':>9}")
        for name in arguments.functions or [n for n, f in FUNCTIONS.items() if f.packets < MOST_PACKETS]:
            for row in measure(name, arguments, hertz, directory):
                rows.append(row)

                def show(key, digits):
                    s = row[key]
                    return f"{s['median']:.{digits}f} [{s['min']:.{digits}f}, {s['max']:.{digits}f}]"
                print(f"{name:12} {row['plan']:9} {row['port']:9} {show('mpps', 1):>18} {show('cycles_per_packet', 1):>24} "
                      f"{show('function', 1):>24} {show('testpmd', 1):>22} {show('ratio', 2):>20} {row['fastclick'] or '':>9}", flush=True)
    if arguments.json:
        with open(arguments.json, "w", encoding="ascii") as file:
            json.dump(rows, file, indent=2)
    if arguments.plot:
        plot(rows, arguments.plot)


if __name__ == "__main__":
    main()
