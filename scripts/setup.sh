#!/usr/bin/env bash
# Brings a Debian machine to where PacketMill builds: packages, and DPDK as static libraries in a cache outside the checkout.
#
#   scripts/setup.sh [build|test|nightly|bench]   does what is missing for that purpose (default: build); seconds when nothing is
#   scripts/setup.sh --where              prints the directory DPDK is (or would be) installed in, and does nothing
#
# DPDK_SRC=DIR          builds this DPDK source tree instead of the distribution's
# PACKETMILL_CACHE=DIR  where DPDK is built and kept (default: $XDG_CACHE_HOME/packetmill), shared by all clones
# PACKETMILL_ARCH=ARCH  value of -march (default: x86-64-v3, what callgrind knows too)
# STEPS=N               how many steps the caller will announce in all; this script announces the first three
set -euo pipefail

readonly dpdk_version=22.11.11
readonly dpdk_sha256=27a3bb1f57e02eb68c7c0a6f8bbf9fb74ec198c5aab74ed602da5b71c492a476
readonly dpdk_drivers=(
  bus/{auxiliary,pci,vdev} mempool/ring common/mlx5
  net/{af_packet,af_xdp,e1000,ixgbe,memif,mlx5,null,pcap,ring,tap,vhost,virtio}
)
# Headers that DPDK does not install and X-Change's data paths are held against (drivers/*/takeover.c): kept in private/.
readonly dpdk_private=(lib/eal/linux/include drivers/common/mlx5 drivers/net/{e1000,ixgbe,memif,mlx5,virtio})
# Every object file holds machine code and LLVM's bitcode: what is linked with link=lto is one program with the network function.
readonly dpdk_flags='-flto=full -ffat-lto-objects'
# What nothing here uses and nothing enabled depends on; 22.11 builds everything else unconditionally.
readonly dpdk_disabled_libs=bitratestats,cfgfile,flow_classify,gpudev,gro,jobstats,kni,latencystats,node,pdump,pipeline,port,power,table

# Libraries of tests and benchmarks belong to `build` because CMake looks for them in every build; they are small.
readonly build_packages=(
  clang-19 lld-19 llvm-19 llvm-19-dev cmake ninja-build ccache meson python3 python3-pyelftools pkg-config xz-utils
  libibverbs-dev rdma-core
  libnuma-dev libpcap-dev libbpf-dev libxdp-dev libelf-dev zlib1g-dev libssl-dev libfdt-dev libjansson-dev
  libfmt-dev libspdlog-dev libcli11-dev nlohmann-json3-dev graphviz
  libgtest-dev libgmock-dev libbenchmark-dev librapidcheck-dev
)
readonly test_packages=(clang-format-19 clang-tidy-19 python3-matplotlib python3-scapy tshark iproute2 valgrind chromium-headless-shell)
readonly nightly_packages=("${test_packages[@]}" qemu-system-x86 busybox-static cpio)
readonly bench_packages=(dpdk-dev iproute2 python3-matplotlib valgrind)

readonly arch=${PACKETMILL_ARCH:-x86-64-v3}
readonly cache=${PACKETMILL_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/packetmill}
readonly log=$cache/setup.log

# A Python from elsewhere (pyenv, conda) does not see the modules that Debian's packages install.
export PATH=/usr/bin:$PATH

say() { echo "[$1/${STEPS:-3}] $2"; }
fail() { printf 'setup: %s\n' "$@" >&2; exit 1; }

# Runs a command with its output in the log; shows the log's end when the command fails.
quietly() { "$@" >>"$log" 2>&1 || { tail -n 25 "$log" >&2; fail "failed: $*" "the whole log: $log"; }; }

# --- packages ---------------------------------------------------------------------------------------------------------

missing_packages() {
  local installed
  # dpkg-query fails where it has never heard of one of them.
  installed=$(dpkg-query -W -f '${db:Status-Abbrev}${Package}\n' "$@" 2>/dev/null | sed -n 's/^ii *//p') || true
  comm -23 <(printf '%s\n' "$@" | sort -u) <(sort -u <<<"$installed")
}

