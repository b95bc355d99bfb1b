#include "ports/dpdk/devices.h"

#include <rte_ethdev.h>
#include <rte_mempool.h>

#include <algorithm>

#include "ports/dpdk/exchange.h"

namespace packetmill::dpdk {
namespace {

std::vector<std::string>& arguments_of_process() {
  static std::vector<std::string> arguments;
  return arguments;
}

bool asks_nic = false;

Devices::Exchange& exchange_of_process() {
  static Devices::Exchange exchange;
  return exchange;
}

std::optional<std::string>& lost_by_process() {
  static std::optional<std::string> lost;
  return lost;
}

}  // namespace

const std::optional<std::string>& Devices::lost() { return lost_by_process(); }

Devices::~Devices() {
  std::string names;
  for (const auto& [port, wish] : wishes_)
    if (port->exchanges()) names += (names.empty() ? "" : ", ") + port->name();
  ports_.reset();
  if (names.empty()) return;
  show_all(shared_pool_.get());
  const unsigned missing = rte_mempool_in_use_count(shared_pool_.get());
  if (missing > 0)
    lost_by_process() = "X-Change on " + names + ": " + std::to_string(missing) + " of " +
                        std::to_string(shared_pool_->size) +
                        " buffers are missing at the end; please report this, with the configuration and its plan";
}

void Devices::set_asks_nic(bool asks) { asks_nic = asks; }

void Devices::set_exchange(Exchange exchange) { exchange_of_process() = exchange; }

void Devices::set_arguments(std::vector<std::string> arguments) { arguments_of_process() = std::move(arguments); }

std::optional<std::string> Devices::start_dpdk() { return start_eal(arguments_of_process()); }

bool Devices::exists(const std::string& device) {
  std::string ignored;
  return !start_dpdk() && ports_->open(device, ignored) != nullptr;
}

std::optional<std::string> Devices::claim(const std::string& device, const Wish& wish) {
  if (auto wrong = start_dpdk()) return wrong;
  std::string error;
  Port* port = ports_->open(device, error);
  if (port == nullptr) return error;
  Wish& total = wishes_[port];
  total.receive_queues = std::max(total.receive_queues, wish.receive_queues);
  total.transmit_queues = std::max(total.transmit_queues, wish.transmit_queues);
  total.receive_descriptors = std::max(total.receive_descriptors, wish.receive_descriptors);
  total.transmit_descriptors = std::max(total.transmit_descriptors, wish.transmit_descriptors);
  total.max_frame = std::max(total.max_frame, wish.max_frame);
  if (wish.mac) total.mac = wish.mac;
  total.promiscuous |= wish.promiscuous;
  return std::nullopt;
}

/// Rings, bursts and what threads keep at hand, what stores may hold.
std::optional<std::string> Devices::make_shared_pool(unsigned cores, const ControlPlane::Stores& stores) {
  constexpr unsigned kMostDescriptors = 4096;  // of a queue that leaves them to its driver
  constexpr unsigned kAtHand = Spares::kMost + RTE_MEMPOOL_CACHE_MAX_SIZE;
  std::uint64_t count = stores.held + std::uint64_t{cores} * kAtHand;
  std::uint32_t max_frame = kUsualFrame;
  const auto descriptors = [](unsigned asked) { return asked == 0 ? kMostDescriptors : asked; };
  for (const auto& [port, wish] : wishes_) {
    count += buffers_ + wish.receive_queues * descriptors(wish.receive_descriptors) +
             wish.transmit_queues * descriptors(wish.transmit_descriptors);
    max_frame = std::max(max_frame, wish.max_frame);
  }
  std::string error;
  shared_pool_ = make_pool("exchange", count, max_frame, SOCKET_ID_ANY, error);
  if (shared_pool_) return std::nullopt;
  if (stores.held > 0)
    error +=
        "; " + stores.most + " may hold " + std::to_string(stores.held_by_most) +
        " packets, each in a buffer of the NIC's: give it a smaller capacity, DPDK more memory (-m MEGABYTES behind "
        "--dpdk), or build with --set metadata=copying";
  return error;
}

Port* Devices::start(const std::string& device, unsigned cores, const ControlPlane::Stores& stores, std::string& error,
                     std::string& note) {
  Port* port = ports_->open(device, error);
  if (port == nullptr || port->started()) return port;
  const Wish& wish = wishes_.at(port);
  PortConfiguration configuration;
  configuration.receive_queues = static_cast<std::uint16_t>(wish.receive_queues);
  configuration.transmit_queues = static_cast<std::uint16_t>(wish.transmit_queues);
  configuration.receive_descriptors = static_cast<std::uint16_t>(wish.receive_descriptors);
  configuration.transmit_descriptors = static_cast<std::uint16_t>(wish.transmit_descriptors);
  configuration.buffers = buffers_;
  configuration.max_frame = wish.max_frame;
  configuration.mac = wish.mac;
  configuration.promiscuous = wish.promiscuous;
  if (asks_nic) configuration.receive_offloads = port->capabilities().receive_offloads & RTE_ETH_RX_OFFLOAD_CHECKSUM;
  configuration.exchange = exchange_of_process().wanted;
  const auto has_data_path = [](const auto& wish) { return xchg_has_data_path(wish.first->number()); };
  if (configuration.exchange && std::ranges::any_of(wishes_, has_data_path)) {
    if (!shared_pool_)
      if (auto wrong = make_shared_pool(cores, stores)) {
        error = *wrong;
        return nullptr;
      }
    configuration.pool = shared_pool_.get();
  }
  if (auto wrong = port->start(configuration)) {
    error = *wrong;
    return nullptr;
  }
  if (exchange_of_process().expected && !port->why_not().empty())
    note = "port " + device + " has no X-Change, metadata lies beside its mbufs: " + port->why_not();
  return port;
}

}  // namespace packetmill::dpdk
