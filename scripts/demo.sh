#!/usr/bin/env bash
# The main job on real input: the IP router of examples/ over a packet trace, a pcap file in and one out per interface.
set -euo pipefail
cd "$(dirname "$0")/.."

echo "[5/${STEPS:-5}] The router of examples/router.click over a packet trace"
mkdir -p build/demo
build/packetmill run examples/router.click --stats OUT0=build/demo/eth0.pcap OUT1=build/demo/eth1.pcap
echo 'What it sent: build/demo/eth0.pcap build/demo/eth1.pcap'
