#pragma once

#include "ports/dpdk/devices.h"
#include "runtime/element.h"

namespace packetmill {

/// DPDKInfo: how DPDK is set up, for all ports.
///
/// Ports:     none.
/// Keywords:  NB_SOCKET_MBUF, or NB_MBUF (default 8192): buffers of each port's pool, beyond those that lie in its
///            descriptor rings; 256 at least. As many packets may wait in queues, which under
///            X-Change have buffers beside, and a net_pcap device with infinite_rx=1 holds its whole trace in them. MBUF_SIZE and
///            MBUF_CACHE_SIZE are accepted and have no effect: buffers are as large as the port's frames (MTU) ask for.
/// Example:   DPDKInfo(NB_SOCKET_MBUF 65536);
/// See also:  FromDPDKDevice; EAL arguments follow `--dpdk` on the command line.
struct DPDKInfo {
  static constexpr ElementInfo info{.name = "DPDKInfo", .ports = "0/0"};

  struct Parameters {
    std::uint32_t buffers = dpdk::PortConfiguration{}.buffers;
    std::uint32_t buffer_size = 0;
    std::uint32_t cache_size = 0;
  };
  static constexpr auto keywords =
      describe(positional<&Parameters::buffers>("NB_SOCKET_MBUF"), keyword<&Parameters::buffers>("NB_MBUF"),
               keyword<&Parameters::buffer_size>("MBUF_SIZE"), keyword<&Parameters::cache_size>("MBUF_CACHE_SIZE"));

  static void configure(Configuration& configuration, Parameters& p) {
    constexpr std::uint32_t kFewest = 256;
    constexpr std::uint32_t kMost = 1U << 26U;
    if (p.buffers < kFewest || p.buffers > kMost)
      configuration.error("NB_SOCKET_MBUF must be " + std::to_string(kFewest) + " to " + std::to_string(kMost));
  }
  /// Ports are set up when elements start, which is after every element's `initialize`.
  static Refusal initialize(auto& element) {
    element.template resource<dpdk::Devices>("dpdk").set_buffers(element.parameters().buffers);
    return {};
  }
};

}  // namespace packetmill
