#pragma once

#include <vector>

#include "ports/dpdk/devices.h"
#include "ports/dpdk/exchange.h"
#include "ports/dpdk/metadata.h"
#include "runtime/element.h"

namespace packetmill {

/// ToDPDKDevice: sends packets to a DPDK port. Every thread has a transmit queue and, before it, an internal queue of
/// its own.
///
/// Ports:     1-n inputs (push), no output.
/// Keywords:  PORT (mandatory): see FromDPDKDevice. QUEUE, N_QUEUES are accepted: there is a queue a thread. IQUEUE:
///            packets that an internal queue holds (default 1024). BLOCKING (default true): where it is full, waits for
///            the device, until the run ends; false: drops. BURST: packets that are given to the device at a time
///            (default 32). TIMEOUT: how long, in milliseconds, fewer than BURST packets may wait; 0, the default, sends at the end of every
///            batch; negative: for ever. NDESC: transmit descriptors; 0, the default, is what the driver recommends. ALLOW_NONEXISTENT
///            (default false): where there is no such port, packets are dropped. MAXTHREADS, NUMA and VERBOSE are accepted and have no effect.
/// Handlers:  count and n_sent, n_dropped and dropped, reset_counts, and of the device: hw_count, hw_bytes, hw_errors,
///            mac, driver.
/// Drops:     queue_full (with BLOCKING false); no_mbuf: a packet that was not received from a DPDK port is copied into
///            a buffer of the port's pool, and there was none, or the packet is longer than such a buffer; no_device
///            (ALLOW_NONEXISTENT).
/// See also:  FromDPDKDevice, ToDump
struct ToDPDKDevice {
  static constexpr ElementInfo info{.name = "ToDPDKDevice", .ports = "1-/0", .processing = "h/h", .flow = "x/"};

  struct Parameters {
    Text port;
    unsigned queue = 0;
    int queues = -1;
    unsigned internal_queue = 1024;
    bool blocking = true;
    unsigned burst = 32;
    int timeout = 0;
    unsigned descriptors = 0;
    int most_threads = -1;
    bool numa = false;
    int verbose = 0;
    bool allow_nonexistent = false;
  };
  struct Control {
    dpdk::Port* device = nullptr;  ///< null: there is none, as ALLOW_NONEXISTENT allows
  };
  struct State {
    std::vector<rte_mbuf*> waiting;         ///< the internal queue; of a port that exchanges:
    std::vector<dpdk::Outgoing> exchanged;  ///< this one
    unsigned first = 0;                     ///< what waits is [first, last)
    unsigned last = 0;
    unsigned room = 0;  ///< the internal queue's; 0 where there is no device
    bool exchanges = false;
    std::uint64_t sent = 0;
  };
  static constexpr auto keywords =
      describe(mandatory<&Parameters::port>("PORT"), positional<&Parameters::queue>("QUEUE"),
               positional<&Parameters::queues>("N_QUEUES"), keyword<&Parameters::internal_queue>("IQUEUE"),
               keyword<&Parameters::blocking>("BLOCKING"), keyword<&Parameters::burst>("BURST"),
               keyword<&Parameters::timeout>("TIMEOUT"), keyword<&Parameters::descriptors>("NDESC"),
               keyword<&Parameters::most_threads>("MAXTHREADS"), keyword<&Parameters::numa>("NUMA"),
               keyword<&Parameters::verbose>("VERBOSE"), keyword<&Parameters::allow_nonexistent>("ALLOW_NONEXISTENT"));
  static constexpr Reason queue_full{0, "queue_full"};
  static constexpr Reason no_mbuf{1, "no_mbuf"};
  static constexpr Reason no_device{2, "no_device"};
  static constexpr auto drops = describe(queue_full, no_mbuf, no_device);
  static constexpr auto count_sent = [](const auto& element) { return element.sum(&State::sent); };
  static constexpr auto count_dropped = [](const auto& element) { return element.dropped(); };
  static constexpr auto handlers =
      describe(read("count", count_sent), read("n_sent", count_sent), read("dropped", count_dropped),
               read("n_dropped", count_dropped),
               write("reset_counts",
                     [](auto& element, auto) {
                       element.for_each_state([](auto& state) { state.sent = 0; });
                       return Refusal();
                     }),
               read("hw_count",
                    [](const auto& element) {
                      return dpdk::of_port(element, [](const auto& port) { return port.statistics().sent; });
                    }),
               read("hw_bytes",
                    [](const auto& element) {
                      return dpdk::of_port(element, [](const auto& port) { return port.statistics().sent_bytes; });
                    }),
               read("hw_errors",
                    [](const auto& element) {
                      return dpdk::of_port(element, [](const auto& port) { return port.statistics().send_errors; });
                    }),
               read("mac",
                    [](const auto& element) {
                      return dpdk::of_port(element, [](const auto& port) { return EthernetAddress{port.mac()}; });
                    }),
               read("driver", [](const auto& element) {
                 return dpdk::of_port(element, [](const auto& port) { return port.capabilities().driver; });
               }));

  static std::size_t size(const State& state) { return state.last - state.first; }
  static std::uint64_t capacity(const auto& element) {
    return std::uint64_t{element.parameters().internal_queue} * static_cast<unsigned>(element.cores());
  }
  /// One a core: sends what the device had no room for, or what has waited for TIMEOUT.
  static int tasks(const Parameters&, int cores) { return cores; }

