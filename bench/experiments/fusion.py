#!/usr/bin/python3
"""What fusion costs: IP routers with 2, 8 and 32 interfaces, element by element (paper-all) and fused (all).

    bench/experiments/fusion.py [--runs 5] [--interfaces 2,8,32] [--plan paper-all,all]

Fused code is made for one configuration, so it grows with it. Each program is made and measured: the code that the
configuration became (nm), the binary, instructions and instruction-cache misses (callgrind), cycles (packetmill bench), also less
those of as many ports without a router.
"""
import os
import re
import subprocess

import common
from common import pyplot

FRAMES = 1 << 20  # that a run sends at least, of all interfaces together
RING = 4096       # frames of a memory port


def router(count, directory, replays):
    """An IP router; its routing table has as many routes whatever the count, so that a lookup costs the same."""
    with open(os.path.join(common.HERE, "interface.click"), encoding="ascii") as file:
        interface = file.read()
    every = range(count)
    addresses = ", ".join(f"eth{i} 198.18.{i}.1 198.18.{i}.0/24 98:03:9b:33:fe:e2" for i in every)
    own = [f"198.18.{i}.1/32 0" for i in every]
    networks = [f"198.18.{i}.0/24 {i + 1}" for i in every]
    spare = [f"198.19.{i}.0/24 0" for i in range(2 * count, 64)]
    lines = [f"define($REPLAYS {replays});", f"AddressInfo({addresses});", interface,
             "check :: CheckIPHeader(INTERFACES " + " ".join(f"198.18.{i}.1/24" for i in every) + ");",
             "routes :: StaticIPLookup(" + ", ".join(own + networks + spare) + ");",
             "check -> routes;",
             "routes[0] -> protocols :: IPClassifier(icmp type echo, -);",
             "protocols[0] -> ICMPPingResponder -> routes;",
             "protocols[1] -> Discard;"]
    for i in every:
        trace = os.path.join(directory, f"trace-{count}-{i}.pcap")
        lines += [f"side{i} :: Interface({i}, eth{i}, {i + 1}, \"{trace}\");",
                  f"side{i}[0] -> check; side{i}[1] -> routes; routes[{i + 1}] -> side{i};"]
    return "\n".join(lines) + "\n"


def ports(count, directory, replays):
    """As many ports, and nothing between what comes in and what goes out."""
    return "\n".join(f"FromMemory({i}, \"{os.path.join(directory, f'trace-{count}-{i}.pcap')}\", REPLAYS {replays})"
                     f" -> ToMemory({i});" for i in range(count)) + "\n"


def make_traces(count, directory):
    """What an interface receives is for the networks of all others."""
    for i in range(count):
        prefixes = os.path.join(directory, "prefixes")
        with open(prefixes, "w", encoding="ascii") as file:
            file.writelines(f"198.18.{other}.128/26\n" for other in range(count) if other != i)
        common.packetmill("traffic", "-o", os.path.join(directory, f"trace-{count}-{i}.pcap"), "--seed", i + 1,
                          "--packets", RING, "--prefixes", prefixes)


def code_bytes(program):
    """Of the functions that the configuration became: those of, or made for, the generated namespace."""
    symbols = subprocess.run(["nm", "--print-size", "--radix=d", "--demangle", program], capture_output=True, text=True,
                             check=True).stdout
    return sum(int(size) for size, name in re.findall(r"^\d+ (\d+) [tTwW] (.*)$", symbols, re.M) if "milled::" in name)


def counts(program, packets):
    """Instructions and misses of the first instruction cache, a packet: of a run less one that only starts and ends."""
    def of(*arguments):
        return common.callgrind(f"{program}.callgrind", "*FromMemory::turn*", [program, "-w", *arguments])[0]
    whole, start = of(), of("-q")
    return {"instructions_per_packet": (whole["Ir"] - start["Ir"]) / packets,
            "i1_misses_per_packet": (whole["I1mr"] - start["I1mr"]) / packets}


def measure(arguments, count):
    """A row for each plan."""
    replays = max(10, FRAMES // RING // count)
    with common.scratch() as directory:
        make_traces(count, directory)
        files = []
        for make in (router, ports):
            files.append(os.path.join(directory, f"{make.__name__}.click"))
            with open(files[-1], "w", encoding="ascii") as file:
                file.write(make(count, directory, replays))
        timed = common.bench(arguments, files, arguments.plan)
        for plan in arguments.plan:
            common.progress(f"{count} interfaces, {plan}: counting")
            program = os.path.join(directory, plan)
            common.packetmill("build", files[0], "-o", program, "--plan", plan)
            cycles, of_ports = (timed[file, plan]["cycles_per_packet"] for file in files)
            yield {"interfaces": count, "plan": plan, "code_bytes": code_bytes(program),
                   "binary_bytes": os.path.getsize(program),
                   **counts(program, count * replays * RING),
                   "cycles_per_packet": cycles, "port_cycles_per_packet": of_ports,
                   "router_cycles_per_packet": cycles["median"] - of_ports["median"]}


def draw(arguments, rows):
    figure, panels = pyplot.subplots(1, 4, figsize=(15, 3.8))
    metrics = {"code_bytes": "code of the configuration (KB)", "instructions_per_packet": "instructions/packet",
               "i1_misses_per_packet": "I1 misses/packet (simulated)",
               "router_cycles_per_packet": "TSC cycles/packet, less the ports'"}
    for panel, (key, label) in zip(panels, metrics.items()):
        for plan in arguments.plan:
            mine = [row for row in rows if row["plan"] == plan]
            panel.plot([row["interfaces"] for row in mine], [row[key] / (1000 if key == "code_bytes" else 1) for row in mine],
                       marker="o", label=plan, color=common.COLORS.get(plan))
        panel.set_xticks(arguments.interfaces, arguments.interfaces)
        panel.set_xlabel("interfaces")
        panel.set_title(label, fontsize=10)
        panel.set_ylim(bottom=0)
        panel.grid(alpha=0.3)
    panels[0].legend()
    return figure


def main():
    parser = common.options(__doc__)
    parser.add_argument("--interfaces", type=common.numbers, default=[2, 8, 32], metavar="A,B")
    parser.add_argument("--plan", type=common.words, default=["paper-all", "all"], metavar="A,B")
    arguments = parser.parse_args()
    rows = []
    print(f"{'interfaces':>10} {'plan':10} {'code, bytes':>11} {'an interface':>12} {'binary, bytes':>13} {'instructions':>12} "
          f"{'I1 misses':>9} {'cycles/packet':>24} {'less the ports':>14}")
    for count in arguments.interfaces:
        common.progress(f"{count} interfaces")
        for row in measure(arguments, count):
            rows.append(row)
            print(f"{count:>10} {row['plan']:10} {row['code_bytes']:>11} {row['code_bytes'] // count:>12} "
                  f"{row['binary_bytes']:>13} "
                  f"{row['instructions_per_packet']:>12.1f} {row['i1_misses_per_packet']:>9.3f} "
                  f"{common.show(row['cycles_per_packet']):>24} {row['router_cycles_per_packet']:>14.1f}", flush=True)
    common.save(arguments, "fusion", rows, draw(arguments, rows))


if __name__ == "__main__":
    main()
