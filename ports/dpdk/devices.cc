#include "ports/dpdk/devices.h"

#include <rte_ethdev.h>
#include <rte_mempool.h>

#include <algorithm>

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

}  // namespace

void Devices::set_asks_nic(bool asks) { asks_nic = asks; }
void Devices::set_exchange(Exchange exchange) { exchange_of_process() = exchange; }

void Devices::set_arguments(std::vector<std::string> arguments) { arguments_of_process() = std::move(arguments); }

std::optional<std::string> Devices::start_dpdk() { return start_eal(arguments_of_process()); }

bool Devices::exists(const std::string& device) {
  std::string ignored;
  return !start_dpdk() && ports_.open(device, ignored) != nullptr;
}

std::optional<std::string> Devices::claim(const std::string& device, const Wish& wish) {
  if (auto wrong = start_dpdk()) return wrong;
  std::string error;
  Port* port = ports_.open(device, error);
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

std::optional<std::string> Devices::make_shared_pool() {
  constexpr unsigned kMostDescriptors = 4096;  // of a queue that leaves them to its driver
  unsigned count = 0;
  std::uint32_t max_frame = kUsualFrame;
  const auto descriptors = [](unsigned asked) { return asked == 0 ? kMostDescriptors : asked; };
  for (const auto& [port, wish] : wishes_) {
    count += buffers_ + wish.receive_queues * descriptors(wish.receive_descriptors) +
             wish.transmit_queues * descriptors(wish.transmit_descriptors);
    max_frame = std::max(max_frame, wish.max_frame);
  }
  std::string error;
  shared_pool_ = make_pool("exchange", count, max_frame, SOCKET_ID_ANY, error);
  return shared_pool_ ? std::nullopt : std::optional(error);
}

Port* Devices::start(const std::string& device, std::string& error, std::string& note) {
  Port* port = ports_.open(device, error);
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
  if (configuration.exchange) {
    if (!shared_pool_)
      if (auto wrong = make_shared_pool()) {
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
