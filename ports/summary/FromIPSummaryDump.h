#pragma once

#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ports/summary/line_reader.h"
#include "ports/trace_source.h"
#include "runtime/element.h"
#include "runtime/headers.h"

namespace packetmill {

/// FromIPSummaryDump(FILENAME, ...): makes IPv4 packets of the lines, or binary records, of an IP summary dump. "-"
/// is standard input; files compressed by gzip or bzip2 are read through zcat(1) or bzcat(1).
///
/// Ports:     0 inputs, 1 output (push or pull).
/// Sets:      ReceiveTime, NetworkHeader, TransportHeader, ExtraLength (what the IP length counts and no line gives);
///            as the lines say FirstTimestamp, ExtraPackets, PaintColor, AggregateNumber and MacHeader.
/// Keywords:  STOP, TIMING, SAMPLE, ACTIVE: as of FromDump.
///            FIELDS, DEFAULT_FIELDS, CONTENTS or DEFAULT_CONTENTS: the fields of lines before any `!data` line.
///            PROTO (default 6): the protocol where no line gives it. FLOWID `SRC SPORT DST DPORT [PROTO]`, or
///            DEFAULT_FLOWID: likewise addresses and ports.
///            CHECKSUM (default false): packets are as long as their IP length, and their checksums right.
///            MULTIPACKET (default false): a line with a `count` makes as many packets.
///            ZERO: what no line gives is zero; false allows anything, and zero it is.
///            ALLOW_NONEXISTENT (default false): a file that does not exist or is empty is no error.
///            DATA: the dump itself, instead of a file.
/// Handlers:  sampling_prob, active (read/write), encap ("IP"), filesize and filepos in bytes ("-": unknown),
///            stop (write).
/// Drops:     no_fields: lines before any `!data` line, without FIELDS.
/// Example:   the lines "!data ip_src ip_dst" and "10.0.0.1 10.0.0.2" make one TCP packet between these hosts.
///            Understood: `!data`, `!flowid`, `!proto`, `!aggregate`, `!binary` and the version; other lines with "!" or
///            "#" are comments. A value that makes no sense leaves its field alone, and the first one is told in a
///            message. So is a record with an impossible length, or of which not all is there: it is the last one.
/// See also:  ToIPSummaryDump, FromDump
struct FromIPSummaryDump : TraceSource<FromIPSummaryDump> {
  static constexpr ElementInfo info{.name = "FromIPSummaryDump", .ports = "0/1", .flow = "/x"};

  struct Parameters {
    FileName filename;
    bool stop = false;
    bool timing = false;
    Fraction<28> sample{Fraction<28>::kOne};
    bool active = true;
    bool zero = true;
    bool checksum = false;
    IPProtocol proto{6};
    bool multipacket = false;
    summary::FieldNames fields;
    std::optional<summary::FlowId> flowid;
    bool allow_nonexistent = false;
    std::optional<Text> data;
  };
  static constexpr auto keywords =
      describe(positional<&Parameters::filename>("FILENAME"), keyword<&Parameters::stop>("STOP"),
               keyword<&Parameters::timing>("TIMING"), keyword<&Parameters::sample>("SAMPLE"),
               keyword<&Parameters::active>("ACTIVE"), keyword<&Parameters::zero>("ZERO"),
               keyword<&Parameters::checksum>("CHECKSUM"), keyword<&Parameters::proto>("PROTO"),
               keyword<&Parameters::multipacket>("MULTIPACKET"), keyword<&Parameters::fields>("FIELDS"),
               keyword<&Parameters::fields>("DEFAULT_FIELDS"), keyword<&Parameters::fields>("CONTENTS"),
               keyword<&Parameters::fields>("DEFAULT_CONTENTS"), keyword<&Parameters::flowid>("FLOWID"),
               keyword<&Parameters::flowid>("DEFAULT_FLOWID"),
               keyword<&Parameters::allow_nonexistent>("ALLOW_NONEXISTENT"), keyword<&Parameters::data>("DATA"));
  static void configure(Configuration& configuration, Parameters& parameters) {
    if (parameters.filename.path.empty() && !parameters.data)
      configuration.error("FILENAME: required argument missing");
    if (parameters.sample.raw > Fraction<28>::kOne) configuration.error("SAMPLE: must be between 0 and 1");
  }

