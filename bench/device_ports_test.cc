#include "bench/device_ports.h"

#include <gmock/gmock.h>

#include "engine/registry.h"
#include "frontends/click/click.h"
#include "graph/print/flatten.h"

namespace packetmill::bench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Graph parsed(const std::string& script) {
  Diagnostics diagnostics;
  return parse_click({{"config", script}}, {}, engine::Registry::instance(), diagnostics);
}

std::vector<std::string> arguments(const std::string& script, const std::string& kind, std::string& wrong) {
  Diagnostics diagnostics;
  const auto outline = engine::Router::outline(parsed(script), diagnostics);
  return device_arguments(*outline, kind, "t.pcap", 0, wrong).value_or(std::vector<std::string>());
}

constexpr const char* kTwoPorts = "FromDPDKDevice(0) -> ToDPDKDevice(1); FromDPDKDevice(1) -> ToDPDKDevice(0)";

TEST(DevicePorts, AreAsManyAsTheConfigurationNumbers) {
  std::string wrong;
  EXPECT_THAT(arguments(kTwoPorts, "net_null", wrong), ElementsAre("--vdev=net_null0", "--vdev=net_null1"));
  EXPECT_THAT(arguments(kTwoPorts, "net_pcap", wrong), ElementsAre("--vdev=net_pcap0,rx_pcap=t.pcap,infinite_rx=1",
                                                                   "--vdev=net_pcap1,rx_pcap=t.pcap,infinite_rx=1"));
}

TEST(DevicePorts, OfAnEmulatedNICDifferInHowFramesAreReceived) {
  std::string wrong;
  const std::string script = "FromDPDKDevice(0) -> ToDPDKDevice(0)";
  EXPECT_THAT(arguments(script, "mlx5", wrong), ElementsAre("--vdev=net_mlx5_emulated0,trace=t.pcap,vector=1"));
  EXPECT_THAT(arguments(script, "mlx5-scalar", wrong), ElementsAre("--vdev=net_mlx5_emulated0,trace=t.pcap,vector=0"));
  EXPECT_THAT(arguments(script, "mlx5-beside", wrong),
              ElementsAre("--vdev=net_mlx5_emulated0,trace=t.pcap,vector=1,core=0"));
}

TEST(DevicePorts, ThatAreNoNumbersCannotBeMade) {
  std::string wrong;
  EXPECT_TRUE(arguments("FromDPDKDevice(eth0) -> Discard", "net_null", wrong).empty());
  EXPECT_THAT(wrong, HasSubstr("eth0"));
  EXPECT_TRUE(arguments("Idle -> Discard", "net_null", wrong).empty());
  EXPECT_THAT(wrong, HasSubstr("no FromDPDKDevice"));
}

TEST(DevicePorts, APlanThatExchangesHasNoRowForTheScalarFunction) {
  Plan plan;
  EXPECT_THAT(kinds_of("net_pcap", plan), ElementsAre("net_pcap"));
  EXPECT_THAT(kinds_of("mlx5", plan), ElementsAre("mlx5", "mlx5-scalar", "mlx5-beside"));
  plan.metadata = MetadataModel::xchange;
  EXPECT_THAT(kinds_of("mlx5", plan), ElementsAre("mlx5", "mlx5-beside"));
}

TEST(DevicePorts, TakeThePlaceOfTraces) {
  EXPECT_EQ(flatten(with_device_ports(parsed("f :: FromDump(a.pcap, STOP true) -> n :: Null -> t :: ToDump(b.pcap)"))),
            flatten(parsed("f :: FromDPDKDevice(0, N_QUEUES 1) -> n :: Null -> t :: ToDPDKDevice(0)")));
}

}  // namespace
}  // namespace packetmill::bench
