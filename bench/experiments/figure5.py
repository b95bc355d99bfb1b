#!/usr/bin/python3
"""Figure 5: metadata models on the forwarder, frames of 64 to 1500 bytes: (a) one port, (b) two ports on one core.

    bench/experiments/figure5.py [--runs 5] [--sizes 64,...] [--preset all] [--model copying,overlaying,...]

A plan for each model, otherwise the same, over emulated ConnectX: mlx5's own queues, or ours under X-Change. The paper varies
the clock, which this cannot: cycles a packet are what a core at any frequency has to spend, memory aside. A second port costs
no second PCIe bus here, so (b) shows what turning from port to port costs, not a second 100 Gbit/s. `registers` is ours. The
paper has its other optimisations off, but LTO on; nearest to that is --preset devirtualize:link=lto.
"""
import os

import common
from common import pyplot

FORWARDER = ("FromDPDKDevice({0}, N_QUEUES 1, BURST 32) -> EtherRewrite(SRC 98:03:9b:33:fe:e2, DST b8:83:03:6f:43:39)"
             " -> ToDPDKDevice({0}, BURST 32);\n")  # bench/nf/forwarder.click, on a port of one's own
KINDS = {"mlx5": "-", "mlx5-scalar": "--"}  # of receiving, and the lines that stand for them


def measure(arguments, size):
    """Rows of one and two ports; of both together, as one core has them."""
    plans = {f"{arguments.preset}:metadata={model}": model for model in arguments.model}
    files = {f"ports{count}": "".join(map(FORWARDER.format, range(count))) for count in (1, 2)}
    with common.scratch(**files) as directory:
        found = common.bench_rows(arguments, [os.path.join(directory, f"{name}.click") for name in files], plans,
                                  "--port", "mlx5", "--seconds", arguments.seconds, "--trace", common.trace(directory, size))
    for row in found:
        name = os.path.basename(row["file"])
        # The emulated NIC tells full bursts of two ports apart only where it has its turns on their thread.
        if name.startswith("ports") and not (name == "ports2.click" and row["port"] == "mlx5-beside"):
            yield {**row, "file": "forwarder", "ports": int(name[5]), "size": size, "model": plans[row["plan"]]}


def draw(arguments, rows):
    figure, panels = pyplot.subplots(2, 2, figsize=(11, 7.5), sharex=True, sharey="row")
    for ports, column in zip((1, 2), panels.T):
        for model in arguments.model:
            for kind, line in KINDS.items():
                mine = [row for row in rows if (row["ports"], row["model"], row["port"]) == (ports, model, kind)]
                if not mine:
                    continue
                label = f"{model}, scalar receive" if kind == "mlx5-scalar" else model
                for panel, key in zip(column, ("cycles_per_packet", "mpps")):
                    panel.errorbar([row["size"] for row in mine], [row[key]["median"] for row in mine],
                                   yerr=common.errors([row[key] for row in mine]), marker="o", markersize=4, capsize=3,
                                   linestyle=line, label=label, color=common.COLORS.get(model))
        column[0].set_title("(a) one port" if ports == 1 else "(b) two ports on one core", fontsize=10)
        column[1].set_xlabel("frame size (bytes)")
    panels[0][0].set_ylabel("TSC cycles/packet")
    panels[1][0].set_ylabel("million packets/s of one core,\nthe NIC's own time not counted")
    panels[0][0].legend(fontsize=8)
    for panel in panels.flat:
        panel.set_ylim(bottom=0)
        panel.grid(alpha=0.3)
    figure.suptitle(f"Forwarder over an {common.NIC}\nmedian, least and most of {arguments.runs} runs", fontsize=10)
    return figure


def main():
    parser = common.options(__doc__)
    parser.add_argument("--sizes", type=common.numbers, default=[64, 128, 256, 512, 800, 1024, 1500], metavar="A,B")
    parser.add_argument("--preset", default="all", help="the plan, but for the metadata (default all)")
    parser.add_argument("--model", type=common.words, metavar="A,B", help="metadata (default: all that there are)")
    parser.add_argument("--seconds", type=float, default=1, help="of a run, its start included (default 1)")
    arguments = parser.parse_args()
    arguments.model = arguments.model or common.models()
    rows = []
    print(f"The forwarder over an {common.NIC}.{common.pages()}\n")
    print(f"{'bytes':>5} {'ports':>5} {'metadata':20} {'receive':22} {'cycles/packet':>24} {'Mpps':>28} "
          f"{'times ' + arguments.model[0]:>20}")
    for size in arguments.sizes:
        common.progress(f"{size} bytes")
        for row in measure(arguments, size):
            rows.append(row)
            print(f"{size:>5} {row['ports']:>5} {row['model']:20} {common.RECEIVES[row['port']]:22} "
                  f"{common.show(row['cycles_per_packet']):>24} {common.show(row['mpps'], 2):>28} "
                  f"{common.show(row['ratio'], 2):>20}", flush=True)
    common.save(arguments, "figure5", rows, draw(arguments, rows))


if __name__ == "__main__":
    main()
