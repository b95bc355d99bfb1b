#!/usr/bin/python3
"""Cache misses of the metadata models: the forwarder over an emulated ConnectX, under callgrind.

    bench/experiments/llc.py [--ll 256,512,...] [--preset all] [--model copying,overlaying,...] [--function forwarder]

The paper counts LLC load-misses of its forwarder with perf, in 100 ms (section 4.2). Here callgrind simulates two levels of
cache, and a packet's misses are those of a longer run less those of a shorter one, so that neither start nor cold caches
are in them. What the emulated NIC does is not counted, but passes through the same caches: as with DDIO, only that it
reaches the first level too. No last level of today is small enough for 64-byte frames to miss, and the paper's misses come
of what DDIO may use of it; hence last levels of several sizes, --ll in KB, 16 ways: how much cache a model wants.
"""
import os
import re

import common
from common import peers, pyplot

SECONDS = (1, 5)  # of the shorter and the longer run
EVENTS = {"l1": ("I1mr", "D1mr", "D1mw"), "ll": ("ILmr", "DLmr", "DLmw"), "ll_loads": ("DLmr",)}


def build(arguments, model, seconds, directory):
    with open(os.path.join(common.HERE, "..", "nf", f"{arguments.function}.click"), encoding="ascii") as file:
        text = file.read() + f"Script(TYPE DRIVER, wait {seconds}s, stop);\n"
    configuration, program = (os.path.join(directory, f"{model}-{seconds}{end}") for end in (".click", ""))
    with open(configuration, "w", encoding="ascii") as file:
        file.write(text)
    return peers.build([configuration], f"{arguments.preset}:metadata={model}", program)


def count(program, size, trace):
    """Events of a run, and its packets."""
    events, printed = common.callgrind(f"{program[0]}.callgrind", "mlx5_emulated_turn",
                                       common.reports(program, common.emulated(trace), "--no-huge", "-m", "512"),
                                       f"--LL={size * 1024},16,64")
    return events, int(re.search(r"rx_good_packets: (\d+)", printed).group(1))


def measure(arguments, model, directory, trace):
    programs = [build(arguments, model, seconds, directory) for seconds in SECONDS]
    for size in arguments.ll:
        common.progress(f"{model}, last level of {size} KB")
        (short, few), (long, many) = (count(program, size, trace) for program in programs)
        yield {"model": model, "ll_kb": size, "packets": many - few,
               "instructions_per_packet": (long["Ir"] - short["Ir"]) / (many - few),
               **{f"{name}_misses_per_packet": sum(long[event] - short[event] for event in events) / (many - few)
                  for name, events in EVENTS.items()}}


def draw(arguments, rows):
    figure, panels = pyplot.subplots(1, 2, figsize=(11, 4.2), gridspec_kw={"width_ratios": [2, 1]})
    for model in arguments.model:
        mine = [row for row in rows if row["model"] == model]
        panels[0].plot([row["ll_kb"] for row in mine], [row["ll_misses_per_packet"] for row in mine], marker="o", label=model,
                       color=common.COLORS.get(model))
        bars = panels[1].bar([model], [mine[0]["l1_misses_per_packet"]], color=common.COLORS.get(model))
        panels[1].bar_label(bars, fmt="%.2f", padding=3)
    panels[0].set_xscale("log", base=2)
    panels[0].set_xticks(arguments.ll, arguments.ll)
    panels[0].set_xlabel("simulated last level (KB)")
    panels[0].set_title("last-level misses/packet (for LLC load-misses)", fontsize=10)
    panels[0].grid(alpha=0.3)
    panels[0].legend()
    panels[1].set_title("first-level misses/packet (for LLC loads)", fontsize=10)
    panels[1].margins(y=0.12)
    panels[1].tick_params(axis="x", rotation=30)
    figure.suptitle(f"{arguments.function}, {arguments.size}-byte frames over an {common.NIC}; caches simulated by callgrind",
                    fontsize=10)
    return figure


def main():
    parser = common.options(__doc__, runs=False)
    parser.add_argument("--ll", type=common.numbers, default=[256, 512, 1024, 2048, 4096, 8192, 32768], metavar="A,B",
                        help="sizes of the last level, in KB: powers of two")
    parser.add_argument("--preset", default="all", help="the plan, but for the metadata (default all)")
    parser.add_argument("--model", type=common.words, metavar="A,B", help="metadata (default: all that there are)")
    parser.add_argument("--function", default="forwarder", help="of bench/nf (default forwarder)")
    parser.add_argument("--size", type=int, default=64, help="of frames, in bytes (default 64)")
    arguments = parser.parse_args()
    arguments.model = arguments.model or common.models()
    rows = []
    print(f"{'metadata':20} {'last level, KB':>14} {'LL misses/packet':>16} {'of loads':>9} {'L1 misses':>9} {'instructions':>12} "
          f"{'packets':>9}")
    with common.scratch() as directory:
        trace = common.trace(directory, arguments.size)
        for model in arguments.model:
            for row in measure(arguments, model, directory, trace):
                rows.append(row)
                print(f"{model:20} {row['ll_kb']:>14} {row['ll_misses_per_packet']:>16.4f} "
                      f"{row['ll_loads_misses_per_packet']:>9.4f} {row['l1_misses_per_packet']:>9.3f} "
                      f"{row['instructions_per_packet']:>12.1f} {row['packets']:>9}", flush=True)
    common.save(arguments, "llc", rows, draw(arguments, rows))


if __name__ == "__main__":
    main()
