#!/usr/bin/env bash
# The main job on real input: the IP router of examples/ over a packet trace, a pcap file in and one out per interface.
set -euo pipefail
cd "$(dirname "$0")/.."

# repeat TRACE TIMES: the trace's frames that many times over. A pcap file is a header of 24 bytes, then the frames.
repeat() {
  cat "$1"
  for ((i = 1; i < $2; ++i)); do tail -c +25 "$1"; done
}

echo "[5/${STEPS:-5}] The router of examples/router.click over a packet trace"
mkdir -p build/demo
for side in 0 1; do repeat "examples/traces/router-eth$side.pcap" 250 >"build/demo/in$side.pcap"; done
# What the router says of wrong packets, one by one, is counted below.
build/packetmill run examples/router.click --stats IN0=build/demo/in0.pcap IN1=build/demo/in1.pcap \
  OUT0=build/demo/out0.pcap OUT1=build/demo/out1.pcap 2>&1 | grep -v '^IPFragmenter\|^check:'
echo 'What came in: build/demo/in0.pcap, in1.pcap; what it sent: out0.pcap, out1.pcap beside them'
