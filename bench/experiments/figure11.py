#!/usr/bin/python3
"""Figure 11: forwarders: (a) DPDK's way and X-Change, without PacketMill and with it; (b) the peers that can be had.

    bench/experiments/figure11.py [--runs 5] [--sizes 64,256,...] [--seconds 2] [--plan vanilla,all]

(a) is over an emulated ConnectX, with the driver's vector and scalar receive functions: examples/l2fwd-xchg, l2fwd on rte_mbuf
(its twin there, not DPDK's larger sample), the forwarder interpreted and milled. Cycles are of full bursts. l2fwd swaps two
addresses, the forwarder writes both. (b) is over a port that peers have too, DPDK's null device, and counts everything, the
device included; for what cannot be had there is a line that says why. The paper's clock of 1.2 GHz is this machine's own.
"""
import os
import re
import shutil

import common
from common import peers, pyplot

FORWARDER = os.path.join(common.HERE, "..", "nf", "forwarder.click")
ABSENT = {  # of the paper's Figure 11b
    "BESS": "no Debian package",
    "VPP": "no Debian package",
    "FastClick": f"no Debian package; on a machine without a NIC it took {peers.FUNCTIONS['forwarder'].fastclick} times testpmd's "
                 f"cycles over net_null, its best build {peers.FUNCTIONS['forwarder'].best} times (bench/peers.py)",
    "l2fwd-xchg": "net_null has no descriptors to exchange buffers with: see (a)",
}


def program(name):
    return os.path.join(os.path.dirname(common.PACKETMILL), name)


def l2fwd(arguments, name, vdev):
    memory = ["--in-memory"] if peers.hugepages() else ["--no-huge", "-m", "1024"]
    return common.run([program(name), "-l", arguments.cpu, *memory, "--no-pci", "--no-telemetry", "--log-level=3", vdev, "--",
                       arguments.seconds])


def forwarders(arguments, commands, trace):
    """The measures of (a), by (program, way of receiving)."""
    def exchanging(vdev):
        return lambda: common.burst_cycles(l2fwd(arguments, "l2fwd-xchg", vdev))

    def on_mbufs(vdev):
        return lambda: common.burst_cycles(l2fwd(arguments, "l2fwd", vdev))

    def ours(command, vdev):
        return lambda: common.burst_cycles(common.run(
            ["taskset", "-c", arguments.cpu, *common.reports(command, vdev)], arguments.seconds))
    vdevs = {kind: common.emulated(trace, vector=int(kind == "mlx5")) for kind in ("mlx5", "mlx5-scalar")}
    return {("l2fwd-xchg", "mlx5"): exchanging(vdevs["mlx5"]),  # it receives by neither function of the driver
            **{("l2fwd", kind): on_mbufs(vdev) for kind, vdev in vdevs.items()},
            **{(plan, kind): ours(command, vdev) for plan, command in commands.items() for kind, vdev in vdevs.items()
               if kind == "mlx5" or plan == "vanilla"}}


def others(arguments, commands, hertz):
    """The measures of (b), by program: cycles a packet, the port included."""
    function = peers.FUNCTIONS["forwarder"]
    measures = {plan: lambda command=command: hertz / peers.run_packetmill(command, function, None, arguments.seconds, arguments.cpu)
                for plan, command in commands.items()}
    measures["l2fwd"] = lambda: float(re.search(r"([\d.]+) cycles/packet", l2fwd(arguments, "l2fwd", "--vdev=net_null0")).group(1))
    if shutil.which("dpdk-testpmd"):
        measures["testpmd macswap"] = lambda: hertz / peers.run_testpmd(function, None, arguments.seconds, arguments.cpu)
    else:
        ABSENT["testpmd"] = "dpdk-testpmd is not installed: 'make bench' does that"
    return measures


