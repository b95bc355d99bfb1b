#!/usr/bin/env bash
# l2fwd-xchg between two NICs that QEMU emulates, under DPDK's own driver for them (em): frames cross, and their bytes are
# looked at. The machine is emulated, too (TCG), so neither KVM nor a NIC is needed. Half a minute for each kind of NIC.
#
#   tests/qemu/e1000e.sh [NIC...]   (default: e1000e e1000)
#
# Needs build/l2fwd-xchg and Debian's qemu-system-x86, busybox-static and cpio; the kernel comes from its package, and is kept
# in PACKETMILL_CACHE.
set -euo pipefail
cd "$(dirname "$0")/../.."
readonly program=build/l2fwd-xchg
readonly cache=${PACKETMILL_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/packetmill}/kernel
work=$(mktemp -d)
readonly work
trap 'rm -rf "$work"' EXIT

fail() { printf 'qemu: %s\n' "$@" >&2; exit 1; }
for tool in qemu-system-x86_64 busybox cpio; do
  command -v "$tool" >/dev/null || fail "$tool is missing: apt-get install qemu-system-x86 busybox-static cpio"
done
[ -x "$program" ] || fail "build/l2fwd-xchg is missing"

if ! ls "$cache"/boot/vmlinuz-* >/dev/null 2>&1; then
  package=$(apt-cache depends linux-image-amd64 | sed -n 's/^ *Depends: //p' | head -n 1)
  (cd "$work" && apt-get -q download "$package" >/dev/null) || fail "no package $package"
  mkdir -p "$cache"
  dpkg -x "$work"/linux-image-*.deb "$cache"
fi
kernel=$(ls "$cache"/boot/vmlinuz-*)

# The program with its libraries, the kernel's way to hand a NIC to it, and a shell.
root=$work/root
mkdir -p "$root"/{bin,dev,proc,run,sys,tmp,var}
ln -s ../run "$root/var/run"
cp "$(command -v busybox)" "$root/bin/"
cp "$program" "$root/bin/"
ldd "$program" | grep -o '/[^ ]*' | xargs -I{} cp --parents -L {} "$root"
find "$cache/lib/modules" -name uio.ko -o -name uio_pci_generic.ko | xargs cp -t "$root"
cat >"$root/init" <<'INIT'
#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc none /proc; mount -t sysfs none /sys; mount -t devtmpfs none /dev
insmod /uio.ko; insmod /uio_pci_generic.ko
for id in 10d3 100e; do echo 8086 $id >/sys/bus/pci/drivers/uio_pci_generic/new_id; done
l2fwd-xchg -l 0 --in-memory --no-telemetry -- 15
echo "l2fwd-xchg: exit $?"
poweroff -f
INIT
chmod +x "$root/init"
(cd "$root" && find . | cpio --quiet -o -H newc) >"$work/initrd"

[ $# -gt 0 ] || set -- e1000e e1000
for nic; do
  echo "--- $nic"
  /usr/bin/python3 tests/qemu/wire.py "$work/log" qemu-system-x86_64 -M q35 -accel tcg,thread=multi -cpu max -smp 2 -m 5120 \
    -nographic -no-reboot -kernel "$kernel" -initrd "$work/initrd" \
    -append 'console=ttyS0 panic=-1 quiet mitigations=off hugepagesz=1G hugepages=1' \
    -netdev socket,id=n0,udp=127.0.0.1:{wire0},localaddr=127.0.0.1:{nic0} -device "$nic,netdev=n0" \
    -netdev socket,id=n1,udp=127.0.0.1:{wire1},localaddr=127.0.0.1:{nic1} -device "$nic,netdev=n1" ||
    { tail -n 40 "$work/log" >&2; fail "$nic: failed"; }
done