  static void configure(Configuration& configuration, Parameters& p) {
    if (p.internal_queue == 0 || p.burst == 0) configuration.error("IQUEUE and BURST must be at least 1");
  }
  static Refusal initialize(auto& element) {
    const Parameters& p = element.parameters();
    element.sleep();
    auto& devices = element.template resource<dpdk::Devices>("dpdk");
    if (p.allow_nonexistent && !devices.exists(std::string(p.port))) return {};  // no packet finds room in its queue
    return devices.claim(std::string(p.port), {.transmit_queues = static_cast<unsigned>(element.cores()),
                                               .transmit_descriptors = p.descriptors});
  }
  static Refusal start(auto& element) {
    const Parameters& p = element.parameters();
    auto& devices = element.template resource<dpdk::Devices>("dpdk");
    if (p.allow_nonexistent && !devices.exists(std::string(p.port))) return {};
    if (auto wrong = dpdk::start_port(element, devices)) return wrong;
    element.for_each_state([&](State& state) {
      state.room = p.internal_queue;
      state.exchanges = element.control().device->exchanges();
      if (state.exchanges)
        state.exchanged.resize(state.room);
      else
        state.waiting.resize(state.room);
    });
    return {};
  }
  static void cleanup(auto& element) {
    element.for_each_state([](State& state) {
      if (!state.exchanges) dpdk::release(state.waiting.data() + state.first, state.last - state.first);
      for (unsigned i = state.first; state.exchanges && i < state.last; ++i)
        dpdk::free_exchanged(state.exchanged[i].buffer);
      state.first = state.last = 0;
    });
  }

  static Output process(auto& context, In, auto& packet) {
    State& state = context.state();
    if (state.last == state.room) [[unlikely]] {
      if (context.control().device == nullptr) return drop(no_device);
      if (!make_room(context)) return drop(queue_full);
    }
    if constexpr (std::remove_cvref_t<decltype(context)>::may_exchange)
      if (state.exchanges) return exchange(context, packet);
    rte_mbuf* frame = dpdk::buffer_of(packet.underlying());
    if (frame == nullptr) [[unlikely]] {
      frame = dpdk::copy_of(packet.underlying(), context.control().device->pool());
      if (frame == nullptr) return drop(no_mbuf);
      state.waiting[state.last++] = frame;
      context.free(packet);
      return held();
    }
    state.waiting[state.last++] = frame;
    context.detach(packet);
    return held();
  }

  static void flush(auto& context) {
    const Parameters& p = context.parameters();
    State& state = context.state();
    if (state.first == state.last) return;
    if (p.timeout == 0 || state.last - state.first >= p.burst)
      transmit(context);
    else if (p.timeout > 0)
      context.wake_at(context.now() + Duration::milliseconds(p.timeout));
    if (p.timeout == 0 && state.first != state.last) context.wake();
  }

  static bool run(auto& context) {
    State& state = context.state();
    if (state.first != state.last) transmit(context);
    if (state.first == state.last) context.sleep();
    return true;
  }

 private:
  /// A packet whose buffer is under exchange goes as it is, any other in a copy.
  [[gnu::always_inline]] static Output exchange(auto& context, auto& packet) {
    State& state = context.state();
    const auto& frame = packet.underlying();
    if (frame.release == dpdk::free_exchanged) [[likely]] {
      state.exchanged[state.last++] = {frame.owner, frame.data(), frame.length()};
      context.detach(packet);
      return held();
    }
    const auto copy = dpdk::exchanged_copy(frame.data(), frame.length(), context.control().device->pool());
    if (copy.buffer == nullptr) return drop(no_mbuf);
    state.exchanged[state.last++] = copy;
    context.free(packet);
    return held();
  }

  /// Gives the device as much of the internal queue as it takes, BURST at a time.
  static void transmit(auto& context) {
    dpdk::register_thread();
    const Parameters& p = context.parameters();
    State& state = context.state();
    while (state.first != state.last) {
      const unsigned n = std::min(state.last - state.first, p.burst);
      dpdk::Port& device = *context.control().device;
      const auto core = static_cast<unsigned>(context.core());
      const unsigned taken = state.exchanges
                                 ? dpdk::transmit_exchanged(device, core, state.exchanged.data() + state.first, n)
                                 : dpdk::transmit(device, core, state.waiting.data() + state.first, n);
      state.first += taken;
      state.sent += taken;
      context.sent_detached(taken);
      if (taken < n) break;
    }
    if (state.first == state.last) state.first = state.last = 0;
  }

  /// By value: the context of packets that find room is not in memory for it.
  [[gnu::noinline]] static bool make_room(auto context) {
    State& state = context.state();
    do {
      transmit(context);
      if (state.first > 0) {
        const auto move_up = [&](auto& queue) {
          std::copy(queue.begin() + state.first, queue.begin() + state.last, queue.begin());
        };
        state.exchanges ? move_up(state.exchanged) : move_up(state.waiting);
        state.last -= state.first;
        state.first = 0;
      }
    } while (state.last == state.room && context.parameters().blocking && !context.stopping());
    return state.last < state.room;
  }
};

}  // namespace packetmill