def draw(arguments, rows, peer_rows):
    def legend(name):
        return common.title(name) if name in arguments.plan else name
    figure, panels = pyplot.subplots(1, 2, figsize=(12, 4.6), gridspec_kw={"width_ratios": [3, 2]})
    colors = {**common.COLORS, "l2fwd": "#7fb069", "l2fwd-xchg": "#3d6cb9", "testpmd macswap": "#c9b458"}
    for name, kind in dict.fromkeys((row["program"], row["port"]) for row in rows):
        mine = [row for row in rows if (row["program"], row["port"]) == (name, kind)]
        cycles = [row["cycles_per_packet"] for row in mine]
        panels[0].errorbar([row["size"] for row in mine], [c["median"] for c in cycles], yerr=common.errors(cycles), marker="o",
                           markersize=4, capsize=3, linestyle="--" if kind == "mlx5-scalar" else "-", color=colors.get(name),
                           label=legend(name) + (", scalar receive" if kind == "mlx5-scalar" else ""))
    panels[0].set_xlabel("frame size (bytes)")
    panels[0].set_title(f"(a) {common.NIC}", fontsize=8)
    panels[0].legend(fontsize=8)
    cycles = [row["cycles_per_packet"] for row in peer_rows]
    bars = panels[1].bar([legend(row["program"]).replace(" ", "\n", 1) for row in peer_rows], [c["median"] for c in cycles],
                         yerr=common.errors(cycles), capsize=3, color=[colors.get(row["program"], "black") for row in peer_rows])
    panels[1].bar_label(bars, fmt="%.1f", padding=3)
    panels[1].set_title(f"(b) DPDK's null device, which is in the figures\nnot here: {', '.join(ABSENT)}", fontsize=8)
    panels[1].margins(y=0.12)
    for panel in panels:
        panel.set_ylabel("TSC cycles/packet")
        panel.set_ylim(bottom=0)
        panel.grid(alpha=0.3, axis="y")
    figure.suptitle(f"Forwarders on one core; median, least and most of {arguments.runs} runs", fontsize=10)
    return figure


def main():
    parser = common.options(__doc__)
    parser.add_argument("--sizes", type=common.numbers, default=[64, 256, 512, 1024, 1500], metavar="A,B")
    parser.add_argument("--plan", type=common.words, default=["vanilla", "all"], metavar="A,B")
    parser.add_argument("--seconds", type=float, default=2, help="of a run, its start included (default 2)")
    arguments = parser.parse_args()
    rows, hertz = [], peers.tsc_hertz()
    print(f"(a) over an {common.NIC}{common.pages()}\n\n{'bytes':>5} {'program':16} {'receive':20} {'cycles/packet':>24}")
    with common.scratch() as directory:
        commands = {plan: peers.build([FORWARDER], plan, os.path.join(directory, plan)) for plan in arguments.plan}
        for size in arguments.sizes:
            for (name, kind), cycles in common.rounds(
                    arguments, forwarders(arguments, commands, common.trace(directory, size))).items():
                rows.append({"size": size, "program": name, "port": kind, "cycles_per_packet": cycles})
                print(f"{size:>5} {name:16} {common.RECEIVES[kind]:20} {common.show(cycles):>24}", flush=True)
        peer_rows = [{"program": name, "port": "net_null", "cycles_per_packet": cycles}
                     for name, cycles in common.rounds(arguments, others(arguments, commands, hertz)).items()]
    print(f"\n(b) over net_null, 64-byte frames\n\n{'program':16} {'cycles/packet':>24} {'Mpps':>8}")
    for row in peer_rows:
        cycles = row["cycles_per_packet"]
        print(f"{row['program']:16} {common.show(cycles):>24} {hertz / cycles['median'] / 1e6:>8.1f}")
    print("\nNot here:\n" + "\n".join(f"  {name}: {reason}" for name, reason in ABSENT.items()))
    common.save(arguments, "figure11", {"a": rows, "b": peer_rows, "absent": ABSENT}, draw(arguments, rows, peer_rows))


if __name__ == "__main__":
    main()
