"""examples/router.click: makes its traces and computes, with Scapy and RFC 1812 alone, what must come out of each wire.

    python3 examples/oracle/router.py        writes examples/traces/router-*.pcap
"""
import os
import random

from frames import ARP, ICMP, IP, START, Ether, Raw, Trace, fresh, tcp, udp

TRACES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "traces")
ROUTER = [("192.0.2.1", "192.0.2.", "02:00:00:00:00:01"), ("198.51.100.1", "198.51.100.", "02:00:00:00:00:02")]
GATEWAY = "198.51.100.254"
MTU = 1500


def mac_of(address):
    """Every host's Ethernet address follows from its IP address."""
    return "02:01:" + ":".join(f"{int(part):02x}" for part in address.split("."))


class Router:
    """What RFC 1812 and RFC 826 ask of the router in examples/router.click."""

    def __init__(self):
        self.out = [Trace(), Trace()]
        self.arp = [{}, {}]
        self.held = [{}, {}]

    def frame(self, side, time, frame):
        address, _, mac = ROUTER[side]
        if frame.type == 0x0806:
            arp = frame[ARP]
            if arp.op == 1 and arp.pdst == address:
                self.out[side].add(time, Ether(dst=arp.hwsrc, src=mac) / ARP(
                    op=2, hwsrc=mac, psrc=address, hwdst=arp.hwsrc, pdst=arp.psrc))
            elif arp.op == 2:
                self.arp[side][arp.psrc] = arp.hwsrc
                for packet in self.held[side].pop(arp.psrc, []):
                    self.out[side].add(time, Ether(dst=arp.hwsrc, src=mac) / packet)
        elif frame.type == 0x0800:
            packet = self.checked(bytes(frame)[14:])
            if packet is not None:
                self.route(time, packet, side, frame)

    def checked(self, data):
        """RFC 1812, 5.2.2: what is not a good IPv4 header goes no further; padding goes too."""
        if len(data) < 20 or data[0] >> 4 != 4 or data[0] % 16 < 5:
            return None
        header, total = data[0] % 16 * 4, int.from_bytes(data[2:4], "big")
        if header > len(data) or total < header or total > len(data):
            return None
        words = sum(int.from_bytes(data[i:i + 2], "big") for i in range(0, header, 2))
        while words > 0xffff:
            words = (words >> 16) + (words & 0xffff)
        packet = IP(data[:total])
        bad = packet.src in ("0.0.0.0", "255.255.255.255", "192.0.2.255", "198.51.100.255")
        return None if words != 0xffff or bad else packet

    def route(self, time, packet, side, frame=None, own=False):
        """`side`: where it came in; `own`: an answer of the router, whose source the outgoing interface gives."""
        destination = packet.dst
        if destination in (ROUTER[0][0], ROUTER[1][0]):
            if packet.proto == 1 and packet.frag == 0 and packet[ICMP].type == 8:
                reply = IP(bytes(packet))
                reply.src, reply.dst, reply.ttl = packet.dst, packet.src, 255  # a new datagram: RFC 1122, 3.2.1.7
                reply[ICMP].type = 0
                self.route(time, fresh(reply), side)
            return
        if destination in ("192.0.2.255", "198.51.100.255"):
            return
        out = next((i for i in (0, 1) if destination.startswith(ROUTER[i][1])), 1)
        hop = destination if destination.startswith(ROUTER[out][1]) else GATEWAY
        if frame is not None and int(frame.dst[:2], 16) & 1:
            return  # a link-layer broadcast is not forwarded (RFC 1812, 5.3.4)
        if frame is not None and out == side:
            self.error(time, packet, out, 5, 1, gateway=hop)
        packet = IP(bytes(packet))
        if own:
            packet.src = ROUTER[out][0]
        if packet.ttl <= 1:
            self.error(time, packet, out, 11, 0)
            return
        packet.ttl -= 1
        packet = fresh(packet)
        if len(packet) <= MTU:
            self.send(time, out, hop, packet)
        elif packet.flags.DF:
            self.error(time, packet, out, 3, 4, mtu=MTU)
        else:
            for fragment in self.fragments(packet):
                self.send(time, out, hop, fragment)

    def fragments(self, packet):
        data, step = bytes(packet)[packet.ihl * 4:], (MTU - 20) // 8 * 8
        for start in range(0, len(data), step):
            part = IP(src=packet.src, dst=packet.dst, ttl=packet.ttl, tos=packet.tos, id=packet.id, proto=packet.proto,
                      frag=packet.frag + start // 8) / Raw(data[start:start + step])
            part.flags = "MF" if start + step < len(data) or packet.flags.MF else 0
            yield IP(bytes(part))

    def error(self, time, packet, side, kind, code, gateway=None, mtu=None):
        """RFC 1812, 4.3.2: as much of the datagram as fits into 576 bytes; none about ICMP errors and later fragments.

        The RFC leaves time-to-live and identification open; Click sends 200 and 0."""
        if packet.frag or (packet.proto == 1 and packet[ICMP].type in (3, 4, 5, 11, 12)):
            return
        icmp = ICMP(type=kind, code=code)
        if gateway:
            icmp.gw = gateway
        if mtu:
            icmp.nexthopmtu = mtu
        message = IP(src=ROUTER[side][0], dst=packet.src, ttl=200, id=0) / icmp / Raw(bytes(packet)[:576 - 28])
        self.route(time, IP(bytes(message)), side, own=True)

    def send(self, time, out, hop, packet):
        address, _, mac = ROUTER[out]
        if hop in self.arp[out]:
            self.out[out].add(time, Ether(dst=self.arp[out][hop], src=mac) / packet)
            return
        if hop not in self.held[out]:
            self.out[out].add(time, Ether(dst="ff:ff:ff:ff:ff:ff", src=mac) / ARP(
                op=1, hwsrc=mac, psrc=address, hwdst="00:00:00:00:00:00", pdst=hop))
        self.held[out].setdefault(hop, []).append(packet)


def traffic(rng):
    """Two wires: hosts that talk across the router, and everything that can be wrong with a packet."""
    wires = [Trace(), Trace()]
    clock = [0.0]

    def put(side, payload, ethertype=0x0800, destination=None):
        source = mac_of(payload.src) if IP in payload else "02:09:00:00:00:01"
        wires[side].add(clock[0], Ether(dst=destination or ROUTER[side][2], src=source, type=ethertype) / payload)
        clock[0] += 0.001

    def announce(side, host):
        put(side, ARP(op=2, hwsrc=mac_of(host), psrc=host, hwdst=ROUTER[side][2], pdst=ROUTER[side][0]), 0x0806)

    # Both wires begin at the same time.
    for side in (0, 1):
        clock[0] = 0.0
        wires[side].add(0.0, Ether(dst="ff:ff:ff:ff:ff:ff", src=mac_of("192.0.2.2" if side == 0 else GATEWAY)) / ARP(
            op=1, hwsrc=mac_of("192.0.2.2" if side == 0 else GATEWAY), psrc="192.0.2.2" if side == 0 else GATEWAY,
            hwdst="00:00:00:00:00:00", pdst=ROUTER[side][0]))
    clock[0] = 0.01
    inside = [f"192.0.2.{n}" for n in range(2, 10)]
    outside = [f"198.51.100.{n}" for n in range(2, 10)]
    far = [f"203.0.113.{n}" for n in range(1, 30)]
    # The first packet to each next hop asks for its address; the answer follows.
    for host in outside:
        put(0, udp(rng, inside[0], host, 20))
        announce(1, host)
    put(0, udp(rng, inside[0], far[0], 20))
    announce(1, GATEWAY)
    for host in inside:
        put(1, udp(rng, far[0], host, 20))
        announce(0, host)
    for _ in range(1500):
        side = rng.randrange(2)
        source = rng.choice(inside) if side == 0 else rng.choice(outside + far)
        target = rng.choice(outside + far) if side == 0 else rng.choice(inside)
        make = rng.choice((udp, tcp))
        put(side, make(rng, source, target, rng.choice((6, 18, 100, 200, 512)), ttl=rng.choice((64, 64, 128, 255, 2))))
    for _ in range(40):
        side = rng.randrange(2)
        source, target = (rng.choice(inside), rng.choice(far)) if side == 0 else (rng.choice(far), rng.choice(inside))
        put(side, udp(rng, source, target, 30, ttl=rng.choice((0, 1))))
        broken = udp(rng, source, target, 30)
        broken.chksum = 0x1234
        put(side, broken)
        put(side, udp(rng, source, target, 30, version=rng.choice((0, 5, 6))))
        short = Raw(bytes(udp(rng, source, target, 30))[:rng.randrange(0, 19)])
        put(side, short)
        put(side, udp(rng, source, target, 30, len=rng.choice((10, 2000))))
        put(side, udp(rng, "255.255.255.255", target, 30))
        put(side, udp(rng, source, target, 30) / Raw(b"\0" * 4), destination="ff:ff:ff:ff:ff:ff")
        put(side, udp(rng, source, target, 1900, flags=rng.choice(("", "DF"))))
        put(side, IP(src=source, dst=rng.choice((ROUTER[0][0], ROUTER[1][0])), id=7) / ICMP(id=1, seq=9) / Raw(b"ping" * 8))
        put(side, udp(rng, source, ROUTER[side][0], 10))
        put(side, udp(rng, source, f"192.0.2.{rng.randrange(2, 10)}" if side == 0 else GATEWAY, 12))
        put(side, Raw(bytes(rng.randrange(256) for _ in range(46))), ethertype=0x88cc)
        put(side, Raw(bytes(udp(rng, source, target, 4)) + b"\xee" * 14))
    return wires


def main():
    wires = traffic(random.Random(1812))
    router = Router()
    both = [(frame.time, side, frame) for side in (0, 1) for frame in wires[side].frames]
    for time, side, frame in sorted(both, key=lambda entry: (entry[0], entry[1])):
        router.frame(side, float(time) - START, frame)
    for side in (0, 1):
        wires[side].write(os.path.join(TRACES, f"router-eth{side}.pcap"))
        router.out[side].write(os.path.join(TRACES, f"router-eth{side}.expected.pcap"))


if __name__ == "__main__":
    main()
