#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "ports/summary/binary.h"
#include "ports/trace_stream.h"
#include "runtime/control_plane.h"
#include "runtime/element.h"

namespace packetmill {

/// ToIPSummaryDump(FILENAME, ...): writes a line of text, or a binary record, about each IPv4 packet. "-" is
/// standard output.
///
/// Ports:     1 input (push or pull), 0-1 outputs: all packets, after they have been written.
/// Needs:     the network header; without one, the fields of IP and above are "-".
/// Keywords:  FIELDS, or CONTENTS (default `ip_src ip_dst`): what the lines have; "-" where a packet has it not:
///              timestamp utimestamp ntimestamp first_timestamp ts_sec ts_usec ts_usec1
///              ip_src ip_dst ip_frag ip_fragoff ip_len ip_proto ip_hl ip_id ip_tos ip_dscp ip_ecn ip_ttl ip_sum ip_opt
///              ip_capture_len sport dport
///              tcp_seq tcp_ack tcp_off tcp_flags tcp_window tcp_urp tcp_opt tcp_ntopt tcp_sack udp_len
///              icmp_type icmp_code icmp_type_name icmp_code_name icmp_flowid icmp_seq icmp_nextmtu
///              payload payload_len payload_md5 payload_md5_hex count direction link paint aggregate eth_src eth_dst wire_len
///            HEADER (default true): lines that begin with "!" come first and say what the dump has. VERBOSE (default
///            false): the host and the time too. BANNER: who made it.
///            MULTIPACKET (default false): a packet that stands for several (ExtraPackets) has as many lines, unless
///            there is a `count`.
///            BAD_PACKETS (default false): a line "!bad MESSAGE" before a packet whose headers are wrong.
///            CAREFUL_TRUNC (default true): among them packets shorter than their IP length.
///            EXTRA_LENGTH (default true): a packet's length includes its ExtraLength.
///            BINARY (default false): records of binary fields follow the header, as click's manual page has them; what
///            a packet has not is zero. `payload` cannot be among the fields.
/// Handlers:  count; flush (write): what was written reaches the file.
/// Drops:     write_failed: the file cannot take it; the first one is told in a message. Where there is an output, such
///            packets go on instead.
/// Example:   FIELDS `ip_src sport ip_dst dport ip_proto` gives "10.0.0.1 80 10.0.0.2 1234 T".
/// See also:  FromIPSummaryDump, ToDump
struct ToIPSummaryDump {
  static constexpr ElementInfo info{.name = "ToIPSummaryDump", .ports = "1/0-1", .processing = "a/h"};

  struct Parameters {
    FileName filename;
    summary::FieldNames fields{"ip_src ip_dst"};
    bool header = true;
    bool verbose = false;
    Text banner;
    bool multipacket = false;
    bool bad_packets = false;
    bool careful_trunc = true;
    bool extra_length = true;
    bool binary = false;
  };
  static constexpr auto keywords =
      describe(mandatory<&Parameters::filename>("FILENAME"), keyword<&Parameters::fields>("CONTENTS"),
               keyword<&Parameters::fields>("FIELDS"), keyword<&Parameters::header>("HEADER"),
               keyword<&Parameters::verbose>("VERBOSE"), keyword<&Parameters::banner>("BANNER"),
               keyword<&Parameters::multipacket>("MULTIPACKET"), keyword<&Parameters::bad_packets>("BAD_PACKETS"),
               keyword<&Parameters::careful_trunc>("CAREFUL_TRUNC"), keyword<&Parameters::extra_length>("EXTRA_LENGTH"),
               keyword<&Parameters::binary>("BINARY"));
  static void configure(Configuration& configuration, Parameters& parameters) {
    if (!parameters.binary) return;
    std::string unknown;  // said already
    for (const summary::Field* field : summary::parse_fields(parameters.fields.text, unknown))
      if (!has_binary_form(*field))
        configuration.error("BINARY: '" + std::string(field->name) + "' has no binary form");
  }

  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  struct State {
    std::mutex mutex;
    std::unique_ptr<std::FILE, Close> file;
    std::vector<const summary::Field*> fields;
    bool has_count = false;
    std::string text;    ///< of the packet at hand: its line or record, and what is wrong with it
    std::string packed;  ///< the record's fields
    std::uint64_t count = 0;
    bool failed = false;
  };
  static constexpr Scope scope = Scope::shared;
  static constexpr Reason write_failed{0, "write_failed"};
  static constexpr auto drops = describe(write_failed);
  using Reads = Fields<MacHeader, NetworkHeader, ReceiveTime, FirstTimestamp, ExtraPackets, ExtraLength, PaintColor,
                       AggregateNumber>;
  static constexpr auto handlers = describe(read("count", [](auto& e) { return e.state().count; }),
                                            write("flush", [](auto& element, auto) -> Refusal {
                                              if (std::fflush(element.state().file.get()) == 0) return {};
                                              return std::string(std::strerror(errno));
                                            }));

