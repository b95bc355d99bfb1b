#!/usr/bin/env bash
# `make bench`: the five network functions beside dpdk-testpmd. Leave the machine alone meanwhile.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p build/bench

# Both sides are measured on hugepages: those that there are, or as root 512 of our own for this long.
pages=/proc/sys/vm/nr_hugepages
if [ "$(cat $pages)" -lt 512 ] && [ -w $pages ]; then
  trap "echo $(cat $pages) >$pages" EXIT
  echo 512 >$pages
fi
/usr/bin/python3 bench/peers.py --json build/bench/peers.json --plot build/bench/peers.png "$@"
echo "The figures: build/bench/peers.json. As a picture: build/bench/peers.png"
