#include "cli/open_loop.h"

#include <pthread.h>
#include <sched.h>

#include <nlohmann/json.hpp>

#include "ports/dpdk/devices.h"

namespace packetmill::bench {
NLOHMANN_JSON_SERIALIZE_ENUM(Arrivals, {{Arrivals::poisson, "poisson"}, {Arrivals::constant, "constant"}})
}
namespace packetmill::dpdk {
NLOHMANN_JSON_SERIALIZE_ENUM(Wire, {{Wire::ring, "ring"}, {Wire::memif, "memif"}, {Wire::virtio, "virtio"}})
}

namespace packetmill::cli {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(OpenLoopOrder, wire, arrivals, gap, duration, seed, cpu)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(OpenLoopReport, offered, refused, delivered, cycles, p50, p99, p999, late_p99)

namespace {

template <class T>
std::optional<T> read(const std::string& text) {
  try {
    return nlohmann::json::parse(text).get<T>();
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

OpenLoopReport report_of(const bench::OpenLoopResult& result) {
  return {.offered = result.offered,
          .refused = result.refused,
          .delivered = result.delivered,
          .cycles = result.cycles,
          .p50 = result.latency.quantile(0.5),
          .p99 = result.latency.quantile(0.99),
          .p999 = result.latency.quantile(0.999),
          .late_p99 = result.lateness.quantile(0.99)};
}

}  // namespace

std::string OpenLoopOrder::to_json() const { return nlohmann::json(*this).dump(); }
std::vector<std::string> OpenLoopOrder::arguments() const {
  // No NIC of this machine may become port 0.
  std::vector<std::string> words{"-w", "--open-loop", to_json(), "--dpdk", "--no-pci"};
  // All memory from the start: a heap that grows while vhost and virtio_user share a process has each wait for the other.
  if (wire == dpdk::Wire::virtio)
    words.insert(words.end(), {"-m", "512", "--single-file-segments", "--force-max-simd-bitwidth=512"});
  words.emplace_back("--");
  return words;
}
dpdk::Wire wire_named(const std::string& name) { return nlohmann::json(name).get<dpdk::Wire>(); }

std::string OpenLoopReport::to_json() const { return nlohmann::json(*this).dump(); }
std::optional<OpenLoopReport> OpenLoopReport::from_json(const std::string& text) { return read<OpenLoopReport>(text); }

std::unique_ptr<OpenLoopThread> OpenLoopThread::make(const std::string& order, std::string& error) {
  const auto read_order = read<OpenLoopOrder>(order);
  if (!read_order) {
    error = "--open-loop: not an order of 'packetmill latency'";
    return nullptr;
  }
  if (auto wrong = dpdk::Devices::start_dpdk()) {
    error = *wrong;
    return nullptr;
  }
  const auto pair = dpdk::make_port_pair(read_order->wire, error);
  if (!pair) return nullptr;
  std::unique_ptr<OpenLoopThread> result(new OpenLoopThread);
  result->order_ = *read_order;
  result->port_ = result->ports_.open(std::to_string(pair->second), error);
  return result->port_ == nullptr ? nullptr : std::move(result);
}

OpenLoopThread::~OpenLoopThread() {
  if (!thread_.joinable()) return;
  loop_->stop();
  thread_.join();
}

std::optional<std::string> OpenLoopThread::start(std::function<void()> on_end) {
  if (auto wrong = port_->start({})) return wrong;
  loop_ = std::make_unique<bench::OpenLoop>(*port_, order_.seed);
  thread_ = std::thread([this, on_end = std::move(on_end)] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(order_.cpu), &one);
    pthread_setaffinity_np(pthread_self(), sizeof one, &one);
    run();
    on_end();
  });
  return std::nullopt;
}

void OpenLoopThread::run() {
  if (!loop_->wait_for_answer()) return;
  const bench::Schedule schedule(order_.arrivals, order_.gap, order_.seed);
  (void)loop_->run(schedule, order_.duration / 10);  // warms up
  report_ = report_of(loop_->run(schedule, order_.duration));
}

std::optional<OpenLoopReport> OpenLoopThread::finish(std::string& error) {
  loop_->stop();  // where the router ended by itself
  thread_.join();
  port_->stop();  // gives back what the router's own buffers still hold here
  if (!report_)
    error = "no frame came back to the generator: does the configuration send what it receives from port 0 to port 0?";
  return report_;
}

}  // namespace packetmill::cli
