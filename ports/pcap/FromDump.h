#pragma once

#include <cstring>
#include <memory>
#include <optional>

#include "ports/pcap/dump_file.h"
#include "ports/pcap/link_type.h"
#include "ports/trace_source.h"
#include "runtime/element.h"
#include "runtime/handler_call.h"
#include "runtime/headers.h"

namespace packetmill {

/// FromDump(FILENAME, ...): reads packets from a file of tcpdump's: pcap with micro- or nanoseconds, or pcapng. "-" is
/// standard input; files compressed by gzip or bzip2 are read through zcat(1) or bzcat(1).
///
/// Ports:     0 inputs, 1-2 outputs; output 0 push or pull, output 1 (with FORCE_IP: what is not IPv4) push.
/// Sets:      ReceiveTime, MacHeader, ExtraLength (bytes that the file does not have); with FORCE_IP NetworkHeader and
///            TransportHeader.
/// Keywords:  STOP (default false): asks the driver to stop at the end of the file, or at the END time.
///            TIMING (default false): keeps the intervals between packets; the first one comes at once.
///            SAMPLE (default 1): each packet comes with this probability, in steps of 2^-28.
///            FORCE_IP (default false): only IPv4 packets whose header is whole.
///            FORCE_LEN (default -1): the length that every packet gets, 64 to 1500; 0: the one that it had on the wire.
///            What the file does not have of it is zero. -1: what the file has.
///            START, START_AFTER: skips packets before a time, or before a span after the first packet.
///            END, END_AFTER, INTERVAL: ends at the first packet at or after a time, a span after the first packet of
///            the file, or a span after the first packet that was not skipped.
///            END_CALL: a write handler to call at the end, instead of STOP.
///            ACTIVE (default true): false waits until the `active` handler is written.
///            FILEPOS: begins with the record at this byte of the (uncompressed) file.
///            MMAP: accepted and without effect.
/// Handlers:  count, reset_counts (write), sampling_prob, active (read/write), encap, filename, filesize and filepos in
///            bytes ("-": unknown), filepos (write), packet_filepos (of the last packet that came out),
///            extend_interval (write: moves the END time and activates), reset_timing (write), stop (write: no more packets,
///            and asks the driver to stop).
/// Drops:     too_long: more than 65,535 bytes. A record that makes no sense ends the file there, with a message.
/// See also:  ToDump, FromIPSummaryDump
struct FromDump : TraceSource<FromDump> {
  static constexpr ElementInfo info{.name = "FromDump", .ports = "0/1-2", .processing = "a/ah", .flow = "/x"};

  struct Parameters {
    FileName filename;
    bool stop = false;
    bool timing = false;
    Fraction<28> sample{Fraction<28>::kOne};
    bool force_ip = false;
    int force_len = kLengthOfFile;
    std::optional<Timestamp> start;
    std::optional<Duration> start_after;
    std::optional<Timestamp> end;
    std::optional<Duration> end_after;
    std::optional<Duration> interval;
    HandlerCall end_call;
    bool active = true;
    std::optional<std::uint64_t> filepos;
    bool mmap = false;
  };
  static constexpr auto keywords =
      describe(mandatory<&Parameters::filename>("FILENAME"), positional<&Parameters::timing>("TIMING"),
               keyword<&Parameters::stop>("STOP"), keyword<&Parameters::sample>("SAMPLE"),
               keyword<&Parameters::force_ip>("FORCE_IP"), keyword<&Parameters::force_len>("FORCE_LEN"),
               keyword<&Parameters::start>("START"), keyword<&Parameters::start_after>("START_AFTER"),
               keyword<&Parameters::end>("END"), keyword<&Parameters::end_after>("END_AFTER"),
               keyword<&Parameters::interval>("INTERVAL"), keyword<&Parameters::end_call>("END_CALL"),
               keyword<&Parameters::active>("ACTIVE"), keyword<&Parameters::filepos>("FILEPOS"),
               keyword<&Parameters::mmap>("MMAP"));
  static void configure(Configuration& configuration, Parameters& parameters) {
    const auto exclusive = [&](std::initializer_list<bool> given, const char* names) {
      if (std::count(given.begin(), given.end(), true) > 1)
        configuration.error(std::string(names) + " are mutually exclusive");
    };
    exclusive({parameters.start.has_value(), parameters.start_after.has_value()}, "START and START_AFTER");
    exclusive({parameters.end.has_value(), parameters.end_after.has_value(), parameters.interval.has_value()},
              "END, END_AFTER, and INTERVAL");
    exclusive({parameters.stop, !parameters.end_call.handler.empty()}, "END_CALL and STOP");
    // INTERPRETATION: the manual bounds FORCE_LEN by MIN_MTU and MAX_MTU without their values; these are Ethernet's.
    const int length = parameters.force_len;
    if (length != kLengthOfFile && length != kLengthOnWire && (length < 64 || length > 1500))
      configuration.error("FORCE_LEN: must be -1, 0, or between 64 and 1500");
    if (parameters.sample.raw > Fraction<28>::kOne) configuration.error("SAMPLE: must be between 0 and 1");
  }

  struct State : Progress {
    std::unique_ptr<pcap::DumpReader> file;
    std::optional<pcap::Record> next;  ///< read and not yet given out
    bool times_known = false;          ///< with the first packet of the file
    std::optional<Timestamp> begin;    ///< packets before it are skipped
    std::optional<Timestamp> end;      ///< INTERVAL: known with the first packet that is not skipped
    std::uint64_t position = 0;        ///< of `next`
    std::uint64_t packet_position = 0;
    std::uint64_t count = 0;
  };
  static constexpr Reason too_long{0, "too_long"};
  static constexpr auto drops = describe(too_long);
  using Writes = Fields<ReceiveTime, MacHeader, NetworkHeader, TransportHeader, ExtraLength>;

