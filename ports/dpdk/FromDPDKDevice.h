#pragma once

#include "ports/dpdk/arrivals.h"
#include "ports/dpdk/devices.h"
#include "runtime/element.h"

namespace packetmill {

/// FromDPDKDevice: receives frames from a DPDK port, a burst at a time, on as many queues as asked for.
///
/// Ports:     no input, 1 output (push).
/// Keywords:  PORT (mandatory): a number, a device's name or PCI address, or a virtual device with its arguments
///            ("net_pcap0,rx_pcap=in.pcap"). QUEUE: the first queue (default 0). N_QUEUES: how many; -1, the default,
///            is one a thread, but not more than MAXTHREADS (-1, the default: any number). Each queue is read by a thread of its own, from the element's
///            on, or from THREADOFFSET on; a port without RSS of its own is spread over them by Toeplitz hash. BURST:
///            frames at a time (default 32). NDESC: receive descriptors; 0, the default, is what the driver recommends.
///            PROMISC (default true). MAC: the port's address (default: the device's own). MTU: the longest IP packet; a
///            frame longer by more than its Ethernet header and a VLAN tag is dropped; 0, the default, is 2000, or what
///            the device can. TIMESTAMP (default false): sets the packet's time. RSS_AGGREGATE (default false): sets the
///            aggregate annotation to the RSS hash. PAINT_QUEUE (default false): sets the paint annotation to the
///            queue's number. ACTIVE (default true). ALLOW_NONEXISTENT (default false): where there is
///            no such port, the element does nothing. NUMA and VERBOSE are accepted and have no effect.
/// Sets:      MacHeader, Kind, RssHash; under offloads = nic CheckedHeader, CheckedSegment; ReceiveTime, AggregateNumber and PaintColor where asked to.
/// Handlers:  count, bytes, reset_counts (also reset_count), active (read/write), nb_rx_queues, and of the device: hw_count, hw_bytes,
///            hw_dropped, hw_errors, mac, driver, carrier, speed, xstats.
/// See also:  ToDPDKDevice, FromDump; EAL arguments follow `--dpdk` on the command line.
struct FromDPDKDevice {
  static constexpr ElementInfo info{.name = "FromDPDKDevice", .ports = "0/1", .processing = "h/h", .flow = "/x"};

  struct Parameters {
    Text port;
    unsigned queue = 0;
    int queues = -1;
    unsigned burst = 32;
    unsigned descriptors = 0;
    unsigned mtu = 0;
    bool promiscuous = true;
    bool timestamp = false;
    bool rss_aggregate = false;
    bool paint_queue = false;
    std::optional<EthernetAddress> mac;
    int most_threads = -1;
    unsigned first_thread = 0;
    bool numa = false;
    int verbose = 0;
    bool allow_nonexistent = false;
  };
  struct Control {
    bool active = true;
    dpdk::Port* device = nullptr;  ///< null: there is none, as ALLOW_NONEXISTENT allows
  };
  struct State {
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
  };
  static unsigned queues_of(const Parameters& parameters, int cores) {
    if (parameters.queues > 0) return static_cast<unsigned>(parameters.queues);
    return static_cast<unsigned>(parameters.most_threads > 0 ? std::min(parameters.most_threads, cores) : cores);
  }
  static constexpr auto keywords =
      describe(mandatory<&Parameters::port>("PORT"), positional<&Parameters::queue>("QUEUE"),
               positional<&Parameters::queues>("N_QUEUES"), keyword<&Parameters::burst>("BURST"),
               keyword<&Parameters::descriptors>("NDESC"), keyword<&Parameters::mtu>("MTU"),
               keyword<&Parameters::promiscuous>("PROMISC"), keyword<&Parameters::timestamp>("TIMESTAMP"),
               keyword<&Parameters::rss_aggregate>("RSS_AGGREGATE"), keyword<&Parameters::paint_queue>("PAINT_QUEUE"),
               keyword<&Parameters::mac>("MAC"), keyword<&Parameters::most_threads>("MAXTHREADS"),
               keyword<&Parameters::first_thread>("THREADOFFSET"), keyword<&Control::active>("ACTIVE"),
               keyword<&Parameters::numa>("NUMA"), keyword<&Parameters::verbose>("VERBOSE"),
               keyword<&Parameters::allow_nonexistent>("ALLOW_NONEXISTENT"));
  static constexpr auto reset_counts = [](auto& element, auto) {
    element.for_each_state([](auto& state) { state = {}; });
    return Refusal();
  };
  static constexpr auto handlers = describe(
      read("count", &State::count), read("bytes", &State::bytes), write("reset_counts", reset_counts),
      write("reset_count", reset_counts),  // the manual's name and FastClick's own
      read("active", &Control::active),
      write("active",
            [](auto& element, std::string_view text) -> Refusal {
              if (auto wrong = parse(text, element.control().active)) return wrong;
              if (element.control().active) element.wake();
              return std::nullopt;
            }),
      read("hw_count",
           [](const auto& element) {
             return dpdk::of_port(element, [](const auto& port) { return port.statistics().received; });
           }),
      read("hw_bytes",
           [](const auto& element) {
             return dpdk::of_port(element, [](const auto& port) { return port.statistics().received_bytes; });
           }),
      read("hw_dropped",
           [](const auto& element) {
             const dpdk::PortStatistics s = dpdk::of_port(element, [](const auto& port) { return port.statistics(); });
             return s.missed + s.no_buffer + s.too_long + s.rss_ring_full;
           }),
      read("hw_errors",
           [](const auto& element) {
             return dpdk::of_port(element, [](const auto& port) { return port.statistics().receive_errors; });
           }),
      read("mac",
           [](const auto& element) {
             return dpdk::of_port(element, [](const auto& port) { return EthernetAddress{port.mac()}; });
           }),
      read("driver",
           [](const auto& element) {
             return dpdk::of_port(element, [](const auto& port) { return port.capabilities().driver; });
           }),
      read("carrier",
           [](const auto& element) { return dpdk::of_port(element, [](const auto& port) { return port.link().up; }); }),
      read("speed",
           [](const auto& element) {
             return dpdk::of_port(element, [](const auto& port) { return port.link().megabits; });
           }),
      read("nb_rx_queues",
           [](const auto& element) { return FromDPDKDevice::queues_of(element.parameters(), element.cores()); }),
      read("xstats", [](const auto& element) {
        std::string text;
        for (const auto& [name, value] :
             dpdk::of_port(element, [](const auto& port) { return port.extended_statistics(); }))
          text += name + ": " + std::to_string(value) + "\n";
        return text;
      }));
  using Writes =
      Fields<MacHeader, Kind, RssHash, ReceiveTime, AggregateNumber, PaintColor, CheckedHeader, CheckedSegment>;
  template <class Field>
  static bool touches(const Parameters& parameters) {
    if (std::is_same_v<Field, ReceiveTime>) return parameters.timestamp;
    if (std::is_same_v<Field, AggregateNumber>) return parameters.rss_aggregate;
    if (std::is_same_v<Field, PaintColor>) return parameters.paint_queue;
    return true;
  }

