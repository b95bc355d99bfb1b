#pragma once

#include <algorithm>
#include <mutex>
#include <vector>

#include "elements/nat/input_spec.h"
#include "elements/nat/mappings.h"
#include "runtime/control_plane.h"
#include "runtime/element.h"

namespace packetmill {

/// What IPRewriter, UDPRewriter and TCPRewriter have in common: all but which protocols they take, whether they follow
/// TCP connections, and how their keywords and handlers are called.
template <bool kTakesUdp, bool kFollowsTcp>
struct Rewriter {
  struct Parameters {
    List<InputSpec> inputs;
    List<RewritePattern> patterns;
    // The defaults of the manual.
    Duration tcp_timeout = Duration::seconds(24 * 3600);
    Duration tcp_done_timeout = Duration::seconds(4 * 60);
    Duration tcp_nodata_timeout = Duration::seconds(5 * 60);
    Duration tcp_guarantee = Duration::seconds(5);
    Duration udp_timeout = Duration::seconds(5 * 60);
    std::optional<Duration> udp_streaming_timeout;
    Duration udp_guarantee = Duration::seconds(5);
    Duration reap_interval = Duration::seconds(15 * 60);
    std::uint32_t capacity = 65536;
    bool dst_anno = true;
  };
  static void configure(Configuration& configuration, Parameters& parameters) {
    configure_inputs(configuration, parameters.inputs, parameters.patterns);
    if (parameters.capacity > kMostFlows)
      configuration.error("MAPPING_CAPACITY: out of range, bound " + std::to_string(kMostFlows));
  }

  /// What handlers have written: nothing, or the specifications of all inputs and their patterns.
  struct Control {
    std::vector<InputSpec> inputs;
    std::vector<RewritePattern> patterns;
  };

  struct State {
    Mappings mappings;
    std::vector<std::uint32_t>
        next_port;  ///< by pattern, and by input where a handler writes one: ports tried in sequence
    Timestamp next_reap;
    std::uint64_t failures = 0;
    std::uint32_t reservation = 0;
    std::mutex mutex;  ///< where there are several cores
  };
  static constexpr Scope scope = Scope::shared;

  static constexpr Reason no_ip_header{0, "no_ip_header"};
  static constexpr Reason later_fragment{1, "later_fragment"};
  static constexpr Reason wrong_protocol{2, "wrong_protocol"};
  static constexpr Reason truncated{3, "truncated"};
  static constexpr Reason no_mapping{4, "no_mapping"};
  static constexpr Reason no_port{5, "no_port"};
  static constexpr Reason conflict{6, "conflict"};
  static constexpr Reason table_full{7, "table_full"};
  static constexpr auto drops =
      describe(no_ip_header, later_fragment, wrong_protocol, truncated, no_mapping, no_port, conflict, table_full);
  using Reads = Fields<NetworkHeader, TransportHeader>;
  using Writes = Fields<DestinationAddress>;

  static Refusal initialize(auto& element) {
    const Parameters& parameters = element.parameters();
    State& state = element.state();
    const Duration udp = parameters.udp_timeout, tcp_guarantee = parameters.tcp_guarantee;
    const Mappings::Limits limits{
        .timeouts = {udp, parameters.udp_streaming_timeout.value_or(udp), parameters.tcp_nodata_timeout,
                     parameters.tcp_timeout, parameters.tcp_done_timeout},
        .guarantees = {parameters.udp_guarantee, parameters.udp_guarantee, tcp_guarantee, tcp_guarantee, tcp_guarantee},
        .follow_tcp = kFollowsTcp};
    auto& random = element.context().random();
    state.mappings.open(parameters.capacity, std::uint64_t{random.next()} << 32U | random.next(), limits);
    state.reservation = usual_reservation(parameters.capacity);
    state.next_port.resize(parameters.patterns.size() + parameters.inputs.size());
    state.next_reap = element.now() + parameters.reap_interval;
    return {};
  }

  static Output process(auto& context, In in, auto& packet) {
    auto* ip = packet.template header_at<IPv4Header, NetworkHeader>();
    if (ip == nullptr) return drop(no_ip_header);
    if (ip->later_fragment()) return not_for_us(context, in, later_fragment);
    if (ip->protocol == kTcp.number)
      return rewrite_packet(context, in, packet, *ip, packet.template header_at<TcpHeader, TransportHeader>());
    if (kTakesUdp && ip->protocol == kUdp.number)
      return rewrite_packet(context, in, packet, *ip, packet.template header_at<UdpHeader, TransportHeader>());
    return not_for_us(context, in, wrong_protocol);
  }

 protected:
  static constexpr std::uint32_t kMostFlows = (1U << 31U) - 2;

  /// The flows, after those that are due were reaped: what handlers look at.
  static Mappings& mappings_now(const auto& element) {
    reap_when_due(element.state(), element.parameters(), element.now());
    return element.state().mappings;
  }

