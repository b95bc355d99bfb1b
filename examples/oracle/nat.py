"""examples/nat.click and examples/nat-flow.click: flows from inside, replies and strangers from outside.

    python3 examples/oracle/nat.py           writes examples/traces/nat-*.pcap
"""
import os
import random

from frames import IP, SERVICES, TCP, UDP, Ether, Trace, fresh, tcp, udp

TRACES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "traces")
PUBLIC = "192.0.2.1"


def transport(packet):
    return packet[TCP] if TCP in packet else packet[UDP]


def main():
    """A new flow gets the next port: from 40000 on by the example's pattern, from 1024 on by FlowIPNAT."""
    inside, outside, to_inside, to_outside = run(first_port=40000)
    inside.write(os.path.join(TRACES, "nat-inside.pcap"))
    outside.write(os.path.join(TRACES, "nat-outside.pcap"))
    to_inside.write(os.path.join(TRACES, "nat-inside.expected.pcap"))
    to_outside.write(os.path.join(TRACES, "nat-outside.expected.pcap"))
    run(first_port=1024)[3].write(os.path.join(TRACES, "nat-flow.expected.pcap"))


def run(first_port):
    rng = random.Random(3)
    inside, outside, to_inside, to_outside = Trace(), Trace(), Trace(), Trace()
    forward, back = {}, {}
    hosts = [(f"10.0.0.{rng.randrange(2, 250)}", rng.randrange(1024, 65536)) for _ in range(60)]
    servers = [(f"203.0.113.{n}", port) for n in range(1, 6) for port in SERVICES]
    to = dict(src="02:00:00:00:00:01", dst="02:00:00:00:00:fe", type=0x0800)
    home = dict(src="02:00:00:00:00:02", dst="02:00:00:00:00:0a", type=0x0800)

    for i in range(700):
        time = 0.0 if i == 1 else i / 1000  # both wires begin together
        if i < 2 or rng.random() < 0.6 or not back:
            (source, sport), (destination, dport) = rng.choice(hosts), rng.choice(servers)
            packet = rng.choice((udp, tcp))(rng, source, destination, rng.choice((0, 20, 100)))
            transport(packet).sport, transport(packet).dport = sport, dport
            packet = fresh(IP(bytes(packet)))
            if UDP in packet and rng.random() < 0.2:
                packet[UDP].chksum = 0  # RFC 768: no checksum; it stays none
                packet = IP(bytes(packet))
            (outside if i == 1 else inside).add(time, Ether(src="02:0a:00:00:00:01", dst="02:00:00:00:00:02", type=0x0800) / packet)
            if i == 1:
                continue  # a stranger from outside
            key = (packet.proto, source, sport, destination, dport)
            if key not in forward:
                forward[key] = first_port + len(forward)
                back[(packet.proto, destination, dport, forward[key])] = (source, sport)
            changed = IP(bytes(packet))
            changed.src, transport(changed).sport = PUBLIC, forward[key]
            none = UDP in changed and changed[UDP].chksum == 0
            changed = fresh(changed)
            if none:
                changed[UDP].chksum = 0
                changed = IP(bytes(changed))
            to_outside.add(time, Ether(**to) / changed)
        else:
            known = rng.random() < 0.8
            protocol, server, port, public_port = rng.choice(list(back))
            make = tcp if protocol == 6 else udp
            packet = make(rng, server, PUBLIC, rng.choice((0, 20, 100)))
            transport(packet).sport, transport(packet).dport = port, public_port if known else 50000 + i
            packet = fresh(IP(bytes(packet)))
            outside.add(time, Ether(src="02:00:00:00:00:fe", dst="02:00:00:00:00:01", type=0x0800) / packet)
            if not known:
                continue
            changed = IP(bytes(packet))
            changed.dst, transport(changed).dport = back[(protocol, server, port, public_port)]
            to_inside.add(time, Ether(**home) / fresh(changed))
    return inside, outside, to_inside, to_outside


if __name__ == "__main__":
    main()
