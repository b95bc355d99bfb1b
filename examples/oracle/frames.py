"""What the oracles share: frames in time, and reading and writing traces. Scapy alone makes and understands packets."""
import random

from scapy.all import ARP, ICMP, IP, TCP, UDP, Ether, PcapNgReader, RawPcapReader, Raw, wrpcap  # noqa: F401

START = 1_000_000_000.0
# Echo, daytime and chargen (RFC 862, 867, 864), whose data may be anything: no analyser finds fault with ours.
SERVICES = (7, 13, 19)


class Trace:
    """Frames of one wire, each at its time."""

    def __init__(self):
        self.frames = []

    def add(self, time, frame):
        frame = Ether(bytes(frame))
        frame.time = START + time
        self.frames.append(frame)

    def write(self, path):
        wrpcap(path, sorted(self.frames, key=lambda frame: frame.time), linktype=1)


def udp(rng, source, destination, length, ttl=64, **fields):
    """A UDP packet with `length` bytes of data."""
    data = bytes(rng.randrange(256) for _ in range(length))
    return IP(src=source, dst=destination, ttl=ttl, id=rng.randrange(65536), **fields) / UDP(
        sport=rng.randrange(1024, 65536), dport=rng.choice(SERVICES)) / data


def tcp(rng, source, destination, length, ttl=64, flags="A", **fields):
    data = bytes(rng.randrange(256) for _ in range(length))
    return IP(src=source, dst=destination, ttl=ttl, id=rng.randrange(65536), **fields) / TCP(
        sport=rng.randrange(1024, 65536), dport=rng.choice(SERVICES), seq=rng.randrange(2**32),
        ack=rng.randrange(2**32), flags=flags) / data


def fresh(packet):
    """The packet with lengths and checksums computed anew: Scapy fills in what is None."""
    packet = packet.copy()
    layer = packet
    while layer:
        for field in ("chksum", "len", "ihl"):
            if field in layer.fields and not isinstance(layer, Raw):
                layer.fields.pop(field, None)
        layer = layer.payload if layer.payload else None
    return packet.__class__(bytes(packet))
