#!/usr/bin/python3
"""Figure 8, and two more network functions: IDS + router, vanilla and milled, under every metadata model.

    bench/experiments/figure8.py [--runs 5] [--function router,ids-router,nat] [--plan A,B,...] [--checksums]

The paper has IDS + router alone, vanilla and PacketMill, throughput and median latency over the clock frequency. Here are three
functions of bench/nf over an emulated ConnectX, vanilla and a milled plan for each model that packetmill has; frames of 64
bytes, or --size. For the latency: figure1.py --function ids-router. As in the paper, nobody verifies checksums; with
--checksums everybody does, and each model has a second plan, under which the NIC does it (offloads=nic).
"""
import os

import common
from common import pyplot


def measure(arguments):
    texts = {}
    for name in arguments.function:
        with open(os.path.join(common.HERE, "..", "nf", f"{name}.click"), encoding="ascii") as file:
            texts[name] = file.read().replace("CHECKSUM false", f"CHECKSUM {str(arguments.checksums).lower()}")
    with common.scratch(**texts) as directory:
        files = {os.path.join(directory, f"{name}.click"): name for name in texts}
        rows = common.bench_rows(arguments, files, arguments.plan, "--port", "mlx5", "--seconds", arguments.seconds,
                                 "--trace", common.trace(directory, arguments.size))
    return [{**row, "file": files[row["file"]]} for row in rows if row["file"] in files]


def color(plan):
    return common.COLORS.get(plan.split("metadata=")[-1].split(":")[0], common.COLORS["all"])


def head(arguments):
    checksums = "verified" if arguments.checksums else "not verified"
    return f"{arguments.size}-byte frames, checksums {checksums}, over an {common.NIC}"


def draw(arguments, rows):
    """A panel for each function; how many times as fast as the first plan with the same way of receiving is on its bars."""
    figure, panels = pyplot.subplots(1, len(arguments.function), figsize=(max(9, 1 + 5 * len(arguments.function)), 4.6),
                                     squeeze=False)
    for panel, name in zip(panels[0], arguments.function):
        mine = [row for row in rows if row["file"] == name and row["port"] != "mlx5-beside"]
        cycles = [row["cycles_per_packet"] for row in mine]
        bars = panel.bar(range(len(mine)), [c["median"] for c in cycles], yerr=common.errors(cycles), capsize=3,
                         color=[color(row["plan"]) for row in mine], edgecolor="white",
                         hatch=["///" if row["port"] == "mlx5-scalar" else "" for row in mine])
        panel.bar_label(bars, [f"{row['ratio']['median']:.2f}x" for row in mine], padding=3, fontsize=8)
        panel.set_xticks(range(len(mine)), [row["plan"].replace("all:metadata=", "") for row in mine], rotation=40,
                         ha="right", fontsize=8)
        panel.set_title(name, fontsize=10)
        panel.margins(y=0.12)
    panels[0][0].set_ylabel("TSC cycles/packet")
    figure.suptitle(f"{head(arguments)}\nhatched: its driver's scalar receive function; "
                    f"median, least and most of {arguments.runs} runs", fontsize=9)
    return figure


def main():
    parser = common.options(__doc__)
    parser.add_argument("--function", type=common.words, default=["router", "ids-router", "nat"], metavar="A,B")
    parser.add_argument("--plan", type=common.words, metavar="A,B", help="the first is what the others are compared with")
    parser.add_argument("--checksums", action="store_true", help="of IP, TCP and UDP are verified")
    parser.add_argument("--size", type=int, default=64, help="of frames, in bytes (default 64)")
    parser.add_argument("--seconds", type=float, default=1, help="of a run, its start included (default 1)")
    arguments = parser.parse_args()
    if arguments.plan is None:
        arguments.plan = ["vanilla", *(f"all:metadata={model}{offloads}" for model in common.models()
                                       for offloads in ("", ":offloads=nic")[:1 + arguments.checksums])]
    rows = measure(arguments)
    print(f"{head(arguments)}.{common.pages()}\n")
    print(f"{'function':12} {'plan':38} {'receive':22} {'cycles/packet':>26} {'Mpps':>24} {'times ' + arguments.plan[0]:>20}")
    for row in rows:
        print(f"{row['file']:12} {row['plan']:38} {common.RECEIVES[row['port']]:22} "
              f"{common.show(row['cycles_per_packet']):>26} {common.show(row['mpps'], 2):>24} {common.show(row['ratio'], 2):>20}")
    common.save(arguments, "figure8-checksums" if arguments.checksums else "figure8", rows, draw(arguments, rows))


if __name__ == "__main__":
    main()