  /// INTERPRETATION: the manual does not say what the short-term reservation of the capacity is for. It is kept, and
  /// answered, and changes nothing.
  static std::uint32_t usual_reservation(std::uint32_t capacity) { return std::min(50U, capacity / 8); }

  /// Of an element or a context.
  static const InputSpec& input_of(const auto& element, int input) {
    const auto number = static_cast<std::size_t>(input);
    return element.control().inputs.empty() ? element.parameters().inputs[number] : element.control().inputs[number];
  }
  static const RewritePattern& pattern_of(const auto& element, const InputSpec& spec) {
    return element.control().inputs.empty() ? element.parameters().patterns[spec.pattern]
                                            : element.control().patterns[spec.pattern];
  }

  static std::string input_text(const auto& element, int input) {
    const InputSpec& spec = input_of(element, input);
    switch (spec.kind) {
      case InputSpec::Kind::drop:
        return "<drop>";
      case InputSpec::Kind::pass:
        return "<pass>";
      case InputSpec::Kind::keep:
        return "<keep>";
      case InputSpec::Kind::pattern:
        break;
    }
    return to_string(pattern_of(element, spec)) + " " + std::to_string(spec.output) + " " +
           std::to_string(spec.reply_output);
  }

  /// The pattern becomes the input's own, whoever shared the former one; flows that are known stay as they are.
  static Refusal set_pattern(auto& element, std::size_t input, std::string_view text) {
    const Parameters& parameters = element.parameters();
    Control changed = element.control();
    if (changed.inputs.empty()) {
      changed.inputs.assign(parameters.inputs.begin(), parameters.inputs.end());
      changed.patterns.assign(parameters.patterns.begin(), parameters.patterns.end());
      changed.patterns.resize(parameters.patterns.size() + parameters.inputs.size());  // one for each input to write
    }
    InputSpec& spec = changed.inputs[input];
    if (spec.kind != InputSpec::Kind::pattern) return "input " + std::to_string(input) + " has no pattern";
    spec.pattern = static_cast<std::uint32_t>(parameters.patterns.size() + input);
    RewritePattern& pattern = changed.patterns[spec.pattern];
    pattern = {};
    if (const ParseError wrong = parse_pattern_and_outputs(text, element.outputs(), element.names(), pattern, spec))
      return wrong;
    element.state().next_port[spec.pattern] = 0;
    element.control() = std::move(changed);
    return {};
  }

  static constexpr auto common_handlers = describe(
      read("table_size", [](const auto& element) { return mappings_now(element).size(); }),
      read("size", [](const auto& element) { return mappings_now(element).size(); }),
      read("nmappings", [](const auto& element) { return mappings_now(element).size(); }),
      write("clear",
            [](auto& element, std::string_view) -> Refusal {
              element.state().mappings.clear();
              return {};
            }),
      read("patterns",
           [](const auto& element) {
             std::string text;
             for (int input = 0; input < element.inputs(); ++input) text += input_text(element, input) + "\n";
             return text;
           }),
      for_each_input(read("pattern", [](const auto& element, int input) { return input_text(element, input); })),
      for_each_input(write("pattern",
                           [](auto& element, int input, std::string_view text) {
                             return set_pattern(element, static_cast<std::size_t>(input), text);
                           })),
      read("mapping_failures", [](const auto& element) { return element.state().failures; }),
      read("capacity",
           [](const auto& element) {
             const State& state = element.state();
             return std::to_string(state.mappings.capacity()) + " " + std::to_string(state.reservation);
           }),
      write("capacity", [](auto& element, std::string_view text) -> Refusal {
        const std::vector<std::string> words = split_words(text);
        std::uint32_t capacity = 0;
        if (words.empty() || words.size() > 2 || parse(words[0], capacity) || capacity > kMostFlows)
          return "expected 'CAPACITY [RESERVATION]'";
        std::uint32_t reservation = usual_reservation(capacity);
        if (words.size() == 2 && (parse(words[1], reservation) || reservation > capacity))
          return "expected 'CAPACITY [RESERVATION]'";
        element.state().mappings.set_capacity(capacity);
        element.state().reservation = reservation;
        return {};
      }));

  /// "saddr sport daddr dport" of a TCP flow -> the same after rewriting; nothing where there is no forward mapping.
  static ControlPlane::Answer look_up(const auto& element, std::string_view text) {
    const std::vector<std::string> words = split_words(text);
    IPv4Address source, destination;
    std::uint16_t source_port = 0, destination_port = 0;
    if (words.size() != 4 || parse(words[0], source) || parse(words[1], source_port) || parse(words[2], destination) ||
        parse(words[3], destination_port))
      return {false, "expected 'SADDR SPORT DADDR DPORT'"};
    const FlowKey key{source.network, destination.network, swap_network(source_port), swap_network(destination_port),
                      kTcp.number};
    const Mappings& mappings = mappings_now(element);
    const std::uint32_t number = mappings.find(key);
    if (number == Mappings::kNone || mappings.is_reply(number)) return {true, ""};
    const FlowKey to = mappings.target(number, key);
    return {true, to_string(IPv4Address{to.source}) + " " + std::to_string(swap_network(to.source_port)) + " " +
                      to_string(IPv4Address{to.destination}) + " " + std::to_string(swap_network(to.destination_port))};
  }

