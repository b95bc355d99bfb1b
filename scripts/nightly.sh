#!/usr/bin/env bash
# What `make nightly` adds to `make test`: clang-tidy without a time budget, properties and random graphs on many more
# cases, a machine with NICs under QEMU, and the fuzzers. RANDOM_PROGRAMS: how many programs of random graphs.
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH=/usr/bin:$PATH
readonly seconds=${FUZZ_SECONDS:-600}  # per fuzzer

/usr/bin/python3 scripts/tidy.py --tests --seconds 100000
RC_PARAMS=max_success=10000 ctest --test-dir build-asan --parallel "$(nproc)" --output-on-failure --timeout 7200
ctest --test-dir build --output-on-failure --timeout 7200 --tests-regex '^Nightly'

tests/qemu/e1000e.sh  # X-Change on NICs that QEMU emulates

# 10,000 random graphs, 15 a program. Programs that the same binaries were found right on are not verified again: a night
# goes on where another was cut short. What fails is shrunk, and the others go on.
logs=build/random-graphs/$(cat build/packetmill build/packetmill_random_graph_tests | sha256sum | cut -c 1-16)
mkdir -p "$logs"
export logs RANDOM_PROGRAMS=${RANDOM_PROGRAMS:-667}
seq 0 $((RANDOM_PROGRAMS - 1)) | xargs -P "$(nproc)" -I{} bash -c '
  log=$logs/{}.log
  grep -qs "  PASSED  .* 1 test" "$log" && exit
  PACKETMILL_PROGRAMS={}:$(({} + 1)) build/packetmill_random_graph_tests --gtest_filter="RandomGraphs.*" >"$log" 2>&1 &&
    echo "random graphs: program {} of $RANDOM_PROGRAMS is the same" || { cat "$log"; exit 1; }'

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
