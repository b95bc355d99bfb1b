#!/usr/bin/python3
"""Figure 10: NAT on one core and on two, vanilla and milled; on more, by a model.

    bench/experiments/figure10.py [--runs 5] [--plan vanilla,all] [--most 4] [--size 1024]

A queue of the emulated ConnectX for each core (`cores=N`, N_QUEUES -1), frames shared out by Toeplitz hash. A core's figure is
what full bursts take while the other cores run, the NIC's turns apart, of the first queue; the throughput of N cores is N
times that of such a core. So it has in it what cores take from each other in caches and locks, but neither uneven shares of
the flows nor the 100 Gbit/s that the NIC would end at. Beyond two cores throughput is modelled: each loses to each other one
what the second lost to the first, N / (1 + s (N - 1)) times that of one core.
"""
import json
import os

import common
from common import peers, pyplot

FRAMES = 4096


def make(plan, cores, directory):
    """The command of NAT for so many cores, each with a queue."""
    with open(os.path.join(common.HERE, "..", "nf", "nat.click"), encoding="ascii") as file:
        text = file.read()
    assert "N_QUEUES 1," in text
    configuration = os.path.join(directory, "nat.click")
    with open(configuration, "w", encoding="ascii") as file:
        file.write(text.replace("N_QUEUES 1,", "N_QUEUES -1,"))
    if plan == "vanilla":
        return [*peers.build([configuration], plan, None), "-a", "-j", cores]
    return [*peers.build([configuration], f"{plan}:cores={cores}", os.path.join(directory, f"{plan}-{cores}")), "-a"]


def forward(arguments, command, cores, vdev):
    """What a run on so many cores prints."""
    cpus = [arguments.cpu, *(cpu for cpu in range(os.cpu_count()) if cpu != arguments.cpu)][:cores]
    return common.run(["taskset", "-c", ",".join(map(str, cpus)), *common.reports(command, vdev)], arguments.seconds)


def missing(arguments, command, trace):
    """Why there is no second queue; None where there is: of a trace that is played once, each frame comes in once."""
    if os.cpu_count() < 2:
        return "there is one CPU"
    try:
        forward(arguments, command, 2, common.emulated(trace))
        printed = forward(arguments, command, 2, common.emulated(trace, once=1))
    except SystemExit as failure:
        return f"two cores on two queues do not come to an end. {failure}"
    received = json.loads(printed[printed.index("{"):].splitlines()[0])["received"]
    return None if received == FRAMES else f"the two queues received {received} of {FRAMES} frames: not a share each, by hash"


def model(first, second, cores):
    return cores * first / (1 + max(0, 2 * first / second - 1) * (cores - 1))


def measure(arguments):
    hertz = peers.tsc_hertz()
    with common.scratch() as directory:
        trace = common.trace(directory, arguments.size, FRAMES)
        commands = {(plan, cores): make(plan, cores, directory) for plan in arguments.plan for cores in (1, 2)}
        if reason := missing(arguments, commands[arguments.plan[0], 2], trace):
            print(f"THE SECOND QUEUE IS NOT AVAILABLE: {reason}\nOne core is measured, and nothing is modelled.\n")
            commands = {key: command for key, command in commands.items() if key[1] == 1}
        cycles = common.rounds(arguments, {
            key: lambda key=key, command=command: common.burst_cycles(forward(arguments, command, key[1], common.emulated(trace)))
            for key, command in commands.items()})
    rows = [{"plan": plan, "cores": cores, "modelled": False, "cycles_per_packet": c,
             "mpps": {"min": cores * hertz / c["max"] / 1e6, "median": cores * hertz / c["median"] / 1e6,
                      "max": cores * hertz / c["min"] / 1e6}} for (plan, cores), c in cycles.items()]
    for plan in arguments.plan:
        mine = [row["mpps"]["median"] for row in rows if row["plan"] == plan]
        for cores in range(3, arguments.most + 1) if len(mine) == 2 else ():
            rows.append({"plan": plan, "cores": cores, "modelled": True, "mpps": dict.fromkeys(
                ("min", "median", "max"), model(*mine, cores))})
    return rows


def draw(arguments, rows):
    figure, panel = pyplot.subplots(figsize=(8, 4.6))
    for plan in arguments.plan:
        measured, modelled = ([row for row in rows if row["plan"] == plan and row["modelled"] == is_] for is_ in (False, True))
        color = common.COLORS.get(plan)
        panel.errorbar([row["cores"] for row in measured], [row["mpps"]["median"] for row in measured],
                       yerr=common.errors([row["mpps"] for row in measured]), marker="o", capsize=3, color=color,
                       label=f"{common.title(plan)}, measured")
        if modelled:
            line = [measured[-1], *modelled]
            panel.plot([row["cores"] for row in line], [row["mpps"]["median"] for row in line], marker="o", linestyle=":",
                       markerfacecolor="white", color=color, label=f"{common.title(plan)}, MODELLED", zorder=0)
    panel.set_xticks(sorted({row["cores"] for row in rows}))
    panel.set_xlabel("cores, a queue each" if len(rows) > len(arguments.plan) else "cores (a second queue is not available)")
    panel.set_ylabel("million packets/s,\nthe NIC's own time not counted")
    panel.set_ylim(bottom=0)
    panel.grid(alpha=0.3)
    panel.legend(fontsize=8)
    panel.set_title(f"NAT, {arguments.size}-byte frames, emulated ConnectX (no PCIe, no line rate)\nmedian, least and most of "
                    f"{arguments.runs} runs", fontsize=10)
    return figure


def main():
    parser = common.options(__doc__)
    parser.add_argument("--plan", type=common.words, default=["vanilla", "all"], metavar="A,B")
    parser.add_argument("--most", type=int, default=4, help="cores of the model (default 4)")
    parser.add_argument("--size", type=int, default=1024, help="of frames, in bytes (default 1024, as in the paper's appendix)")
    parser.add_argument("--seconds", type=float, default=2, help="of a run, its start included (default 2)")
    arguments = parser.parse_args()
    print(f"NAT, {arguments.size}-byte frames, over an {common.NIC}.{common.pages()}\n")
    rows = measure(arguments)
    print(f"{'plan':12} {'cores':>5} {'cycles/packet of a core':>26} {'Mpps of all':>26}")
    for row in rows:
        cycles = "modelled" if row["modelled"] else common.show(row["cycles_per_packet"])
        print(f"{row['plan']:12} {row['cores']:>5} {cycles:>26} {common.show(row['mpps'], 2):>26}")
    common.save(arguments, "figure10", rows, draw(arguments, rows))


if __name__ == "__main__":
    main()
