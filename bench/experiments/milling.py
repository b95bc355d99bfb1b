#!/usr/bin/python3
"""How long milling takes: `packetmill build` of the examples under link=objects and link=lto, and how large the binary is.

    bench/experiments/milling.py [--runs 5] [--example router,nat] [--link objects,lto]

One build before, unmeasured, brings what it reads into the page cache. What `make` has built (elements, DPDK, the
precompiled header) is there already, as it is for a user.
"""
import os
import time

import common
from common import pyplot


def mill(example, link, program):
    """Seconds of one build on the experiment's CPU."""
    file = os.path.join(common.ROOT, "examples", f"{example}.click")
    begin = time.monotonic()
    common.packetmill("build", file, "-o", program, "--plan", "all", "--set", f"link={link}")
    return time.monotonic() - begin


def measure(arguments, example, link):
    with common.scratch() as directory:
        program = os.path.join(directory, "program")
        mill(example, link, program)
        seconds = [mill(example, link, program) for _ in range(arguments.runs)]
        return {"example": example, "link": link, "binary_bytes": os.path.getsize(program), "seconds": common.spread(seconds)}


def draw(arguments, rows):
    figure, panel = pyplot.subplots(figsize=(7, 3.8))
    width = 0.8 / len(arguments.link)
    for i, link in enumerate(arguments.link):
        mine = [row["seconds"] for row in rows if row["link"] == link]
        panel.bar([at + i * width for at in range(len(mine))], [s["median"] for s in mine], width,
                  yerr=common.errors(mine), label=f"link={link}")
    panel.set_xticks([at + 0.4 - width / 2 for at in range(len(arguments.example))], arguments.example)
    panel.set_ylabel("seconds of packetmill build, one core")
    panel.legend()
    panel.grid(alpha=0.3, axis="y")
    return figure


def main():
    parser = common.options(__doc__)
    parser.add_argument("--example", type=common.words, default=["forwarder", "router", "ids-router", "nat"], metavar="A,B")
    parser.add_argument("--link", type=common.words, default=["objects", "lto"], metavar="A,B")
    arguments = parser.parse_args()
    os.sched_setaffinity(0, {arguments.cpu})
    rows = []
    print(f"{'example':12} {'link':8} {'seconds':>22} {'binary, bytes':>14}")
    for example in arguments.example:
        for link in arguments.link:
            common.progress(f"{example}, link={link}")
            row = measure(arguments, example, link)
            rows.append(row)
            print(f"{example:12} {link:8} {common.show(row['seconds'], 2):>22} {row['binary_bytes']:>14}", flush=True)
    common.save(arguments, "milling", rows, draw(arguments, rows))


if __name__ == "__main__":
    main()
