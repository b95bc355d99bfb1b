#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "ports/pcap/dump_file.h"
#include "ports/pcap/link_type.h"
#include "runtime/arguments/split.h"
#include "runtime/control_plane.h"
#include "runtime/element.h"

namespace packetmill {

/// ToDump(FILENAME, ...): writes packets to a pcap file, as tcpdump -w does. "-" is standard output.
///
/// Ports:     1 input (push or pull), 0-1 outputs: all packets, after they have been written.
/// Keywords:  SNAPLEN (default 2000): how many bytes of each packet are written at most; 0: all.
///            ENCAP (default ETHER): what packets begin with: ETHER, IP, FDDI, ATM, 802_11, SLL, AIRONET, HDLC,
///            PPP_HDLC, PPP, SUNATM, PRISM or NULL.
///            USE_ENCAP_FROM: elements' names; ENCAP is what their `encap` handlers say.
///            EXTRA_LENGTH (default true): a packet's length on the wire includes its ExtraLength.
///            UNBUFFERED (default false): every packet is in the file at once.
///            NANO (default false): timestamps have nanoseconds.
/// Handlers:  count, reset_counts (write), filename.
/// Drops:     write_failed: the file cannot take it (a full disk); the first one is told in a message. Where there is
///            an output, such packets go on instead. A packet without a time (ReceiveTime) gets the present one. The
///            file is complete when the driver has ended.
/// See also:  FromDump, ToIPSummaryDump
struct ToDump {
  static constexpr ElementInfo info{.name = "ToDump", .ports = "1/0-1", .processing = "a/a"};

  /// USE_ENCAP_FROM's argument.
  struct ElementNames {
    static constexpr std::string_view kTypeName = "element names";
    Text text;
    friend ParseError parse(std::string_view text, ElementNames& out, const Names&) {
      out.text = keep_text(std::string(text));
      return {};
    }
  };
  struct Encapsulation {
    static constexpr std::string_view kTypeName = "encapsulation";
    int link_type;
    friend ParseError parse(std::string_view text, Encapsulation& out, const Names&) {
      const auto found = pcap::find_link_type(text);
      if (!found) return "bad encapsulation type";
      out.link_type = *found;
      return {};
    }
  };
  struct Parameters {
    FileName filename;
    std::uint32_t snaplen = 2000;
    std::optional<Encapsulation> encap;
    std::optional<ElementNames> use_encap_from;
    bool extra_length = true;
    bool unbuffered = false;
    bool nano = false;
  };
  static constexpr auto keywords =
      describe(mandatory<&Parameters::filename>("FILENAME"), positional<&Parameters::snaplen>("SNAPLEN"),
               positional<&Parameters::encap>("ENCAP"), keyword<&Parameters::use_encap_from>("USE_ENCAP_FROM"),
               keyword<&Parameters::extra_length>("EXTRA_LENGTH"), keyword<&Parameters::unbuffered>("UNBUFFERED"),
               keyword<&Parameters::nano>("NANO"));
  static void configure(Configuration& configuration, Parameters& parameters) {
    if (parameters.encap && parameters.use_encap_from)
      configuration.error("specify at most one of ENCAP and USE_ENCAP_FROM");
  }

  struct State {
    std::mutex mutex;
    std::unique_ptr<pcap::DumpWriter> file;
    std::uint64_t count = 0;
    bool failed = false;
  };
  static constexpr Scope scope = Scope::shared;
  static constexpr Reason write_failed{0, "write_failed"};
  static constexpr auto drops = describe(write_failed);
  using Reads = Fields<ReceiveTime, ExtraLength>;

  static constexpr auto handlers = describe(read("count", [](auto& e) { return e.state().count; }),
                                            write("reset_counts",
                                                  [](auto& element, auto) {
                                                    element.state().count = 0;
                                                    return Refusal();
                                                  }),
                                            read("filename", [](auto& e) { return e.parameters().filename.path; }));

  static Refusal check(auto& element) {
    if (!element.parameters().use_encap_from) return {};
    for (const std::string& name : split_words(element.parameters().use_encap_from->text)) {
      const auto found = element.control_plane().find_handler(name + ".encap", element.name());
      if (!found.handler) return "USE_ENCAP_FROM: " + found.wrong;
    }
    return {};
  }
  /// When the elements that USE_ENCAP_FROM names have opened their files.
  static Refusal start(auto& element) {
    const Parameters& parameters = element.parameters();
    std::string wrong;
    const auto link_type = find_link_type(element, wrong);
    if (!link_type) return wrong;
    // libpcap's greatest snap length stands for "all".
    const std::uint32_t snap_length = parameters.snaplen == 0 ? 262144 : std::min(parameters.snaplen, 0x7fffffffU);
    element.state().file =
        pcap::DumpWriter::open(std::string(parameters.filename.path),
                               {*link_type, snap_length, parameters.nano, parameters.unbuffered}, wrong);
    if (!element.state().file) return wrong;
    return {};
  }
  static void cleanup(auto& element) {
    auto& state = element.state();
    if (state.file && !state.file->flush()) report_failure(state, element.control_plane(), element);
    state.file.reset();
  }

  static Output process(auto& context, In, auto& packet) {
    auto& state = context.state();
    std::unique_lock<std::mutex> lock;
    if (context.cores() > 1) lock = std::unique_lock(state.mutex);
    const Timestamp received = packet.template get<ReceiveTime>();
    const std::uint32_t extra = context.parameters().extra_length ? packet.template get<ExtraLength>() : 0;
    const bool written = state.file->write(
        {packet.data(), packet.length(), packet.length() + extra, received == Timestamp{} ? context.now() : received});
    if (written)
      ++state.count;
    else
      report_failure(state, context.control_plane(), context);
    if (context.outputs() > 0) return to(0);
    return written ? sent() : drop(write_failed);
  }

 private:
  static std::optional<int> find_link_type(auto& element, std::string& wrong) {
    const Parameters& parameters = element.parameters();
    if (!parameters.use_encap_from) return parameters.encap ? parameters.encap->link_type : DLT_EN10MB;
    std::optional<int> agreed;
    for (const std::string& name : split_words(parameters.use_encap_from->text)) {
      const auto answer = element.control_plane().read(name + ".encap", {}, element.name());
      const auto link_type = answer.ok ? pcap::find_link_type(answer.text) : std::nullopt;
      if (!answer.ok)
        wrong = "USE_ENCAP_FROM: " + answer.text;
      else if (!link_type)
        wrong = "USE_ENCAP_FROM: '" + name + "' has no encapsulation";
      else if (agreed && *agreed != *link_type)
        wrong = "USE_ENCAP_FROM: the elements' encapsulations differ";
      if (!wrong.empty()) return {};
      agreed = link_type;
    }
    return agreed;
  }

  static void report_failure(State& state, ControlPlane& control_plane, const auto& who) {
    if (std::exchange(state.failed, true)) return;
    control_plane.message(std::string(who.name()) + ": " + std::string(who.parameters().filename.path) +
                          ": cannot write");
  }
};

}  // namespace packetmill
