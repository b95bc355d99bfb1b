#!/usr/bin/env bash
# What `make test` does once set-up is done: every test in three builds, and style. The last words are ctest's.
# Tests whose names begin with Nightly are left to `make nightly`.
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH=/usr/bin:$PATH

# run DIRECTORY SANITIZERS TARGET [CTEST-ARGUMENTS...]: configures, builds and tests.
run() {
  local directory=$1 sanitizers=$2 target=$3
  shift 3
  echo "--- $directory${sanitizers:+ (sanitizers: $sanitizers)}"
  cmake -S . -B "$directory" -G Ninja -Wno-dev --log-level=WARNING -DPACKETMILL_SANITIZE="$sanitizers" \
    -DPACKETMILL_ARCH="${PACKETMILL_ARCH:-x86-64-v3}" >/dev/null
  ninja --quiet -C "$directory" "$target"
  ctest --test-dir "$directory" --parallel "$(nproc)" --output-on-failure --exclude-regex '^Nightly' "$@"
}

export ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1
export UBSAN_OPTIONS=print_stacktrace=1
export TSAN_OPTIONS=halt_on_error=1

run build '' all
scripts/style.sh
run build-tsan thread packetmill_thread_tests --label-regex threads
run build-asan address,undefined all
