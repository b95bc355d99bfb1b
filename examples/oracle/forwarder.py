"""examples/forwarder.click and examples/workpackage.click: a trace, and what must come out of each.

    python3 examples/oracle/forwarder.py     writes examples/traces/forwarder*.pcap, workpackage.expected.pcap
"""
import os
import random

from frames import Ether, Raw, Trace, tcp, udp

TRACES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "traces")


def main():
    rng = random.Random(1)
    trace, rewritten, mirrored = Trace(), Trace(), Trace()
    for i in range(300):
        packet = rng.choice((udp, tcp))(rng, "10.0.0.1", "10.0.0.2", rng.choice((6, 18, 100, 400)))
        if i % 10 == 0:
            packet = Raw(bytes(rng.randrange(256) for _ in range(rng.randrange(0, 46))))  # no IP: goes the same way
        source = f"02:0a:00:00:00:{rng.randrange(256):02x}"
        destination = f"02:0b:00:00:00:{rng.randrange(256):02x}"
        time = i / 1000
        trace.add(time, Ether(src=source, dst=destination, type=0x0800) / packet)
        rewritten.add(time, Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:02", type=0x0800) / packet)
        mirrored.add(time, Ether(src=destination, dst=source, type=0x0800) / packet)
    trace.write(os.path.join(TRACES, "forwarder.pcap"))
    rewritten.write(os.path.join(TRACES, "forwarder.expected.pcap"))
    mirrored.write(os.path.join(TRACES, "workpackage.expected.pcap"))


if __name__ == "__main__":
    main()