  static Refusal initialize(auto& element) {
    const Parameters& parameters = element.parameters();
    State& state = element.state();
    const std::string path(parameters.filename.path);
    state.file.reset(open_trace_output(path));
    if (!state.file) return path + ": " + std::strerror(errno);
    std::setvbuf(state.file.get(), nullptr, _IOFBF, kTraceBuffer);
    std::string unknown;  // the arguments have been checked
    state.fields = summary::parse_fields(parameters.fields.text, unknown);
    for (const summary::Field* field : state.fields) state.has_count |= field->name == "count";
    if (parameters.header) put(state, header(parameters, state, element.now()));
    return {};
  }
  static void cleanup(auto& element) {
    State& state = element.state();
    if (state.file && std::fflush(state.file.get()) != 0) report_failure(state, element.control_plane(), element);
    state.file.reset();
  }

  static Output process(auto& context, In, auto& packet) {
    State& state = context.state();
    std::unique_lock<std::mutex> lock;
    if (context.cores() > 1) lock = std::unique_lock(state.mutex);
    const Parameters& parameters = context.parameters();
    const summary::Summary summary = summarize(parameters, packet);
    const std::uint32_t lines = parameters.multipacket && !state.has_count ? summary.count : 1;
    state.text.clear();
    if (parameters.binary)
      append_record(state, parameters, summary);
    else
      append_line(state, parameters, summary);
    bool written = true;
    for (std::uint32_t i = 0; i < lines && written; ++i) written = put(state, state.text);
    if (written)
      ++state.count;
    else
      report_failure(state, context.control_plane(), context);
    if (context.outputs() > 0) return to(0);
    return written ? sent() : drop(write_failed);
  }

 private:
  static std::string header(const Parameters& parameters, const State& state, Timestamp now) {
    std::string text = "!IPSummaryDump 1.3\n";
    if (!parameters.banner.empty()) text += "!creator \"" + std::string(parameters.banner) + "\"\n";
    if (parameters.verbose) {
      char host[256] = {};
      if (gethostname(host, sizeof(host) - 1) == 0) text += std::string("!host ") + host + "\n";
      char when[64] = {};
      const std::time_t seconds = now.nanoseconds / kNanosecondsPerSecond;
      std::tm calendar{};
      std::strftime(when, sizeof(when), "%c", localtime_r(&seconds, &calendar));
      text += "!runtime " + to_string(now) + " (" + when + ")\n";
    }
    text += "!data";
    for (const summary::Field* field : state.fields) text += " " + std::string(field->name);
    return text + (parameters.binary ? "\n!binary\n" : "\n");
  }

  static summary::Summary summarize(const Parameters& parameters, auto& packet) {
    summary::Summary summary;
    summary.time = packet.template get<ReceiveTime>();
    summary.first_time = packet.template get<FirstTimestamp>();
    summary.count = 1 + packet.template get<ExtraPackets>();
    summary.extra_length = parameters.extra_length ? packet.template get<ExtraLength>() : 0;
    summary.paint = packet.template get<PaintColor>();
    summary.aggregate = packet.template get<AggregateNumber>();
    summary.ethernet = packet.template header_at<EthernetHeader, MacHeader>();
    const auto stripped = summary.ethernet != nullptr ? packet.template offset_of<MacHeader>() : 0;
    summary.wire_length = static_cast<std::uint32_t>(packet.length() - stripped) + summary.extra_length;
    const auto* ip = packet.template header_at<std::uint8_t, NetworkHeader>();
    const auto available = ip == nullptr ? 0 : packet.length() - packet.template offset_of<NetworkHeader>();
    summary::dissect(summary, ip, static_cast<std::uint32_t>(available));
    return summary;
  }

  /// The line before a packet whose headers are wrong; empty where they are not.
  static std::string remark(const Parameters& parameters, const summary::Summary& summary) {
    if (!parameters.bad_packets) return {};
    if (!summary.bad.empty()) return "!bad " + std::string(summary.bad) + "\n";
    return parameters.careful_trunc && summary.truncated ? "!bad truncated IP length\n" : "";
  }

  static void append_record(State& state, const Parameters& parameters, const summary::Summary& summary) {
    const std::string wrong = remark(parameters, summary);
    if (!wrong.empty()) summary::append_record(state.text, wrong, summary::kTextRecord);
    state.packed.clear();
    for (const summary::Field* field : state.fields) append_binary(*field, summary, state.packed);
    summary::append_record(state.text, state.packed, 0);
  }

  static void append_line(State& state, const Parameters& parameters, const summary::Summary& summary) {
    state.text += remark(parameters, summary);
    for (const summary::Field* field : state.fields) {
      if (!field->write(summary, state.text)) state.text += '-';
      state.text += ' ';
    }
    state.text.back() = '\n';
  }

  static bool put(State& state, const std::string& text) {
    return std::fwrite(text.data(), 1, text.size(), state.file.get()) == text.size();
  }
  static void report_failure(State& state, ControlPlane& control_plane, const auto& who) {
    if (std::exchange(state.failed, true)) return;
    control_plane.message(std::string(who.name()) + ": " + std::string(who.parameters().filename.path) +
                          ": cannot write");
  }
};

}  // namespace packetmill
