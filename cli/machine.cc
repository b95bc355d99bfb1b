#include "cli/machine.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>

namespace packetmill::cli {
namespace {

namespace fs = std::filesystem;

std::string read_word(const fs::path& file) {
  std::ifstream stream(file);
  std::string word;
  stream >> word;
  return word;
}

std::string read_all(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

long read_number(const fs::path& file) {
  std::ifstream stream(file);
  long number = 0;
  stream >> number;
  return number;
}

std::vector<fs::path> entries(const fs::path& directory) {
  std::error_code ignored;
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(directory, ignored)) found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

/// A capability, and the command that gives it to the program instead of running it as root.
Finding capability(const Machine& machine, const std::string& name) {
  const bool held = machine.superuser || std::find(machine.capabilities.begin(), machine.capabilities.end(), name) !=
                                             machine.capabilities.end();
  return {.what = "capability " + name,
          .ok = held,
          .detail = machine.superuser ? "root" : "",
          .remedy = held ? "" : "sudo setcap " + name + "+ep build/packetmill"};
}

Finding hugepages(const Machine& machine, bool needed) {
  long free = 0, total = 0;
  for (const fs::path& size : entries(machine.root / "sys/kernel/mm/hugepages")) {
    free += read_number(size / "free_hugepages");
    total += read_number(size / "nr_hugepages");
  }
  return {.what = "hugepages",
          .ok = free > 0,
          .needed = needed,
          .detail = std::to_string(free) + " free of " + std::to_string(total),
          .remedy = free > 0 ? "" : "sudo sysctl -w vm.nr_hugepages=512"};
}

/// A kernel feature that is there once its module is loaded; `trace` is the file that shows it.
Finding kernel_feature(const Machine& machine, const std::string& module, const std::string& trace) {
  std::error_code ignored;
  const bool loaded = fs::exists(machine.root / trace, ignored);
  return {.what = "kernel module " + module, .ok = loaded, .remedy = loaded ? "" : "sudo modprobe " + module};
}

/// The kernel's version, compared with the first that has a feature.
Finding kernel_version(const Machine& machine, int major, int minor) {
  const std::string release = read_word(machine.root / "proc/sys/kernel/osrelease");
  int found_major = 0, found_minor = 0;
  char dot = '.';
  std::istringstream(release) >> found_major >> dot >> found_minor;
  return {.what = "Linux " + std::to_string(major) + "." + std::to_string(minor) + " or later",
          .ok = found_major > major || (found_major == major && found_minor >= minor),
          .detail = release};
}

Finding locked_memory(const Machine& machine) {
  // RLIMIT_MEMLOCK bounds BPF maps before Linux 5.11 and AF_XDP's packet memory still.
  std::istringstream limits(read_all(machine.root / "proc/self/limits"));
  std::string line, soft;
  long long bytes = 0;
  while (std::getline(limits, line))
    if (line.starts_with("Max locked memory")) std::istringstream(line.substr(17)) >> soft;
  std::istringstream(soft) >> bytes;
  const bool enough = machine.superuser || soft == "unlimited" || bytes >= 64 << 20;
  return {.what = "64 MiB of locked memory",
          .ok = enough,
          .detail = machine.superuser ? "root" : "limit: " + (soft.empty() ? "unknown" : soft),
          .remedy = enough ? "" : "ulimit -l unlimited  # or memlock in /etc/security/limits.d"};
}

/// Ethernet devices on the PCI bus: found at all, and bound to a driver that DPDK can take over.
Finding physical_nic(const Machine& machine) {
  std::string first_free, bound;
  int count = 0;
  for (const fs::path& device : entries(machine.root / "sys/bus/pci/devices")) {
    if (!read_word(device / "class").starts_with("0x02")) continue;  // PCI Code and ID Assignment: network controller
    ++count;
    std::error_code none;
    const std::string driver = fs::read_symlink(device / "driver", none).filename();
    if (driver == "vfio-pci" || driver == "uio_pci_generic" || driver == "igb_uio")
      bound += (bound.empty() ? "" : " ") + device.filename().string();
    else if (first_free.empty())
      first_free = device.filename();
  }
  Finding finding{.what = "a NIC bound to vfio-pci", .ok = !bound.empty(), .detail = bound};
  if (finding.ok) return finding;
  finding.detail = count == 0 ? "no network controller on the PCI bus" : std::to_string(count) + " with kernel drivers";
  if (count > 0) finding.remedy = "sudo dpdk-devbind.py --bind=vfio-pci " + first_free + "  # takes it from the kernel";
  return finding;
}

Finding iommu(const Machine& machine) {
  const bool groups = !entries(machine.root / "sys/kernel/iommu_groups").empty();
  const bool without = read_word(machine.root / "sys/module/vfio/parameters/enable_unsafe_noiommu_mode") == "Y";
  return {.what = "IOMMU",
          .ok = groups || without,
          .detail = groups    ? ""
                    : without ? "vfio without IOMMU: the NIC may write anywhere"
                              : "none active",
          .remedy = groups || without ? ""
                                      : "boot with intel_iommu=on or amd_iommu=on; in a virtual machine: "
                                        "echo Y | sudo tee /sys/module/vfio/parameters/enable_unsafe_noiommu_mode"};
}

}  // namespace

Machine Machine::here() {
  Machine machine;
  machine.superuser = geteuid() == 0;
  // capabilities(7): CapEff in /proc/self/status is a mask by capability number. A container's root may lack some.
  std::istringstream status(read_all("/proc/self/status"));
  std::string line;
  unsigned long long mask = 0;
  while (std::getline(status, line))
    if (line.starts_with("CapEff:")) std::istringstream(line.substr(7)) >> std::hex >> mask;
  constexpr std::pair<unsigned, const char*> kNames[] = {
      {12, "cap_net_admin"}, {13, "cap_net_raw"}, {14, "cap_ipc_lock"}, {21, "cap_sys_admin"}, {39, "cap_bpf"}};
  for (const auto& [number, name] : kNames) {
    if (mask >> number & 1)
      machine.capabilities.emplace_back(name);
    else
      machine.superuser = false;
  }
  return machine;
}

bool PortKind::usable() const {
  return std::all_of(findings.begin(), findings.end(), [](const Finding& f) { return f.ok || !f.needed; });
}

std::vector<PortKind> examine(const Machine& machine) {
  return {
      {{"pcap"}, "packet files, FromDump and ToDump", {}},
      {{"net_null", "net_ring", "net_pcap"},
       "DPDK's devices in memory and on packet files",
       {hugepages(machine, false)}},
      {{"net_memif", "net_virtio_user", "net_vhost"}, "shared memory with another process", {hugepages(machine, true)}},
      {{"net_af_packet"},
       "any network interface, through the kernel",
       {kernel_feature(machine, "af_packet", "proc/net/packet"), capability(machine, "cap_net_raw")}},
      {{"net_tap"},
       "an interface that the kernel sees",
       {kernel_feature(machine, "tun", "dev/net/tun"), capability(machine, "cap_net_admin")}},
      {{"net_af_xdp"},
       "any network interface, before the kernel's stack",
       {kernel_version(machine, 5, 4), capability(machine, "cap_net_raw"), capability(machine, "cap_net_admin"),
        capability(machine, "cap_bpf"), locked_memory(machine)}},
      {{"nic"},
       "a physical NIC, without the kernel",
       {physical_nic(machine), kernel_feature(machine, "vfio-pci", "sys/bus/pci/drivers/vfio-pci"), iommu(machine),
        hugepages(machine, true), capability(machine, "cap_sys_admin")}},
  };
}

std::string describe(const std::vector<PortKind>& kinds) {
  std::string text;
  for (const PortKind& kind : kinds) {
    for (const std::string_view name : kind.names)
      text += std::string(name) + (name == kind.names.back() ? ": " : ", ");
    text += std::string(kind.summary) + "\n";
    if (kind.findings.empty()) text += "  ok       nothing needed\n";
    for (const Finding& finding : kind.findings) {
      text += finding.ok ? "  ok       " : finding.needed ? "  missing  " : "  slower   ";
      text += finding.what + (finding.detail.empty() ? "" : " (" + finding.detail + ")") + "\n";
      if (!finding.ok && !finding.remedy.empty()) text += "           " + finding.remedy + "\n";
    }
  }
  return text;
}

}  // namespace packetmill::cli
