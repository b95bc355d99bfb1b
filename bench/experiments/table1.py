#!/usr/bin/python3
"""Table 1 and Figure 4: the router under the paper's five scenarios, and `all`, which is ours.

    bench/experiments/table1.py [--runs 5] [--plan vanilla,devirtualize,constants,static-graph,paper-all,all]

The paper reads hardware counters and turns the processor's clock. What stands in for them: misses and instructions are
counted by callgrind, which simulates two levels of cache; cycles are those of the time-stamp counter, at one frequency.
"""
import common
from common import pyplot

PLANS = ["vanilla", "devirtualize", "constants", "static-graph", "paper-all", "all"]
PAPER = {"vanilla": 8.66, "devirtualize": 9.05, "constants": 9.12, "static-graph": 10.16, "paper-all": 10.41}  # Mpps


def table(rows):
    """The metrics of Table 1, a line each, in what stands in for them."""
    def of(key, digits):
        return lambda row: f"{row[key]:.{digits}f}"
    metrics = [
        ("L1 misses/packet (for LLC loads)", of("l1_misses_per_packet", 3)),
        ("LL misses/packet (for LLC load-misses)", of("ll_misses_per_packet", 4)),
        ("Instructions/packet", of("instructions_per_packet", 1)),
        ("Instructions per TSC cycle (for IPC)",
         lambda row: f"{row['instructions_per_packet'] / row['cycles_per_packet']['median']:.2f}"),
        ("TSC cycles/packet", lambda row: f"{row['cycles_per_packet']['median']:.1f}"),
        ("  least to most", lambda row: "{min:.1f}-{max:.1f}".format(**row["cycles_per_packet"])),
        ("Million packets per second", lambda row: f"{row['mpps']['median']:.2f}"),
        ("Times vanilla", lambda row: f"{row['ratio']['median']:.2f}"),
        ("  least to most", lambda row: "{min:.2f}-{max:.2f}".format(**row["ratio"])),
        ("  the paper's (100 Gbps NIC, 3 GHz)",
         lambda row: f"{PAPER[row['plan']] / PAPER['vanilla']:.2f}" if row["plan"] in PAPER else ""),
    ]
    yield f"{'':40}" + "".join(f"{row['plan']:>14}" for row in rows)
    for name, metric in metrics:
        yield f"{name:40}" + "".join(f"{metric(row):>14}" for row in rows)


def draw(rows):
    plans = [row["plan"] for row in rows]
    colors = [common.COLORS.get(plan, "black") for plan in plans]
    figure, panels = pyplot.subplots(1, 3, figsize=(13, 4.4))

    cycles = [row["cycles_per_packet"] for row in rows]
    bars = panels[0].bar(plans, [c["median"] for c in cycles], yerr=common.errors(cycles), capsize=3, color=colors)
    panels[0].bar_label(bars, [f"{row['ratio']['median']:.2f}x" for row in rows], padding=3)
    panels[0].set_title("TSC cycles/packet, and times as fast\n(for throughput over clock frequency)", fontsize=10)

    bars = panels[1].bar(plans, [row["instructions_per_packet"] for row in rows], color=colors)
    panels[1].bar_label(bars, fmt="%.0f", padding=3)
    panels[1].set_title("Instructions/packet\n(callgrind)", fontsize=10)

    places = range(len(rows))
    for offset, key, label, hatch in ((-0.2, "l1_misses_per_packet", "L1 (for LLC loads)", ""),
                                      (0.2, "ll_misses_per_packet", "LL (for LLC load-misses)", "///")):
        bars = panels[2].bar([place + offset for place in places], [row[key] for row in rows], 0.4, color=colors,
                             hatch=hatch, edgecolor="white", label=label)
        panels[2].bar_label(bars, [f"{row[key]:.2g}" for row in rows], padding=3, fontsize=8)
    panels[2].set_xticks(places, plans)
    panels[2].set_title(f"Simulated cache misses/packet\n(callgrind; LL is {common.LAST_LEVEL})", fontsize=10)
    panels[2].legend(fontsize=8)
    for panel in panels:
        panel.tick_params(axis="x", rotation=30)
        panel.margins(y=0.15)
    return figure


def main():
    parser = common.options(__doc__)
    parser.add_argument("--plan", type=common.words, default=PLANS, metavar="A,B",
                        help="the first is what the others are compared with")
    arguments = parser.parse_args()
    found = common.bench(arguments, [common.ROUTER], arguments.plan, "--count")
    rows = [row for (file, _), row in found.items() if file == common.ROUTER]
    print(f"The router, 64-byte frames over the memory port, {arguments.runs} runs. Misses are simulated: callgrind, "
          f"a last level of {common.LAST_LEVEL}.\n")
    print("\n".join(table(rows)))
    common.save(arguments, "table1", rows, draw(rows))


if __name__ == "__main__":
    main()
