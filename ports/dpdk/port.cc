#include "ports/dpdk/port.h"

#include <rte_bus.h>
#include <rte_dev.h>
#include <rte_errno.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>

#include <algorithm>
#include <charconv>

#include "ports/dpdk/burst.h"
#include "ports/dpdk/eal.h"
#include "ports/dpdk/exchange.h"
#include "runtime/packet.h"

namespace packetmill::dpdk {
namespace {

/// "WHAT: reason", with DPDK's own last words, which say more than its error numbers.
std::string failure(const std::string& what, int code) {
  const std::string said = take_recent_log();
  std::string text = what + ": " + rte_strerror(code < 0 ? -code : code);
  if (!said.empty()) text += "; " + said;
  return text;
}

/// The first offload of `asked` that `offered` lacks, by DPDK's name.
std::optional<std::string> missing_offload(std::uint64_t asked, std::uint64_t offered,
                                           const char* (*name)(std::uint64_t)) {
  const std::uint64_t missing = asked & ~offered;
  if (missing == 0) return std::nullopt;
  return std::string(name(missing & -missing));
}

std::string list_of_ports() {
  std::string list;
  std::uint16_t number;
  RTE_ETH_FOREACH_DEV(number) {
    char name[RTE_ETH_NAME_MAX_LEN] = "";
    rte_eth_dev_get_name_by_port(number, name);
    list += (list.empty() ? "" : ", ") + std::to_string(number) + " (" + name + ")";
  }
  return list.empty()
             ? "there is none; '--dpdk --vdev=net_null0 --' makes one, `packetmill doctor` says what a NIC needs"
             : "there are: " + list;
}

rte_eth_dev_info device_info(std::uint16_t number) {
  rte_eth_dev_info info{};
  rte_eth_dev_info_get(number, &info);
  return info;
}

/// The sixteen rings of net_ring are sixteen wires, not the queues of one: only the first is used. Rings also outlive
/// their device, and a new device of the same name finds what was left in them.
bool is_ring(const rte_eth_dev_info& info) {
  return info.driver_name && std::string_view(info.driver_name) == "net_ring";
}

}  // namespace

void PoolDeleter::operator()(rte_mempool* pool) const { rte_mempool_free(pool); }

Port::~Port() { close(); }

Pool make_pool(const std::string& name, std::uint64_t count, std::uint32_t max_frame, int socket, std::string& error) {
  // Drivers take 2,048 bytes behind the headroom for granted, whatever the frames' size.
  constexpr std::uint32_t kLeastRoom = 2048;
  const std::uint32_t room = RTE_PKTMBUF_HEADROOM + std::max(kLeastRoom, (max_frame + 63) / 64 * 64);
  if (room > UINT16_MAX) {
    error = "frames of " + std::to_string(max_frame) + " bytes do not fit a buffer";
    return nullptr;
  }
  constexpr std::uint64_t kMost = UINT32_MAX;
  constexpr unsigned kCache = 256;  // per thread
  const auto cache = static_cast<unsigned>(std::min<std::uint64_t>(kCache, count / 2));
  // Behind each mbuf there is room for a packet's own metadata (dpdk::has_room).
  Pool pool(rte_pktmbuf_pool_create(name.c_str(), static_cast<unsigned>(std::min(count, kMost)), cache, sizeof(Packet),
                                    static_cast<std::uint16_t>(room), socket));
  if (!pool) error = failure("no memory for " + std::to_string(count) + " buffers", rte_errno);
  return pool;
}

std::optional<std::string> Port::create_pool(const PortConfiguration& configuration, unsigned descriptors) {
  pool_ = configuration.pool;
  if (pool_ != nullptr) return std::nullopt;
  std::string error;
  own_pool_ = make_pool("port" + std::to_string(number_), configuration.buffers + descriptors, max_frame_,
                        rte_eth_dev_socket_id(number_), error);
  pool_ = own_pool_.get();
  return own_pool_ ? std::nullopt : std::optional(error);
}

std::optional<std::string> Port::start(const PortConfiguration& configuration) {
  if (started_) return "port " + name_ + " is already started";
  (void)take_recent_log();
  const auto fail = [&](const std::string& what, int code) { return failure("port " + name_ + ": " + what, code); };

  rte_eth_dev_info info{};
  if (const int code = rte_eth_dev_info_get(number_, &info)) return fail("no information", code);
  if (const auto name =
          missing_offload(configuration.receive_offloads, info.rx_offload_capa, rte_eth_dev_rx_offload_name))
    return "port " + name_ + " has no receive offload " + *name;
  if (const auto name =
          missing_offload(configuration.transmit_offloads, info.tx_offload_capa, rte_eth_dev_tx_offload_name))
    return "port " + name_ + " has no transmit offload " + *name;

  rte_eth_conf device{};
  device.rxmode.offloads = configuration.receive_offloads;
  device.txmode.offloads = configuration.transmit_offloads;
  const std::uint32_t overhead = RTE_ETHER_HDR_LEN + RTE_ETHER_CRC_LEN;  // with room for one VLAN tag in `max_frame_`
  max_frame_ = configuration.max_frame != 0 ? configuration.max_frame : std::min(kUsualFrame, info.max_rx_pktlen);
  if (max_frame_ < RTE_ETHER_MIN_MTU + overhead) return "port " + name_ + ": frames of less than 86 bytes";
  device.rxmode.mtu = max_frame_ - overhead;

  if (is_ring(info)) info.max_rx_queues = info.max_tx_queues = 1;
  // A device that has RSS, or as many queues as asked for, spreads itself; another is read through one queue.
  std::uint16_t receive_queues = configuration.receive_queues;
  if (is_ring(info)) receive_queues = std::max<std::uint16_t>(receive_queues, 1);  // for what stop() takes out
  const RssKey& key = configuration.symmetric_rss ? kSymmetricRssKey : kDefaultRssKey;
  std::vector<std::uint8_t> device_key(key.begin(), key.end());
  if (receive_queues > 1) {
    const std::uint64_t types = info.flow_type_rss_offloads & (RTE_ETH_RSS_IP | RTE_ETH_RSS_TCP | RTE_ETH_RSS_UDP);
    if (receive_queues > info.max_rx_queues) {
      if (info.max_rx_queues > 1)
        return "port " + name_ + " has only " + std::to_string(info.max_rx_queues) + " receive queues";
      spreader_ = std::make_unique<Spreader<rte_mbuf>>(receive_queues, configuration.buffers / receive_queues);
      toeplitz_ = std::make_unique<Toeplitz>(key);
      receive_queues = 1;
    } else if (types != 0) {
      device.rxmode.mq_mode = RTE_ETH_MQ_RX_RSS;
      device.rx_adv_conf.rss_conf.rss_hf = types;
      for (std::size_t i = key.size(); i < info.hash_key_size; ++i) device_key.push_back(key[i % key.size()]);
      if (info.hash_key_size > 0) {
        device.rx_adv_conf.rss_conf.rss_key = device_key.data();
        device.rx_adv_conf.rss_conf.rss_key_len = static_cast<std::uint8_t>(device_key.size());
      }
    }
  }
  const std::uint16_t transmit_queues = std::min(configuration.transmit_queues, info.max_tx_queues);
  if (configuration.transmit_queues > 0 && transmit_queues == 0) return "port " + name_ + " cannot send";
  if (transmit_queues < configuration.transmit_queues) transmit_locks_ = std::vector<TransmitLock>(transmit_queues);

  if (const int code = rte_eth_dev_configure(number_, receive_queues, transmit_queues, &device))
    return fail("cannot be configured", code);
  if (configuration.mac) {
    rte_ether_addr address;
    std::copy(configuration.mac->begin(), configuration.mac->end(), address.addr_bytes);
    if (const int code = rte_eth_dev_default_mac_addr_set(number_, &address)) return fail("address", code);
  }
  std::uint16_t receive_descriptors = configuration.receive_descriptors;
  std::uint16_t transmit_descriptors = configuration.transmit_descriptors;
  if (receive_descriptors == 0) receive_descriptors = info.default_rxportconf.ring_size;
  if (receive_descriptors == 0) receive_descriptors = RTE_ETH_DEV_FALLBACK_RX_RINGSIZE;
  if (transmit_descriptors == 0) transmit_descriptors = info.default_txportconf.ring_size;
  if (transmit_descriptors == 0) transmit_descriptors = RTE_ETH_DEV_FALLBACK_TX_RINGSIZE;
  if (const int code = rte_eth_dev_adjust_nb_rx_tx_desc(number_, &receive_descriptors, &transmit_descriptors))
    return fail("does not take that many descriptors", code);

  const unsigned descriptors = receive_queues * receive_descriptors + transmit_queues * transmit_descriptors;
  if (auto error = create_pool(configuration, descriptors)) return "port " + name_ + ": " + *error;
  const auto socket = static_cast<unsigned>(rte_eth_dev_socket_id(number_));
  rte_eth_rxconf receive_conf = info.default_rxconf;
  receive_conf.offloads = configuration.receive_offloads & info.rx_queue_offload_capa;
  for (std::uint16_t queue = 0; queue < receive_queues; ++queue)
    if (const int code = rte_eth_rx_queue_setup(number_, queue, receive_descriptors, socket, &receive_conf, pool_))
      return fail("receive queue " + std::to_string(queue), code);
  rte_eth_txconf transmit_conf = info.default_txconf;
  transmit_conf.offloads = configuration.transmit_offloads & info.tx_queue_offload_capa;
  for (std::uint16_t queue = 0; queue < transmit_queues; ++queue)
    if (const int code = rte_eth_tx_queue_setup(number_, queue, transmit_descriptors, socket, &transmit_conf))
      return fail("transmit queue " + std::to_string(queue), code);

  receive_counts_ = std::vector<ReceiveCounts>(receive_queues);
  if (const int code = rte_eth_dev_start(number_)) return fail("does not start", code);
  started_ = true;
  // Virtual devices know no address filter, which is as good as promiscuous.
  const int code =
      configuration.promiscuous ? rte_eth_promiscuous_enable(number_) : rte_eth_promiscuous_disable(number_);
  if (code != 0 && code != -ENOTSUP) return fail("promiscuous mode", code);
  if (configuration.exchange) take_over();
  return std::nullopt;
}

void Port::take_over() {
  const char* reason = "";
  if (spreader_)
    reason = "software spreads what it receives";
  else if (!transmit_locks_.empty())
    reason = "threads share its transmit queues";
  else
    exchange_ = xchg_takeover(number_, pool_, &reason);
  if (exchange_ == nullptr) why_not_ = reason;
}

void Port::stop() {
  if (!started_) return;
  spares.drain();
  xchg_release(exchange_);
  exchange_ = nullptr;
  if (is_ring(device_info(number_)) && !receive_counts_.empty()) {
    rte_mbuf* frames[32];
    while (const unsigned count = Bursts::receive_contiguous(*this, 0, frames, 32)) release(frames, count);
  }
  rte_eth_dev_stop(number_);
  if (spreader_) spreader_->drain(Bursts::SpreadDevice{*this});
  started_ = false;
}

void Port::close() {
  if (closed_) return;
  closed_ = true;
  stop();
  rte_device* const device = device_info(number_).device;
  rte_eth_dev_close(number_);
  if (ours_ && device) rte_dev_remove(device);
}

PortCapabilities Port::capabilities() const {
  const rte_eth_dev_info info = device_info(number_);
  return {.driver = info.driver_name ? info.driver_name : "",
          .receive_queues = info.max_rx_queues,
          .transmit_queues = info.max_tx_queues,
          .receive_offloads = info.rx_offload_capa,
          .transmit_offloads = info.tx_offload_capa,
          .rss_types = info.flow_type_rss_offloads};
}

std::array<std::uint8_t, 6> Port::mac() const {
  rte_ether_addr address{};
  rte_eth_macaddr_get(number_, &address);
  return std::to_array(address.addr_bytes);
}

PortLink Port::link() const {
  rte_eth_link link{};
  rte_eth_link_get_nowait(number_, &link);
  const bool known = link.link_speed != RTE_ETH_SPEED_NUM_UNKNOWN;
  return {.up = link.link_status == RTE_ETH_LINK_UP,
          .megabits = known ? link.link_speed : 0,
          .full_duplex = link.link_duplex == RTE_ETH_LINK_FULL_DUPLEX};
}

PortStatistics Port::statistics() const {
  rte_eth_stats device{};
  rte_eth_stats_get(number_, &device);
  PortStatistics statistics{.received = device.ipackets,
                            .received_bytes = device.ibytes,
                            .sent = device.opackets,
                            .sent_bytes = device.obytes,
                            .missed = device.imissed,
                            .no_buffer = device.rx_nombuf,
                            .receive_errors = device.ierrors,
                            .send_errors = device.oerrors,
                            .too_long = 0,
                            .rss_ring_full = spreader_ ? spreader_->ring_full() : 0,
                            .linearised = 0};
  for (const ReceiveCounts& counts : receive_counts_) {
    statistics.too_long += counts.too_long.get();
    statistics.linearised += counts.linearised.get();
  }
  return statistics;
}

std::vector<std::pair<std::string, std::uint64_t>> Port::extended_statistics() const {
  const int count = rte_eth_xstats_get_names(number_, nullptr, 0);
  if (count <= 0) return {};
  std::vector<rte_eth_xstat_name> names(static_cast<std::size_t>(count));
  std::vector<rte_eth_xstat> values(names.size());
  rte_eth_xstats_get_names(number_, names.data(), static_cast<unsigned>(count));
  if (rte_eth_xstats_get(number_, values.data(), static_cast<unsigned>(count)) != count) return {};
  std::vector<std::pair<std::string, std::uint64_t>> statistics;
  for (const rte_eth_xstat& value : values) statistics.emplace_back(names[value.id].name, value.value);
  return statistics;
}

Ports::~Ports() {
  for (const auto& port : ports_) port->close();
}

Port* Ports::open(const std::string& device, std::string& error) {
  if (!eal_started()) {
    error = "DPDK is not running";
    return nullptr;
  }
  std::uint16_t number = RTE_MAX_ETHPORTS;
  const auto [end, invalid] = std::from_chars(device.data(), device.data() + device.size(), number);
  const bool numeric = invalid == std::errc() && end == device.data() + device.size();
  const std::string name = device.substr(0, device.find(','));
  bool ours = false;
  if (numeric) {
    if (!rte_eth_dev_is_valid_port(number)) {
      error = "no DPDK port " + device + "; " + list_of_ports();
      return nullptr;
    }
  } else if (rte_eth_dev_get_port_by_name(name.c_str(), &number) != 0) {
    (void)take_recent_log();
    const int code = rte_dev_probe(device.c_str());
    ours = code == 0;
    if (code != 0 || rte_eth_dev_get_port_by_name(name.c_str(), &number) != 0) {
      error = failure("no DPDK device '" + device + "'", code);
      return nullptr;
    }
  }
  for (const auto& port : ports_) {
    if (port->number() != number) continue;
    if (device == port->device_ || numeric || device == name) return port.get();
    error = "DPDK device '" + name + "' is already there as '" + port->device_ + "'";
    return nullptr;
  }
  char known[RTE_ETH_NAME_MAX_LEN] = "";
  rte_eth_dev_get_name_by_port(number, known);
  ports_.emplace_back(new Port(number, known, device, ours));
  return ports_.back().get();
}

}  // namespace packetmill::dpdk
