#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ports/dpdk/spreader.h"
#include "ports/dpdk/toeplitz.h"

struct rte_mbuf;
struct rte_mempool;
struct xchg_port;

namespace packetmill::dpdk {

/// Ethernet with a VLAN tag around an IP packet of 2,000 bytes.
inline constexpr std::uint32_t kUsualFrame = 2018;

/// What a port is asked to be. Frames are counted in bytes from the destination address, without the check sequence.
struct PortConfiguration {
  std::uint16_t receive_queues = 1;        ///< 0 for a port that only sends
  std::uint16_t transmit_queues = 1;       ///< 0 for a port that only receives
  std::uint16_t receive_descriptors = 0;   ///< per queue; 0: what the driver recommends
  std::uint16_t transmit_descriptors = 0;  ///< per queue; 0: what the driver recommends
  std::uint32_t max_frame = 0;             ///< a longer one is dropped as too long; 0: 2,018, or the device's own most
  std::uint32_t buffers = 8192;            ///< for frames in flight, beyond what the descriptors hold
  std::uint64_t receive_offloads = 0;      ///< RTE_ETH_RX_OFFLOAD_*
  std::uint64_t transmit_offloads = 0;     ///< RTE_ETH_TX_OFFLOAD_*
  std::optional<std::array<std::uint8_t, 6>> mac = {};  ///< none: the device's own
  bool promiscuous = true;
  bool symmetric_rss = false;  ///< both directions of a flow go to the same queue
  /// X-Change where the driver has a data path for it. Then `pool` is to be given, one for all ports.
  bool exchange = false;
  rte_mempool* pool = nullptr;  ///< null: one of its own; otherwise of `make_pool`, and `buffers` means nothing
};

/// A mempool of `count` buffers for frames of `max_frame` bytes, with room for a Packet in front of each.
struct PoolDeleter {
  void operator()(rte_mempool* pool) const;
};
using Pool = std::unique_ptr<rte_mempool, PoolDeleter>;
[[nodiscard]] Pool make_pool(const std::string& name, std::uint64_t count, std::uint32_t max_frame, int socket,
                             std::string& error);

/// What the device behind a port can do.
struct PortCapabilities {
  std::string driver;  ///< "net_pcap", "net_ice", ...
  std::uint16_t receive_queues;
  std::uint16_t transmit_queues;
  std::uint64_t receive_offloads;   ///< RTE_ETH_RX_OFFLOAD_*
  std::uint64_t transmit_offloads;  ///< RTE_ETH_TX_OFFLOAD_*
  std::uint64_t rss_types;          ///< RTE_ETH_RSS_*; 0: no RSS
};

struct PortLink {
  bool up;
  std::uint32_t megabits;  ///< per second; 0: unknown
  bool full_duplex;
};

/// Since the port was started. What the device counts, and what we dropped behind it.
struct PortStatistics {
  std::uint64_t received, received_bytes;
  std::uint64_t sent, sent_bytes;
  std::uint64_t missed;     ///< the device had no free descriptor
  std::uint64_t no_buffer;  ///< the pool was empty
  std::uint64_t receive_errors;
  std::uint64_t send_errors;
  std::uint64_t too_long;       ///< dropped: longer than `max_frame`
  std::uint64_t rss_ring_full;  ///< dropped: by software RSS
  std::uint64_t linearised;     ///< received in several buffers and copied into one
};

/// One DPDK port. Control is here; frames move by `receive` and `transmit` in ports/dpdk/burst.h.
///
/// Queues are as many as asked for, whatever the device has: where it cannot spread what it receives, software does
/// (Spreader), and where it has fewer transmit queues, threads share them under a lock.
class Port {
 public:
  ~Port();
  Port(const Port&) = delete;
  Port& operator=(const Port&) = delete;

  [[nodiscard]] std::uint16_t number() const { return number_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] bool started() const { return started_; }

  /// Sets the port up and starts it; once. Returns what went wrong.
  [[nodiscard]] std::optional<std::string> start(const PortConfiguration& configuration);
  void stop();

  [[nodiscard]] PortCapabilities capabilities() const;
  [[nodiscard]] std::array<std::uint8_t, 6> mac() const;
  [[nodiscard]] PortLink link() const;
  [[nodiscard]] PortStatistics statistics() const;
  /// The driver's own statistics, by its own names.
  [[nodiscard]] std::vector<std::pair<std::string, std::uint64_t>> extended_statistics() const;
  /// Where this port's frames come from; its buffers have room for `max_frame` bytes. nullptr until started.
  [[nodiscard]] rte_mempool* pool() const { return pool_; }
  /// Whether frames pass by X-Change; where that was asked for and is not so, `why_not` says why.
  [[nodiscard]] bool exchanges() const { return exchange_ != nullptr; }
  [[nodiscard]] const std::string& why_not() const { return why_not_; }

 private:
  friend class Ports;
  friend struct Bursts;    // burst.h
  friend struct Arrivals;  // arrivals.h

  /// Written by one thread, read by any.
  class Count {
   public:
    void add(std::uint64_t n) { value_.store(value_.load(std::memory_order_relaxed) + n, std::memory_order_relaxed); }
    [[nodiscard]] std::uint64_t get() const { return value_.load(std::memory_order_relaxed); }

   private:
    std::atomic<std::uint64_t> value_{0};
  };
  struct alignas(64) ReceiveCounts {
    Count too_long;
    Count linearised;
  };
  struct alignas(64) TransmitLock {
    std::atomic_flag taken;
  };

  Port(std::uint16_t number, std::string name, std::string device, bool ours)
      : number_(number), name_(std::move(name)), device_(std::move(device)), ours_(ours) {}
  [[nodiscard]] std::optional<std::string> create_pool(const PortConfiguration& configuration, unsigned descriptors);
  void take_over();
  void close();

  std::uint16_t number_;
  std::string name_;
  std::string device_;  ///< as given to Ports::open
  bool ours_;           ///< made by Ports::open, so closing removes the device too
  bool started_ = false;
  bool closed_ = false;
  std::uint32_t max_frame_ = 0;
  Pool own_pool_;
  rte_mempool* pool_ = nullptr;
  xchg_port* exchange_ = nullptr;
  std::string why_not_;
  std::unique_ptr<Spreader<rte_mbuf>> spreader_;  ///< where the device cannot spread
  std::unique_ptr<Toeplitz> toeplitz_;            ///< what the spreader spreads by
  std::vector<ReceiveCounts> receive_counts_;     ///< per hardware queue
  std::vector<TransmitLock> transmit_locks_;      ///< per hardware queue; empty if each thread has its own
};

/// The ports of a process. Buffers travel between ports, so all are closed before any pool is given back.
class Ports {
 public:
  Ports() = default;
  ~Ports();
  Ports(const Ports&) = delete;
  Ports& operator=(const Ports&) = delete;

  /// The port that `device` names: a number ("0"), a device's name ("net_null0", "0000:3b:00.0"), or a device to
  /// make, with its driver's arguments ("net_pcap0,rx_pcap=in.pcap"). The same port for the same device. nullptr, with
  /// `error` set, if there is none. The EAL must have been started.
  [[nodiscard]] Port* open(const std::string& device, std::string& error);

  [[nodiscard]] const std::vector<std::unique_ptr<Port>>& all() const { return ports_; }

 private:
  std::vector<std::unique_ptr<Port>> ports_;
};

}  // namespace packetmill::dpdk
