#!/usr/bin/python3
"""Figure 7: what milling gains where each packet costs more: WorkPackage and router, W random numbers and N accesses to
S MB of memory a packet.

    bench/experiments/figure7.py [--runs 5] [--s 0,1,2,...] [--w 0,4,...] [--n 1,5] [--plan all]

The paper's Z axis, the gain, is the colour here, and its colour, the throughput of vanilla, the small number.
"""
import common
import work
from common import pyplot


def draw(arguments, cells):
    figure, panels = pyplot.subplots(1, len(arguments.n), figsize=(1 + 6 * len(arguments.n), 5), squeeze=False,
                                     sharey=True)
    gains = {(cell["S"], cell["N"], cell["W"]): 100 * (cell["ratio"]["median"] - 1) for cell in cells}
    most = max(*gains.values(), 1)
    for panel, n in zip(panels[0], arguments.n):
        image = panel.imshow([[gains[s, n, w] for s in arguments.s] for w in arguments.w], origin="lower",
                             aspect="auto", cmap="YlGnBu", vmin=min(*gains.values(), 0), vmax=most)
        for cell in cells:
            if cell["N"] == n:
                gain = gains[cell["S"], n, cell["W"]]
                place = arguments.s.index(cell["S"]), arguments.w.index(cell["W"])
                style = {"ha": "center", "va": "center", "color": "white" if gain > 0.6 * most else "black"}
                panel.text(*place, f"{gain:+.0f}%\n", fontsize=9, **style)
                panel.text(*place, f"\n{cell['vanilla_mpps']['median']:.1f}", fontsize=7, **style)
        panel.set_xticks(range(len(arguments.s)), arguments.s)
        panel.set_yticks(range(len(arguments.w)), arguments.w)
        panel.set_title(f"N = {n} memory accesses a packet")
        panel.set_xlabel("S: memory accessed (MB)")
    panels[0][0].set_ylabel("W: random numbers a packet")
    figure.colorbar(image, ax=list(panels[0]), label=f"throughput of '{arguments.plan}' over vanilla (%);\n"
                                                     "small: Mpps of vanilla")
    return figure


def main():
    parser = common.options(__doc__)
    parser.add_argument("--s", type=common.numbers, default=work.MEMORY, metavar="A,B", help="MB of memory")
    parser.add_argument("--w", type=common.numbers, default=[0, 4, 8, 12, 16, 20], metavar="A,B",
                        help="random numbers a packet")
    parser.add_argument("--n", type=common.numbers, default=[1, 5], metavar="A,B", help="accesses a packet")
    parser.add_argument("--plan", default="all", help="what is compared with vanilla (default all)")
    arguments = parser.parse_args()
    cells = []
    print(f"{'N':>2} {'W':>3} {'S':>3} {'vanilla, Mpps':>24} {arguments.plan + ', Mpps':>24} {'times vanilla':>20}")
    for n in arguments.n:
        for w in arguments.w:
            common.progress(f"N {n}, W {w}")
            rows = work.bench(arguments, [(s, n, w) for s in arguments.s], ["vanilla", arguments.plan])
            for s in arguments.s:
                vanilla, milled = rows[(s, n, w), "vanilla"], rows[(s, n, w), arguments.plan]
                cells.append({"S": s, "N": n, "W": w, "vanilla_mpps": vanilla["mpps"], "mpps": milled["mpps"],
                              "ratio": milled["ratio"]})
                print(f"{n:>2} {w:>3} {s:>3} {common.show(vanilla['mpps'], 2):>24} "
                      f"{common.show(milled['mpps'], 2):>24} {common.show(milled['ratio'], 2):>20}", flush=True)
    common.save(arguments, "figure7", cells, draw(arguments, cells))


if __name__ == "__main__":
    main()
