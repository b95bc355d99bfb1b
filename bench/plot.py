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
    # A port may have kinds (mlx5, mlx5-scalar, ...), and not every plan is measured over each of them.
    kinds = list(dict.fromkeys((row["plan"], row["port"]) for row in rows))
    ports = list(dict.fromkeys(port for _, port in kinds))
    width = 0.8 / len(kinds)
    figure, axes = pyplot.subplots(figsize=(max(6, 0.3 * len(kinds) * len(files)), 4))
    for number, (plan, port) in enumerate(kinds):
        cycles = {row["file"]: row["cycles_per_packet"] for row in rows if (row["plan"], row["port"]) == (plan, port)}
        places = [i + (number - (len(kinds) - 1) / 2) * width for i, name in enumerate(files) if name in cycles]
        spreads = [cycles[name] for name in files if name in cycles]
        bars = axes.bar(places, [c["median"] for c in spreads], width, capsize=3,
                        label=plan if len(ports) == 1 else f"{plan}, {port}",
                        yerr=[[c["median"] - c["min"] for c in spreads], [c["max"] - c["median"] for c in spreads]])
        axes.bar_label(bars, [f"{c['median']:.0f}" for c in spreads], padding=2, fontsize=7)
    axes.set_xticks(range(len(files)), [name.rsplit("/", 1)[-1] for name in files])
    axes.set_ylabel(f"cycles/packet, port {ports[0]}\n(median, least and most of the runs)")
    axes.legend(title="plan", fontsize=7)
    figure.tight_layout()
    figure.savefig(sys.argv[2], dpi=120)


if __name__ == "__main__":
    main()
