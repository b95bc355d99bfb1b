#!/usr/bin/python3
"""Figure 9: WorkPackage and router with one access a packet (N 1, W 4) to S MB of memory.

    bench/experiments/figure9.py [--runs 5] [--s 0,1,2,...] [--plan vanilla,all]

The paper reads LLC loads and their misses from hardware counters, in 100 ms. What stands in for them is simulated by
callgrind, which has no second level: misses of L1 and of the last level, a packet.
"""
import common
import work
from common import pyplot


def draw(arguments, rows):
    figure, panels = pyplot.subplots(3, 1, figsize=(7, 8.5), sharex=True)
    for plan in arguments.plan:
        mine = [row for row in rows if row["plan"] == plan]
        style = {"marker": "o", "markersize": 4, "label": plan, "color": common.COLORS.get(plan)}
        sizes = [row["S"] for row in mine]
        mpps = [row["mpps"] for row in mine]
        panels[0].errorbar(sizes, [m["median"] for m in mpps], yerr=common.errors(mpps), capsize=3, **style)
        panels[1].plot(sizes, [row["ll_misses_per_packet"] for row in mine], **style)
        panels[2].plot(sizes, [row["l1_misses_per_packet"] for row in mine], **style)
    panels[0].set_ylabel("million packets/s of one core")
    panels[1].set_ylabel("LL misses/packet, simulated\n(for LLC load-misses)")
    panels[2].set_ylabel("L1 misses/packet, simulated\n(for LLC loads)")
    panels[2].set_xlabel(f"S: memory accessed (MB); the last-level cache is {common.LAST_LEVEL}")
    for panel in panels:
        panel.set_ylim(bottom=0)
        panel.grid(alpha=0.3)
        panel.legend()
    return figure


def main():
    parser = common.options(__doc__)
    parser.add_argument("--s", type=common.numbers, default=work.MEMORY, metavar="A,B", help="MB of memory")
    parser.add_argument("--plan", type=common.words, default=["vanilla", "all"], metavar="A,B")
    arguments = parser.parse_args()
    found = work.bench(arguments, [(s, 1, 4) for s in arguments.s], arguments.plan, "--count")
    rows = [{"S": point[0], **row} for (point, _), row in found.items()]
    print(f"{'S':>3} {'plan':12} {'cycles/packet':>26} {'Mpps':>24} {'instructions':>12} {'L1 misses':>9} "
          f"{'LL misses':>9}")
    for row in rows:
        print(f"{row['S']:>3} {row['plan']:12} {common.show(row['cycles_per_packet']):>26} "
              f"{common.show(row['mpps'], 2):>24} {row['instructions_per_packet']:>12.1f} "
              f"{row['l1_misses_per_packet']:>9.2f} {row['ll_misses_per_packet']:>9.3f}")
    common.save(arguments, "figure9", rows, draw(arguments, rows))


if __name__ == "__main__":
    main()
