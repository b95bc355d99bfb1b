"""examples/ids-router.click: a trace with good and bad transport headers, and what must come out.

    python3 examples/oracle/ids_router.py    writes examples/traces/ids-router*.pcap
"""
import os
import random

from frames import ICMP, IP, TCP, UDP, Ether, Raw, Trace, fresh, tcp, udp
from scapy.all import Dot1Q

TRACES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "traces")


def icmp(rng, source, destination, length, ttl=64):
    return IP(src=source, dst=destination, ttl=ttl, id=rng.randrange(65536)) / ICMP(
        type=rng.choice((0, 8)), id=rng.randrange(65536), seq=rng.randrange(65536)) / Raw(
        bytes(rng.randrange(256) for _ in range(length)))


def main():
    rng = random.Random(2)
    trace, expected = Trace(), Trace()

    def leave(time, packet):
        expected.add(time, Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:02", type=0x8100) / Dot1Q(
            vlan=100, type=0x0800) / packet)

    for i in range(600):
        time = i / 1000
        source, destination = f"10.0.0.{rng.randrange(2, 250)}", f"203.0.113.{rng.randrange(1, 250)}"
        make = rng.choice((udp, tcp, icmp))
        packet = IP(bytes(make(rng, source, destination, rng.choice((8, 64, 300)), ttl=rng.choice((64, 64, 64, 1)))))
        good = rng.random() < 0.8
        if not good:
            # One thing is wrong; everything around it is right.
            transport = packet.payload
            wrong = rng.choice(("checksum", "short", "length"))
            if wrong == "checksum" or make is icmp:
                transport.chksum ^= 0x0101
            elif wrong == "short":
                cut = 4 if make is udp else 12
                packet = IP(src=source, dst=destination, ttl=64, proto=packet.proto) / Raw(bytes(transport)[:cut])
                packet = IP(bytes(packet))
            elif make is udp:
                transport.len = transport.len + 50
                transport.chksum = None
            else:
                transport.dataofs = rng.choice((0, 4))
                transport.chksum = None
            packet = IP(bytes(packet))
        trace.add(time, Ether(src="02:0a:00:00:00:01", dst="02:00:00:00:00:01", type=0x0800) / packet)
        if not good:
            continue
        if packet.ttl <= 1:
            if packet.proto != 1 or packet[ICMP].type not in (3, 4, 5, 11, 12):
                error = IP(src="192.0.2.1", dst=source, ttl=200, id=0) / ICMP(type=11) / Raw(bytes(packet)[:576 - 28])
                error = IP(bytes(error))
                error.ttl -= 1
                leave(time, fresh(error))
        else:
            packet.ttl -= 1
            leave(time, fresh(packet))
    trace.write(os.path.join(TRACES, "ids-router.pcap"))
    expected.write(os.path.join(TRACES, "ids-router.expected.pcap"))


if __name__ == "__main__":
    main()
