#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/values/address.h"

/// Traffic for measuring: the same seed gives the same frames, on every machine.
namespace packetmill::bench {

struct TrafficOptions {
  std::uint64_t seed = 1;
  std::uint64_t packets = 4096;
  /// Bytes of a frame as they count on the wire, the four of the check sequence included, which a trace leaves out: 64 to
  /// 1518. None: the mix of a campus's uplink, 981 bytes in the mean.
  std::optional<std::uint32_t> size = 64;
  std::uint32_t flows = 1000;
  double zipf = 0;  ///< the exponent of the flows' popularity; 0: all alike
  double tcp = 0;   ///< shares; the rest is UDP
  double icmp = 0;
  std::vector<IPv4Prefix> destinations = {};  ///< addresses are drawn from these; none: from 198.18.0.0/15 (RFC 2544)
};

/// Makes one frame after the other.
class Traffic {
 public:
  explicit Traffic(const TrafficOptions& options);
  /// The next frame: Ethernet, IPv4 and TCP, UDP or an ICMP echo request, all lengths and checksums right. Valid until
  /// the next call.
  [[nodiscard]] const std::vector<std::uint8_t>& next();

 private:
  [[nodiscard]] std::uint64_t random();
  [[nodiscard]] double uniform() { return static_cast<double>(random() >> 11U) * 0x1p-53; }
  [[nodiscard]] std::uint32_t pick_flow();
  [[nodiscard]] std::uint32_t pick_size();

  TrafficOptions options_;
  std::uint64_t state_;
  std::vector<double> popularity_;  ///< of the flows, summed up; empty where all are alike
  std::vector<std::uint8_t> frame_;
};

}  // namespace packetmill::bench
