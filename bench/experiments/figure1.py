#!/usr/bin/python3
"""Figure 1: how long the router keeps frames under load, vanilla and milled: the 99th percentile.

    bench/experiments/figure1.py [--runs 5] [--plan all,vanilla] [--load 5,10,...,100] [--port ring|memif]

All of it is `packetmill latency` (docs/bench.md): an open loop, Poisson arrivals, one core for the router and one for the
generator, and shared memory between them for the paper's generator, 100-Gbps link and NICs. 100% is what the first plan
delivers where its port is kept full; so the fastest comes first, and the others are overloaded before it is.
--function ids-router adds the latency that Figure 8 of the paper has.
"""
import json
import os

import common
from common import pyplot


def measure(arguments):
    with common.scratch() as directory:
        rows = os.path.join(directory, "rows.json")
        common.packetmill("latency", os.path.join(common.HERE, "..", "nf", f"{arguments.function}.click"),
                          "--plan", ",".join(arguments.plan), "--port", arguments.port, "--arrivals", "poisson",
                          "--load", ",".join(map(str, arguments.load)), "--seconds", arguments.seconds,
                          "--runs", arguments.runs, "--cpu", arguments.cpu, "--generator-cpu", arguments.generator_cpu,
                          "--json", rows)
        with open(rows, encoding="utf-8") as file:
            return json.load(file)


def draw(arguments, rows):
    figure, panels = pyplot.subplots(1, 2, figsize=(11, 4.2), sharey=True)
    for panel, key, label in zip(panels, ("offered_mpps", "delivered_mpps"), ("offered", "delivered, as in the paper")):
        for plan in arguments.plan:
            mine = [row for row in rows if row["plan"] == plan]
            latencies = [row["p99_us"] for row in mine]
            panel.errorbar([row[key]["median"] for row in mine], [p["median"] for p in latencies],
                           yerr=common.errors(latencies), marker="o", markersize=4, capsize=3, label=common.title(plan),
                           color=common.COLORS.get(plan))
        panel.set_xlabel(f"million packets/s {label}")
        panel.set_xlim(left=0)
        panel.set_yscale("log")
        panel.grid(alpha=0.3, which="both")
        panel.legend()
    panels[0].set_ylabel("99th percentile of latency (us)")
    figure.suptitle(f"{arguments.function}, 64-byte frames, Poisson arrivals over port {arguments.port} (shared memory: no "
                    f"NIC, no wire); median, least and most of {arguments.runs} runs", fontsize=10)
    return figure


def main():
    parser = common.options(__doc__)
    parser.add_argument("--plan", type=common.words, default=["all", "vanilla"], metavar="A,B", help="the fastest first")
    parser.add_argument("--load", type=common.numbers, default=[5, *range(10, 101, 10)], metavar="A,B", help="per cent")
    parser.add_argument("--port", choices=["ring", "memif"], default="ring")
    parser.add_argument("--function", default="router", help="of bench/nf (default router)")
    parser.add_argument("--seconds", type=float, default=1, help="of each load (default 1)")
    parser.add_argument("--generator-cpu", type=int, default=0, help="the generator's CPU (default 0)")
    arguments = parser.parse_args()
    rows = measure(arguments)
    print(f"{arguments.function}: 100% is {rows[0]['capacity_mpps']:.2f} Mpps, what {arguments.plan[0]} delivers over "
          f"{arguments.port}.{common.pages()}\n")
    print(f"{'plan':12} {'load':>5} {'offered Mpps':>12} {'delivered':>10} {'lost':>7} {'p50 us':>9} {'p99 us':>28} "
          f"{'sent late us':>12}")
    for row in rows:
        print(f"{row['plan']:12} {row['load']:>4}% {row['offered_mpps']['median']:>12.2f} "
              f"{row['delivered_mpps']['median']:>10.2f} {row['lost'] / row['offered']:>7.1%} {row['p50_us']['median']:>9.2f} "
              f"{common.show(row['p99_us'], 2):>28} {row['late_p99_us']['median']:>12.2f}")
    common.save(arguments, "figure1" if arguments.function == "router" else f"figure1-{arguments.function}", rows,
                draw(arguments, rows))


if __name__ == "__main__":
    main()
