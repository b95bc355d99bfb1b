#include "ports/dpdk/port_pair.h"

#include <rte_bus_vdev.h>
#include <rte_errno.h>
#include <rte_eth_ring.h>
#include <rte_ethdev.h>
#include <unistd.h>

#include "ports/dpdk/eal.h"

namespace packetmill::dpdk {
namespace {

std::optional<std::uint16_t> port_named(const std::string& name) {
  std::uint16_t number = 0;
  if (rte_eth_dev_get_port_by_name(name.c_str(), &number) != 0) return std::nullopt;
  return number;
}

bool join_by_rings() {
  constexpr unsigned kFrames = 1024;
  const auto socket = static_cast<int>(rte_socket_id());
  rte_ring* there = rte_ring_create("packetmill_there", kFrames, socket, RING_F_SP_ENQ | RING_F_SC_DEQ);
  rte_ring* back = rte_ring_create("packetmill_back", kFrames, socket, RING_F_SP_ENQ | RING_F_SC_DEQ);
  if (there == nullptr || back == nullptr) return false;
  const auto node = static_cast<unsigned>(socket);
  return rte_eth_from_rings("first", &there, 1, &back, 1, node) >= 0 &&
         rte_eth_from_rings("second", &back, 1, &there, 1, node) >= 0;
}

bool join_by_memif() {
  // An abstract socket: no file is left behind. The process opens it for whichever role comes first: only a server listens.
  const std::string socket = "id=0,socket=packetmill-" + std::to_string(getpid()) + ",socket-abstract=yes,role=";
  return rte_vdev_init("net_memif_first", (socket + "server").c_str()) == 0 &&
         rte_vdev_init("net_memif_second", (socket + "client").c_str()) == 0;
}

/// virtio_user connects when it is made, so that the other end has to be there first; and it is to have the number before.
bool join_by_virtio() {
  const std::string socket = "/tmp/packetmill-" + std::to_string(getpid());
  if (rte_vdev_init("net_null_place", "") != 0 || rte_vdev_init("net_vhost_second", ("iface=" + socket).c_str()) != 0)
    return false;
  const auto second = port_named("net_vhost_second");
  const rte_eth_conf plain = {};
  if (!second || rte_eth_dev_configure(*second, 1, 1, &plain) != 0 || rte_vdev_uninit("net_null_place") != 0)
    return false;
  return rte_vdev_init(
             "net_virtio_user_first",
             ("path=" + socket + ",packed_vq=1,in_order=1,mrg_rxbuf=0,vectorized=1,queue_size=512").c_str()) == 0;
}

struct Kind {
  bool (*join)();
  const char* first;
  const char* second;
};
Kind kind_of(Wire wire) {
  switch (wire) {
    case Wire::ring:
      return {join_by_rings, "net_ring_first", "net_ring_second"};
    case Wire::memif:
      return {join_by_memif, "net_memif_first", "net_memif_second"};
    case Wire::virtio:
      return {join_by_virtio, "net_virtio_user_first", "net_vhost_second"};
  }
  return {};
}

}  // namespace

std::optional<PortPair> make_port_pair(Wire wire, std::string& error) {
  (void)take_recent_log();
  const Kind kind = kind_of(wire);
  if (kind.join()) {
    const auto first = port_named(kind.first);
    const auto second = port_named(kind.second);
    if (first && second) return PortPair{*first, *second};
  }
  const std::string said = take_recent_log();
  error = std::string("no ports ") + kind.first + " and " + kind.second + ": " +
          (said.empty() ? rte_strerror(rte_errno) : said);
  return std::nullopt;
}

}  // namespace packetmill::dpdk