install_packages() {
  command -v apt-get >/dev/null || fail 'this needs Debian 12 (no apt-get here)'
  local missing as_root=() attempt
  mapfile -t missing < <(missing_packages "$@")
  [ ${#missing[@]} -gt 0 ] || { say 1 'Debian packages: all there'; return; }
  say 1 "Debian packages: installing ${#missing[@]} (about $((10 + 2 * ${#missing[@]})) s)"
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || fail 'packages are missing and there is no sudo; as root:' "apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  as_root+=(env DEBIAN_FRONTEND=noninteractive apt-get -y -q -o DPkg::Lock::Timeout=300)
  # The lists are refreshed only when they do not suffice; another apt-get may hold the lock of the lists meanwhile.
  for attempt in 1 2 3 4 5; do
    "${as_root[@]}" install --no-install-recommends "${missing[@]}" >>"$log" 2>&1 && return
    [ "$attempt" = 1 ] || sleep 5
    "${as_root[@]}" update >>"$log" 2>&1 || true
  done
  tail -n 25 "$log" >&2
  fail "could not install: ${missing[*]}" "the whole log: $log"
}

# --- DPDK -------------------------------------------------------------------------------------------------------------

# One line per thing that makes two builds of DPDK differ: its hash names the build. `native` means what it means here:
# a home directory may be shared by machines with different processors.
dpdk_identity() {
  echo "${DPDK_SRC:-$dpdk_version}" "$arch" "${dpdk_drivers[@]}" "${dpdk_private[@]}" "$dpdk_disabled_libs" "$dpdk_flags"
  clang-19 --version | head -n 1
  clang-19 "-march=$arch" -E -dM -x c /dev/null
}

dpdk_prefix() {
  local version=$dpdk_version
  [ -z "${DPDK_SRC:-}" ] || version=$(cat "$DPDK_SRC/VERSION")
  echo "$cache/dpdk-$version-$(dpdk_identity | sha256sum | cut -c 1-12)"
}

# Unpacks the distribution's source package into $cache/src. The machine's own apt sources are used, as `deb-src`, with
# lists of our own: neither root nor a change to the machine's configuration is needed.
fetch_dpdk() {
  local work=$cache/src/fetch tarball=dpdk_$dpdk_version.orig.tar.xz file
  rm -rf "$work" && mkdir -p "$work"/{parts,lists,cache}
  for file in /etc/apt/sources.list.d/*.sources; do
    [ ! -e "$file" ] || sed 's/^Types:.*/Types: deb-src/' "$file" >"$work/parts/${file##*/}"
  done
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ ! -e "$file" ] || sed -n 's/^deb[[:space:]]/deb-src /p' "$file" >"$work/parts/${file##*/}.list"
  done
  local apt=(apt-get -q -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$work/parts" -o APT::Sandbox::User=
             -o Dir::State::Lists="$work/lists" -o Dir::Cache="$work/cache")
  "${apt[@]}" update >>"$log" 2>&1 || true  # a source without source packages is no obstacle
  cd "$work"
  "${apt[@]}" source --download-only dpdk >>"$log" 2>&1 || true
  [ -e "$tarball" ] || fail "the machine's apt sources offer no $tarball$(ls dpdk_*.orig.tar.* 2>/dev/null | sed 's/^/; they have /')" \
    'give a DPDK source tree instead: DPDK_SRC=DIR' "the whole log: $log"
  echo "$dpdk_sha256  $tarball" | sha256sum --check --status || fail "WRONG HASH: $work/$tarball" \
    "expected sha256 $dpdk_sha256" "got      sha256 $(sha256sum "$tarball" | cut -d ' ' -f 1)" \
    'The source package is not the one PacketMill was made for. Nothing was built.'
  mkdir tree && tar -xf "$tarball" -C tree --strip-components=1
  mv tree "$cache/src/dpdk-$dpdk_version"
  cd / && rm -rf "$work"
}

build_dpdk() {
  local prefix=$1 source=$2
  rm -rf "$prefix.new" "$prefix.build"
  export CC=clang-19 CC_LD=lld-19 AR=llvm-ar-19
  ! command -v ccache >/dev/null || CC='ccache clang-19'
  quietly meson setup "$prefix.build" "$source" --prefix="$prefix.new" --libdir=lib --buildtype=release \
    -Ddefault_library=static -Dtests=false -Denable_docs=false -Denable_driver_sdk=true -Ddisable_apps='*' -Dcpu_instruction_set="$arch" \
    -Dc_args="$dpdk_flags" -Denable_drivers="$(IFS=,; echo "${dpdk_drivers[*]}")" -Ddisable_libs="$dpdk_disabled_libs"
  quietly ninja -C "$prefix.build"
  quietly meson install -C "$prefix.build" --no-rebuild
  (cd "$source" && find "${dpdk_private[@]}" -name '*.h' -exec install -D -m 644 {} "$prefix.new/private/{}" \;)
  # em's queues are defined where no other file can see them.
  sed -n '/^\(struct\|union\|enum\) em_\w* {/,/^};/p' "$source/drivers/net/e1000/em_rxtx.c" >"$prefix.new/private/drivers/net/e1000/em_queues.h"
  cp "$prefix.build/drivers/common/mlx5/mlx5_autoconf.h" "$prefix.new/private/drivers/common/mlx5/"
  rm -rf "$prefix.new"/lib/*.so* "$prefix.new/lib/dpdk"  # DPDK links its shared libraries whatever one asks for
  # The installed files name their own place; only a complete build ever appears under the final name.
  sed -i "s|$prefix.new|$prefix|g" "$prefix.new"/lib/pkgconfig/*.pc
  mv "$prefix.new" "$prefix"
}

set_up_dpdk() {
  local prefix source
  prefix=$(dpdk_prefix)
  source=${DPDK_SRC:-$cache/src/dpdk-$dpdk_version}
  if [ -d "$prefix" ]; then
    say 2 "DPDK ${prefix##*/dpdk-}: sources not needed"
    say 3 "DPDK ${prefix##*/dpdk-}: already built"
    return
  fi
  if [ -d "$source" ]; then
    say 2 "DPDK $dpdk_version: sources already there"
  else
    say 2 "DPDK $dpdk_version: fetching the distribution's source package"
    fetch_dpdk
  fi
  say 3 "DPDK $(cat "$source/VERSION"): building (about $((240 / $(nproc))) s)"
  build_dpdk "$prefix" "$source"
}

# ----------------------------------------------------------------------------------------------------------------------

case ${1:-build} in
  --where) dpdk_prefix; exit ;;
  build) packages=("${build_packages[@]}") ;;
  test) packages=("${build_packages[@]}" "${test_packages[@]}") ;;
  nightly) packages=("${build_packages[@]}" "${nightly_packages[@]}") ;;
  bench) packages=("${build_packages[@]}" "${bench_packages[@]}") ;;
  *) fail "unknown purpose '$1'; known: build, test, nightly, bench" ;;
esac

mkdir -p "$cache/src"
exec 9>"$cache/lock"  # one set-up at a time; the second one then finds everything done
flock --nonblock 9 || { echo 'waiting for another set-up to finish'; flock 9; }
: >"$log"
install_packages "${packages[@]}"
set_up_dpdk