  struct State : Progress {
    std::optional<summary::LineReader> lines;
    std::optional<summary::Draft> next;
    std::uint32_t copies = 0;  ///< of `next`, still to be given out
    bool complained = false;
  };
  static constexpr Reason no_fields{0, "no_fields"};
  static constexpr auto drops = describe(no_fields);
  using Writes = Fields<ReceiveTime, FirstTimestamp, MacHeader, NetworkHeader, TransportHeader, ExtraLength,
                        ExtraPackets, PaintColor, AggregateNumber>;
  static constexpr auto handlers = describe(
      read("sampling_prob", &Parameters::sample), read("active", read_active), write("active", write_active),
      read("encap", [](auto&) { return "IP"; }),
      read("filesize", [](auto& e) { return text_or_dash(e.state().lines ? e.state().lines->size() : std::nullopt); }),
      read("filepos",
           [](auto& e) { return text_or_dash(e.state().lines ? e.state().lines->position() : std::nullopt); }),
      write("stop", [](auto& element, auto) {
        element.state().active = false;
        element.control_plane().request_stop();
        return Refusal();
      }));

  static Refusal initialize(auto& element) {
    const Parameters& parameters = element.parameters();
    State& state = element.state();
    std::string wrong;
    summary::Draft base;
    base.protocol = parameters.proto.number;
    if (parameters.flowid) parameters.flowid->set(base);
    state.lines = parameters.data ? summary::LineReader::over(*parameters.data, base)
                                  : summary::LineReader::open(std::string(parameters.filename.path), base, wrong);
    if (!state.lines && !parameters.allow_nonexistent) return wrong;
    if (state.lines) state.lines->set_fields(summary::parse_fields(parameters.fields.text, wrong));
    state.exhausted = !state.lines;
    state.active = parameters.active;
    return {};
  }

  static bool fill(auto& context) {
    State& state = context.state();
    while (!state.next) {
      std::string wrong;
      summary::Draft draft;
      const auto outcome = state.lines->next(draft, wrong);
      if (!wrong.empty() && !std::exchange(state.complained, true))
        message(context, state.lines->name() + ": " + wrong);
      state.exhausted = outcome == summary::LineReader::over_and_out;
      if (state.exhausted) return false;
      if (outcome == summary::LineReader::no_fields) {
        context.drop_unreceived(1, no_fields);
        continue;
      }
      state.copies = context.parameters().multipacket ? draft.count : 1;
      state.next = std::move(draft);
    }
    return true;
  }
  static Timestamp next_time(const State& state) { return state.next->time; }
  static bool ended(const State&) { return false; }

  static auto take(auto& context) {
    State& state = context.state();
    auto packet = decltype(context.receive(0))();
    if (sampled(context)) packet = make(context, *state.next);
    if (--state.copies == 0) state.next.reset();
    return packet;
  }

 private:
  static auto make(auto& context, const summary::Draft& draft) {
    const auto bytes = draft.build(context.parameters().checksum);
    auto packet = context.receive(static_cast<std::uint32_t>(bytes.size()));
    if (!packet) return packet;
    std::memcpy(packet->data(), bytes.data(), bytes.size());
    auto view = context.view(packet);
    set_metadata(view, draft);
    if (!context.parameters().multipacket) view.template set<ExtraPackets>(draft.count - 1);
    return packet;
  }

  static void set_metadata(auto& view, const summary::Draft& draft) {
    view.template set<ReceiveTime>(draft.time);
    view.template set<NetworkHeader>(view.headroom());
    view.template set<TransportHeader>(view.headroom() + view.template header<IPv4Header>()->header_length());
    view.template set<ExtraLength>(draft.ip_length() - std::min(draft.ip_length(), view.length()));
    if (draft.first_time) view.template set<FirstTimestamp>(*draft.first_time);
    if (draft.paint) view.template set<PaintColor>(*draft.paint);
    if (draft.aggregate) view.template set<AggregateNumber>(*draft.aggregate);
    if (!draft.ethernet_source && !draft.ethernet_destination) return;
    // The Ethernet header lies in front of the packet, as one that was stripped.
    const EthernetHeader ethernet{draft.ethernet_destination.value_or(EthernetAddress{}),
                                  draft.ethernet_source.value_or(EthernetAddress{}), swap_network(kEthernetIPv4)};
    std::memcpy(view.data() - sizeof(ethernet), &ethernet, sizeof(ethernet));
    view.template set<MacHeader>(view.headroom() - static_cast<std::uint32_t>(sizeof(ethernet)));
  }
};

}  // namespace packetmill