  static int tasks(const Parameters& parameters, int cores) { return static_cast<int>(queues_of(parameters, cores)); }

  static int first_core(const Parameters& parameters) { return static_cast<int>(parameters.first_thread); }

  static void configure(Configuration& configuration, Parameters& p) {
    if (p.burst == 0 || p.burst > dpdk::kMostFrames)
      configuration.error("BURST must be 1 to " + std::to_string(dpdk::kMostFrames));
  }
  static Refusal initialize(auto& element) {
    const Parameters& p = element.parameters();
    auto& devices = element.template resource<dpdk::Devices>("dpdk");
    if (p.allow_nonexistent && !devices.exists(std::string(p.port))) return {};
    return devices.claim(std::string(p.port), {.receive_queues = p.queue + queues_of(p, element.cores()),
                                               .receive_descriptors = p.descriptors,
                                               .max_frame = p.mtu == 0 ? 0 : p.mtu + kFraming,
                                               .mac = p.mac ? std::optional(p.mac->bytes) : std::nullopt,
                                               .promiscuous = p.promiscuous});
  }
  static Refusal start(auto& element) {
    const Parameters& p = element.parameters();
    auto& devices = element.template resource<dpdk::Devices>("dpdk");
    if (p.allow_nonexistent && !devices.exists(std::string(p.port))) return {};
    return dpdk::start_port(element, devices);
  }

  static bool run(auto& context) {
    const Parameters& p = context.parameters();
    if (!context.control().active || context.control().device == nullptr) {
      context.sleep();
      return false;
    }
    dpdk::register_thread();
    const unsigned queue = p.queue + static_cast<unsigned>(context.task());
    const auto received = dpdk::Arrivals::each<std::remove_cvref_t<decltype(context)>::may_exchange>(
        *context.control().device, queue, p.burst, [&](const dpdk::Arrived& frame) {
          auto packet = context.adopt(frame.buffer, frame.capacity, frame.headroom, frame.length, frame.owner,
                                      frame.release, frame.room);
          if (!packet) return;
          auto view = context.view(packet);
          view.template set<MacHeader>(frame.headroom);
          view.template set<Kind>(dpdk::kind_of(view.data(), view.length()));
          if (frame.has_hash) {
            view.template set<RssHash>(frame.hash);
            if (p.rss_aggregate) view.template set<AggregateNumber>(frame.hash);
          }
          if constexpr (std::remove_cvref_t<decltype(context)>::asks_nic) {
            const auto header = static_cast<std::uint16_t>(frame.headroom + kEthernetHeader);
            view.template set<CheckedHeader>(frame.header_right ? header : 0);
            view.template set<CheckedSegment>(frame.segment_right ? header : 0);
          }
          if (p.paint_queue) view.template set<PaintColor>(static_cast<std::uint8_t>(queue));
          if (p.timestamp) view.template set<ReceiveTime>(context.now());
          context.emit(0, std::move(packet));
        });
    context.state().count += received.frames;
    context.state().bytes += received.bytes;
    return received.frames > 0;
  }

 private:
  static constexpr unsigned kEthernetHeader = 14;
  static constexpr unsigned kFraming = 18;  ///< Ethernet header and one VLAN tag
};

}  // namespace packetmill
