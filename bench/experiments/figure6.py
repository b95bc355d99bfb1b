#!/usr/bin/python3
"""Figure 6: the router and frames of 64 to 1500 bytes.

    bench/experiments/figure6.py [--runs 5] [--sizes 64,128,...] [--plan vanilla,paper-all,all] [--port memory|net_pcap]

Throughput is what one core can do, in packets and in bits of frames: no NIC and no PCIe bus bounds it, so that nothing
bends the curves at 800 bytes as it does in the paper.
"""
import common
from common import pyplot


def measure(arguments, size):
    with common.scratch() as directory:
        found = common.bench(arguments, [common.ROUTER], arguments.plan, "--port", arguments.port, "--trace",
                             common.trace(directory, size))
    for (file, _), row in found.items():
        if file == common.ROUTER:
            yield {"size": size, **row, "gbps": {key: mpps * size * 8 / 1000 for key, mpps in row["mpps"].items()}}


def draw(arguments, rows):
    figure, panels = pyplot.subplots(1, 2, figsize=(11, 4.2))
    for panel, key, label in zip(panels, ("gbps", "mpps"), ("Gbit/s of one core", "million packets/s of one core")):
        for plan in arguments.plan:
            mine = [row for row in rows if row["plan"] == plan]
            panel.errorbar([row["size"] for row in mine], [row[key]["median"] for row in mine],
                           yerr=common.errors([row[key] for row in mine]), marker="o", markersize=4, capsize=3,
                           label=plan, color=common.COLORS.get(plan))
        panel.set_xlabel("frame size (bytes)")
        panel.set_ylabel(label)
        panel.set_ylim(bottom=0)
        panel.grid(alpha=0.3)
        panel.legend()
    figure.suptitle(f"Router, port {arguments.port}: median, least and most of {arguments.runs} runs", fontsize=10)
    return figure


def main():
    parser = common.options(__doc__)
    parser.add_argument("--sizes", type=common.numbers, default=[64, 128, 256, 512, 800, 1024, 1500], metavar="A,B",
                        help="of frames, in bytes, with their check sequence")
    parser.add_argument("--plan", type=common.words, default=["vanilla", "paper-all", "all"], metavar="A,B")
    parser.add_argument("--port", choices=["memory", "net_pcap"], default="memory")
    arguments = parser.parse_args()
    rows = []
    print(f"{'bytes':>5} {'plan':12} {'Mpps':>24} {'Gbit/s':>26} {'times ' + arguments.plan[0]:>20}")
    for size in arguments.sizes:
        common.progress(f"{size} bytes")
        for row in measure(arguments, size):
            rows.append(row)
            print(f"{size:>5} {row['plan']:12} {common.show(row['mpps'], 2):>24} {common.show(row['gbps']):>26} "
                  f"{common.show(row['ratio'], 2):>20}", flush=True)
    common.save(arguments, "figure6", rows, draw(arguments, rows))


if __name__ == "__main__":
    main()