 private:
  /// INTERPRETATION: timed-out flows live until they are reaped, and are used again if a packet comes before that, as
  /// the manual's two times suggest.
  static void reap_when_due(State& state, const Parameters& parameters, Timestamp now) {
    if (now < state.next_reap) return;
    state.mappings.reap(now);
    state.next_reap = now + parameters.reap_interval;
  }

  static Output not_for_us(auto& context, In in, Reason reason) {
    const InputSpec& spec = input_of(context, in.port);
    return spec.kind == InputSpec::Kind::pass ? to(spec.output) : drop(reason);
  }

  template <class Transport>
  static Mappings::Segment segment_of(const IPv4Header& ip, const Transport& transport) {
    if constexpr (std::is_same_v<Transport, TcpHeader>)
      return {transport.flags, swap_network(ip.total_length) > ip.header_length() + transport.header_length()};
    else
      return {};
  }

  template <class Transport>
  static Output rewrite_packet(auto& context, In in, auto& packet, IPv4Header& ip, Transport* transport) {
    if (transport == nullptr) return not_for_us(context, in, truncated);
    State& state = context.state();
    std::unique_lock lock(state.mutex, std::defer_lock);
    if (context.cores() > 1) lock.lock();
    reap_when_due(state, context.parameters(), context.now());

    const FlowKey key = flow_of(ip, *transport);
    std::uint32_t number = state.mappings.find(key);
    if (number == Mappings::kNone) [[unlikely]] {
      const Output outcome = add_flow(context, input_of(context, in.port), key, number);
      if (number == Mappings::kNone) return outcome;
    }
    const Mappings::Rewrite result = state.mappings.use(number, key, segment_of(ip, *transport), context.now());
    if (result.to != key) rewrite(ip, *transport, result.to);
    if (context.parameters().dst_anno) packet.template set<DestinationAddress>(ip.destination);
    return to(result.output);
  }

  /// Sets `number` to the mapping of a new flow; otherwise says what becomes of the packet.
  static Output add_flow(auto& context, const InputSpec& spec, const FlowKey& key, std::uint32_t& number) {
    State& state = context.state();
    FlowKey becomes = key;
    if (spec.kind == InputSpec::Kind::drop) return drop(no_mapping);
    if (spec.kind == InputSpec::Kind::pass) return to(spec.output);
    bool found = false;
    if (spec.kind == InputSpec::Kind::pattern)
      found = apply(context, spec, key, becomes);
    else
      found = state.mappings.can_add(key, becomes);
    if (found) number = state.mappings.add(key, becomes, spec.output, spec.reply_output, context.now());
    if (number != Mappings::kNone) return to(spec.output);
    ++state.failures;
    if (found) return drop(table_full);
    const bool has_range =
        spec.kind == InputSpec::Kind::pattern && pattern_of(context, spec).choice != RewritePattern::Choice::keep;
    return drop(has_range ? no_port : conflict);
  }

  /// What the pattern makes of a flow; false where there is no source port that no other flow's answers come to.
  static bool apply(auto& context, const InputSpec& spec, const FlowKey& key, FlowKey& becomes) {
    using Choice = RewritePattern::Choice;
    const RewritePattern& pattern = pattern_of(context, spec);
    const Mappings& mappings = context.state().mappings;
    if (pattern.source) becomes.source = pattern.source->network;
    if (pattern.destination) becomes.destination = pattern.destination->network;
    if (pattern.destination_port) becomes.destination_port = swap_network(*pattern.destination_port);
    const std::uint16_t own = swap_network(key.source_port);
    const bool own_fits = pattern.choice == Choice::keep || (pattern.choice == Choice::prefer_own &&
                                                             pattern.first_port <= own && own <= pattern.last_port);
    if (own_fits && mappings.can_add(key, becomes)) return true;
    if (pattern.choice == Choice::keep) return false;

    const std::uint32_t ports = pattern.last_port - pattern.first_port + 1U;
    std::uint32_t& next = context.state().next_port[spec.pattern];
    const std::uint32_t start = pattern.choice == Choice::sequential ? next : context.random().below(ports);
    for (std::uint32_t i = 0; i < ports; ++i) {
      const std::uint32_t place = (start + i) % ports;
      becomes.source_port = swap_network(static_cast<std::uint16_t>(pattern.first_port + place));
      if (!mappings.can_add(key, becomes)) continue;
      if (pattern.choice == Choice::sequential) next = place + 1;
      return true;
    }
    return false;
  }
};

}  // namespace packetmill
