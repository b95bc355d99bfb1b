#include "cli/machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace packetmill::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

/// A machine made of files; bare to begin with.
class Doctor : public ::testing::Test {
 protected:
  Doctor() {
    fs::create_directories(machine.root);
    write("proc/sys/kernel/osrelease", "6.1.0-18-amd64\n");
  }
  ~Doctor() override { fs::remove_all(machine.root); }

  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((machine.root / name).parent_path());
    std::ofstream(machine.root / name) << text;
  }
  void nic(const std::string& address, const std::string& driver) const {
    const fs::path device = machine.root / "sys/bus/pci/devices" / address;
    write("sys/bus/pci/devices/" + address + "/class", "0x020000\n");
    fs::create_directory_symlink("../../drivers/" + driver, device / "driver");
  }
  void hugepages(int free) const {
    write("sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", "512\n");
    write("sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages", std::to_string(free) + "\n");
  }

  [[nodiscard]] PortKind kind(std::string_view name) const {
    const auto kinds = examine(machine);
    return *std::find_if(kinds.begin(), kinds.end(), [&](const PortKind& k) { return k.names.front() == name; });
  }
  [[nodiscard]] std::string report(std::string_view name) const { return describe({kind(name)}); }

  Machine machine{.root = fs::path(testing::TempDir()) / ("packetmill_machine_test_" + std::to_string(getpid())),
                  .superuser = false,
                  .capabilities = {}};
};

TEST_F(Doctor, PacketFilesAndDevicesInMemoryWorkOnABareMachine) {
  EXPECT_TRUE(kind("pcap").usable());
  EXPECT_TRUE(kind("net_null").usable());
  EXPECT_EQ(report("net_null"),
            "net_null, net_ring, net_pcap: DPDK's devices in memory and on packet files\n"
            "  slower   hugepages (0 free of 0)\n"
            "           sudo sysctl -w vm.nr_hugepages=512\n");
}

TEST_F(Doctor, NothingElseDoes) {
  for (const char* name : {"net_memif", "net_af_packet", "net_tap", "net_af_xdp", "nic"})
    EXPECT_FALSE(kind(name).usable()) << name;
}

TEST_F(Doctor, EveryMissingThingOfAVirtualPortHasACommandThatMendsIt) {
  for (const char* name : {"net_memif", "net_af_packet", "net_tap", "net_af_xdp"})
    for (const Finding& finding : kind(name).findings)
      if (!finding.ok) EXPECT_NE(finding.remedy, "") << name << ": " << finding.what;
}

TEST_F(Doctor, AfPacketNeedsItsSocketsAndTheRightToOpenThem) {
  EXPECT_EQ(report("net_af_packet"),
            "net_af_packet: any network interface, through the kernel\n"
            "  missing  kernel module af_packet\n"
            "           sudo modprobe af_packet\n"
            "  missing  capability cap_net_raw\n"
            "           sudo setcap cap_net_raw+ep build/packetmill\n");
  write("proc/net/packet", "");
  machine.capabilities = {"cap_net_raw"};
  EXPECT_EQ(report("net_af_packet"),
            "net_af_packet: any network interface, through the kernel\n"
            "  ok       kernel module af_packet\n"
            "  ok       capability cap_net_raw\n");
  EXPECT_TRUE(kind("net_af_packet").usable());
}

TEST_F(Doctor, RootHasEveryCapability) {
  write("dev/net/tun", "");
  machine.superuser = true;
  EXPECT_TRUE(kind("net_tap").usable());
  EXPECT_TRUE(kind("net_af_xdp").usable());
}

TEST_F(Doctor, AfXdpNeedsARecentKernelAndLockedMemory) {
  machine.capabilities = {"cap_net_raw", "cap_net_admin", "cap_bpf"};
  write("proc/self/limits", "Max locked memory         8388608              8388608              bytes\n");
  EXPECT_THAT(report("net_af_xdp"), HasSubstr("missing  64 MiB of locked memory (limit: 8388608)"));
  write("proc/self/limits", "Max locked memory         unlimited            unlimited            bytes\n");
  EXPECT_TRUE(kind("net_af_xdp").usable());
  write("proc/sys/kernel/osrelease", "4.19.0\n");
  EXPECT_THAT(report("net_af_xdp"), HasSubstr("missing  Linux 5.4 or later (4.19.0)"));
  write("proc/sys/kernel/osrelease", "10.0\n");
  EXPECT_TRUE(kind("net_af_xdp").usable());
}

TEST_F(Doctor, HugepagesInUseByOthersDoNotHelp) {
  hugepages(0);
  EXPECT_THAT(report("net_memif"), HasSubstr("missing  hugepages (0 free of 512)"));
  hugepages(100);
  EXPECT_TRUE(kind("net_memif").usable());
}

TEST_F(Doctor, ANicThatTheKernelHoldsIsNamedInTheCommandThatTakesIt) {
  nic("0000:3b:00.0", "ice");
  EXPECT_THAT(report("nic"), HasSubstr("missing  a NIC bound to vfio-pci (1 with kernel drivers)\n"
                                       "           sudo dpdk-devbind.py --bind=vfio-pci 0000:3b:00.0"));
}

TEST_F(Doctor, AMachineReadyForANicIsFoundReady) {
  machine.superuser = true;
  nic("0000:3b:00.0", "vfio-pci");
  write("sys/bus/pci/drivers/vfio-pci/new_id", "");
  write("sys/kernel/iommu_groups/7/type", "DMA\n");
  hugepages(512);
  EXPECT_TRUE(kind("nic").usable());
  EXPECT_THAT(report("nic"), HasSubstr("ok       a NIC bound to vfio-pci (0000:3b:00.0)"));
  EXPECT_THAT(report("nic"), Not(HasSubstr("missing")));
}

TEST_F(Doctor, WithoutANicThereIsNothingToMend) {
  EXPECT_THAT(report("nic"), HasSubstr("(no network controller on the PCI bus)\n"));
  EXPECT_THAT(report("nic"), Not(HasSubstr("devbind")));
}

TEST_F(Doctor, KnowsWhenVfioRunsWithoutAnIommu) {
  write("sys/module/vfio/parameters/enable_unsafe_noiommu_mode", "Y\n");
  EXPECT_THAT(report("nic"), HasSubstr("ok       IOMMU (vfio without IOMMU: the NIC may write anywhere)"));
}

TEST_F(Doctor, ExaminesTheMachineItRunsOn) {
  const auto kinds = examine(Machine::here());
  ASSERT_FALSE(kinds.empty());
  EXPECT_TRUE(kinds.front().usable());
}

}  // namespace
}  // namespace packetmill::cli
