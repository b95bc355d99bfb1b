#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace packetmill::dpdk {

/// What joins two ports of this process.
enum class Wire : std::uint8_t {
  ring,   ///< a DPDK ring of 1,024 frames each way: the buffers themselves change hands (net_ring)
  memif,  ///< shared memory with 1,024 descriptors each way: frames are copied in and out (net_memif)
  virtio  ///< a packed ring of 512 each way, of net_virtio_user; at its far end net_vhost copies frames in and out
};

struct PortPair {
  std::uint16_t first;
  std::uint16_t second;
};

/// Makes two ports; what the one sends the other receives. The first, which of memif is the server and of virtio the
/// driver, must be started before the second, and has the lower number. A process can have one pair in its life. What is wrong, in `error`, where there
/// is none.
[[nodiscard]] std::optional<PortPair> make_port_pair(Wire wire, std::string& error);

}  // namespace packetmill::dpdk
