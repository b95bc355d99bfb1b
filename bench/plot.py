#!/usr/bin/env python3
"""Draws what `packetmill bench --json` wrote: bars of cycles per packet, by configuration and plan.

    bench/plot.py ROWS.json PICTURE.png
"""
import json
import sys

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        rows = json.load(file)
    files = list(dict.fromkeys(row["file"] for row in rows))
    plans = list(dict.fromkeys(row["plan"] for row in rows))
    width = 0.8 / len(plans)
    figure, axes = pyplot.subplots(figsize=(max(6, 2 * len(files)), 4))
    for number, plan in enumerate(plans):
        cycles = [row["cycles_per_packet"] for row in rows if row["plan"] == plan]
        bars = axes.bar([i + (number - (len(plans) - 1) / 2) * width for i in range(len(files))],
                        [c["median"] for c in cycles], width, capsize=3, label=plan,
                        yerr=[[c["median"] - c["min"] for c in cycles], [c["max"] - c["median"] for c in cycles]])
        axes.bar_label(bars, [f"{c['median']:.0f}" for c in cycles], padding=2, fontsize=7)
    axes.set_xticks(range(len(files)), [name.rsplit("/", 1)[-1] for name in files])
    axes.set_ylabel(f"cycles/packet, port {rows[0]['port']}\n(median, least and most of the runs)")
    axes.legend(title="plan")
    figure.tight_layout()
    figure.savefig(sys.argv[2], dpi=120)


if __name__ == "__main__":
    main()
