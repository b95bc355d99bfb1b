#!/usr/bin/env bash
# What `make nightly` adds to `make test`: clang-tidy without a time budget, properties on many more cases, and the fuzzers.
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH=/usr/bin:$PATH
readonly seconds=${FUZZ_SECONDS:-600}  # per fuzzer

/usr/bin/python3 scripts/tidy.py --tests --seconds 100000
RC_PARAMS=max_success=10000 ctest --test-dir build-asan --parallel "$(nproc)" --output-on-failure --timeout 7200
ctest --test-dir build --output-on-failure --timeout 7200 --tests-regex '^Nightly'

cmake -S . -B build-fuzz -G Ninja -Wno-dev --log-level=WARNING -DPACKETMILL_FUZZ=ON \
  -DPACKETMILL_SANITIZE=address,undefined >/dev/null
ninja --quiet -C build-fuzz packetmill_fuzzers
for fuzzer in build-fuzz/*_fuzz; do
  [ -x "$fuzzer" ] || continue
  name=${fuzzer##*/}
  mkdir -p "build-fuzz/corpus/$name"
  seeds=("tests/fuzz/$name")
  [ -d "${seeds[0]}" ] || seeds=()
  echo "--- $name, $seconds s"
  "$fuzzer" -max_total_time="$seconds" -timeout=10 -artifact_prefix="build-fuzz/$name-" "build-fuzz/corpus/$name" "${seeds[@]}"
done
