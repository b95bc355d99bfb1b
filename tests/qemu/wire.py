"""The wire of two NICs in a QEMU: sends numbered frames to each, and expects them at the other with their addresses swapped.

wire.py LOG QEMU ARGUMENTS...   {wire0} {nic0} {wire1} {nic1} in the arguments become UDP ports.
"""

import re
import select
import socket
import subprocess
import sys
import time

ETHERTYPE = b"\x88\xb5"  # for experiments: QEMU drops what it takes for broken IP
FRAMES = 2000
WINDOW = 64
PATIENCE = 150  # seconds, boot and all


def frame(number: int, swapped: bool) -> bytes:
    addresses = [b"\x02\x00\x00\x00\x00\x01", b"\x02\x00\x00\x00\x00\x02"]
    if swapped:
        addresses.reverse()
    body = number.to_bytes(4, "big") + bytes((number + i) % 256 for i in range(46 + number % 1400))
    return b"".join(addresses) + ETHERTYPE + body


def free_sockets(count: int) -> list[socket.socket]:
    sockets = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    return sockets


def main() -> int:
    wires = free_sockets(2)
    nics = free_sockets(2)
    ports = {f"nic{i}": nics[i].getsockname()[1] for i in range(2)} | {
        f"wire{i}": wires[i].getsockname()[1] for i in range(2)
    }
    for nic in nics:
        nic.close()  # QEMU's, from now on
    command = [re.sub(r"\{(\w+)\}", lambda name: str(ports[name[1]]), word) for word in sys.argv[2:]]
    with open(sys.argv[1], "w", encoding="utf-8") as log:
        qemu = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
    came: list[set[int]] = [set(), set()]  # at each wire
    begin = time.monotonic()
    try:
        while any(len(each) < FRAMES for each in came) and qemu.poll() is None and time.monotonic() - begin < PATIENCE:
            # What has not come is sent again: until the guest forwards, and where a socket was full.
            for i in range(2):
                missing = (n for n in range(FRAMES) if n not in came[1 - i])
                for _, number in zip(range(WINDOW), missing):
                    wires[i].sendto(frame(number, False), ("127.0.0.1", ports[f"nic{i}"]))
            while ready := select.select(wires, [], [], 0.1)[0]:
                for wire in ready:
                    got = wire.recv(65536)
                    if got[12:14] != ETHERTYPE:
                        continue  # not ours
                    number = int.from_bytes(got[14:18], "big")
                    if got != frame(number, True):
                        print(f"frame {number} is not what was sent")
                        return 1
                    came[wires.index(wire)].add(number)
        print(f"{len(came[0])} and {len(came[1])} of {FRAMES} frames crossed")
        qemu.wait(max(1, PATIENCE - (time.monotonic() - begin)))  # it stops by itself, and says how
    except subprocess.TimeoutExpired:
        print("the guest did not stop")
    finally:
        qemu.kill()
    with open(sys.argv[1], encoding="utf-8", errors="replace") as log:
        text = log.read()
    print(*(line for line in text.splitlines() if line.startswith(("sent ", "l2fwd-xchg: exit"))), sep="\n")
    return 0 if all(len(each) == FRAMES for each in came) and "l2fwd-xchg: exit 0" in text else 1


if __name__ == "__main__":
    sys.exit(main())
