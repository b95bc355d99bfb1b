#!/usr/bin/env bash
# The main job on real input: the IP router of examples/ over a packet trace, a pcap file in and one out per port.
set -euo pipefail
cd "$(dirname "$0")/.."

echo "[5/${STEPS:-5}] The router of examples/router.click over a packet trace"
mkdir -p build/demo
build/packetmill run examples/router.click IN=examples/router.pcap OUT=build/demo
printf 'What it sent lies in build/demo:'
printf ' %s' build/demo/*.pcap
echo
