#!/usr/bin/env bash
# scripts/build.sh [TARGET...]: configures build/ and builds the targets (default: all). Step 4 of set-up.
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH=/usr/bin:$PATH

echo "[4/${STEPS:-4}] PacketMill: building"
cmake -S . -B build -G Ninja -Wno-dev --log-level=WARNING \
  -DPACKETMILL_ARCH="${PACKETMILL_ARCH:-x86-64-v3}" >/dev/null
if [ -t 1 ]; then ninja -C build "$@"; else ninja --quiet -C build "$@"; fi
