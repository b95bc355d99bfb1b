#!/usr/bin/env bash
# `make bench`: the five network functions beside dpdk-testpmd. Leave the machine alone meanwhile.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p build/bench
/usr/bin/python3 bench/peers.py --json build/bench/peers.json --plot build/bench/peers.png "$@"
echo "The figures: build/bench/peers.json. As a picture: build/bench/peers.png"