  static constexpr auto handlers = describe(
      read("count", &State::count),
      write("reset_counts",
            [](auto& element, auto) {
              element.state().count = 0;
              return Refusal();
            }),
      read("sampling_prob", &Parameters::sample), read("active", read_active), write("active", write_active),
      // Null where another element asks although the file could not be opened.
      read("encap", [](auto& e) { return e.state().file ? pcap::link_type_name(e.state().file->link_type()) : "-"; }),
      read("filename", [](auto& e) { return e.parameters().filename.path; }),
      read("filesize", [](auto& e) { return text_or_dash(e.state().file->stream().size()); }),
      read("filepos",
           [](auto& e) { return text_or_dash(e.state().next ? e.state().position : e.state().file->position()); }),
      write("filepos",
            [](auto& element, auto value) -> Refusal {
              std::uint64_t position = 0;
              if (auto wrong = parse(value, position)) return wrong;
              if (!element.state().file->seek(position)) return "the file cannot be positioned";
              element.state().next.reset();
              element.state().exhausted = false;
              element.wake();
              return {};
            }),
      read("packet_filepos", [](auto& e) { return e.state().packet_position; }),
      write("extend_interval",
            [](auto& element, auto value) -> Refusal {
              Duration span;
              if (auto wrong = parse(value, span)) return wrong;
              if (element.state().end) *element.state().end += span;
              element.state().active = true;
              element.wake();
              return {};
            }),
      write("reset_timing", reset_timing), write("stop", [](auto& element, auto) {
        element.state().active = false;
        element.control_plane().request_stop();
        return Refusal();
      }));

  static Refusal initialize(auto& element) {
    auto& state = element.state();
    const auto& parameters = element.parameters();
    std::string wrong;
    state.file = pcap::DumpReader::open(std::string(parameters.filename.path), wrong);
    if (!state.file) return wrong;
    if (parameters.filepos && !state.file->seek(*parameters.filepos)) return "FILEPOS: the file cannot be positioned";
    state.active = parameters.active;
    return {};
  }

  /// Reads up to the next packet that is neither before the start nor left out of the sample.
  static bool fill(auto& context) {
    State& state = context.state();
    const Parameters& parameters = context.parameters();
    while (!state.next) {
      state.position = state.file->position().value_or(0);
      std::string wrong;
      state.next = state.file->next(wrong);
      if (!wrong.empty()) message(context, std::string(parameters.filename.path) + ": " + wrong);
      state.exhausted = !state.next;
      if (state.exhausted) return false;
      set_times(state, parameters);
      const bool skipped = state.begin && state.next->time < *state.begin;
      if (!skipped && !state.end && parameters.interval) state.end = state.next->time + *parameters.interval;
      if (skipped || !sampled(context)) state.next.reset();
    }
    return true;
  }
  static Timestamp next_time(const State& state) { return state.next->time; }
  static bool ended(const State& state) { return state.end && state.next->time >= *state.end; }

  static auto take(auto& context) {
    State& state = context.state();
    const pcap::Record record = *std::exchange(state.next, std::nullopt);
    const std::uint32_t length = length_of(record, context.parameters().force_len);
    if (length > kMaxFrame) {
      context.drop_unreceived(1, too_long);
      return decltype(context.receive(0))();
    }
    auto packet = context.receive(length);
    if (!packet) return packet;
    const std::uint32_t known = std::min(length, record.captured);
    if (known > 0) std::memcpy(packet->data(), record.data, known);
    if (known < length) std::memset(packet->data() + known, 0, length - known);
    auto view = context.view(packet);
    view.template set<ReceiveTime>(record.time);
    view.template set<MacHeader>(view.headroom());
    view.template set<ExtraLength>(record.length - std::min(record.length, length));
    state.packet_position = state.position;
    ++state.count;
    if (!context.parameters().force_ip) return packet;
    const auto ip = pcap::find_ipv4(state.file->link_type(), record.data, known);
    if (!ip) {
      context.emit(1, std::move(packet));
      return decltype(packet)();
    }
    view.template set<NetworkHeader>(view.headroom() + *ip);
    view.template set<TransportHeader>(view.headroom() + *ip + view.template header<IPv4Header>(*ip)->header_length());
    return packet;
  }

  static void at_end(auto& context) {
    const HandlerCall& call = context.parameters().end_call;
    if (call.handler.empty()) return;
    if (const auto wrong = call.call(context.control_plane(), context.name())) message(context, "END_CALL: " + *wrong);
  }

 private:
  static constexpr std::uint32_t kMaxFrame = 65535;
  static constexpr int kLengthOfFile = -1;
  static constexpr int kLengthOnWire = 0;

  static std::uint32_t length_of(const pcap::Record& record, int force_len) {
    if (force_len == kLengthOfFile) return record.captured;
    return force_len == kLengthOnWire ? record.length : static_cast<std::uint32_t>(force_len);
  }

  /// START and END times that are relative to the first packet become absolute with it.
  static void set_times(State& state, const Parameters& parameters) {
    if (std::exchange(state.times_known, true)) return;
    const Timestamp first = state.next->time;
    state.begin = parameters.start_after ? first + *parameters.start_after : parameters.start;
    state.end = parameters.end_after ? first + *parameters.end_after : parameters.end;
  }
};

}  // namespace packetmill
