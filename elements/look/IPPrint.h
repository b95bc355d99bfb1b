#pragma once

#include <string>

#include "elements/look/line_file.h"
#include "elements/look/packet_text.h"
#include "runtime/element.h"

namespace packetmill {

/// IPPrint([LABEL], ...): prints a line about each IPv4 packet, much as tcpdump does.
///
/// Ports:     1 input, 1 output.
/// Needs:     the network header (CheckIPHeader, MarkIPHeader); packets without one pass and are not printed.
/// Keywords:  LABEL: what the line begins with.
///            CONTENTS, PAYLOAD (default NONE): HEX or ASCII prints the packet, or its payload, on lines of its own.
///            MAXLENGTH, or NBYTES (default 1500): how many bytes of it; negative: all.
///            TIMESTAMP (default true), ETHER (addresses), ID, TTL, TOS, LENGTH, AGGREGATE, PAINT (default false): what
///            else the line says.
///            SWAP (default true): ICMP identifiers are in network order.
///            OUTFILE: a file to print to. ACTIVE (default true): false prints nothing.
/// Handlers:  active (read/write).
/// Example:   IPPrint(in) prints "in: 1000000000.000000000: 10.0.0.1.80 > 10.0.0.2.1234: S 5:6(1,40,40) win 4096". In
///            parentheses: sequence numbers that the segment takes, the packet's length, its IP length.
/// See also:  Print, CheckIPHeader
struct IPPrint {
  static constexpr ElementInfo info{.name = "IPPrint"};

  struct Parameters {
    Text label;
    DataStyle contents;
    DataStyle payload;
    std::int32_t maxlength = 1500;
    bool ether = false;
    bool id = false;
    bool ttl = false;
    bool tos = false;
    bool length = false;
    bool timestamp = true;
    bool aggregate = false;
    bool paint = false;
    bool swap = true;
    FileName outfile;
  };
  struct Control {
    bool active = true;
  };
  using State = LineFile;
  static constexpr Scope scope = Scope::shared;
  static constexpr auto keywords = describe(
      positional<&Parameters::label>("LABEL"), keyword<&Parameters::contents>("CONTENTS"),
      keyword<&Parameters::payload>("PAYLOAD"), keyword<&Parameters::maxlength>("MAXLENGTH"),
      keyword<&Parameters::maxlength>("NBYTES"), keyword<&Parameters::ether>("ETHER"), keyword<&Parameters::id>("ID"),
      keyword<&Parameters::ttl>("TTL"), keyword<&Parameters::tos>("TOS"), keyword<&Parameters::length>("LENGTH"),
      keyword<&Parameters::timestamp>("TIMESTAMP"), keyword<&Parameters::aggregate>("AGGREGATE"),
      keyword<&Parameters::paint>("PAINT"), keyword<&Parameters::swap>("SWAP"),
      keyword<&Parameters::outfile>("OUTFILE"), keyword<&Control::active>("ACTIVE"));
  static void configure(Configuration& configuration, Parameters& parameters) {
    if (parameters.contents.style != DataStyle::none && parameters.payload.style != DataStyle::none)
      configuration.error("specify at most one of CONTENTS and PAYLOAD");
  }
  static constexpr auto handlers = describe(read("active", &Control::active), write("active", &Control::active));
  using Reads = Fields<MacHeader, NetworkHeader, ReceiveTime, PaintColor, AggregateNumber>;

  static Refusal initialize(auto& element) { return element.state().open(element.parameters().outfile); }
  static void cleanup(auto& element) { element.state().close(); }

  static Output process(auto& context, In, auto& packet) {
    if (!context.control().active || packet.template get<NetworkHeader>() == 0) return to(0);
    const auto* ip = packet.template header_at<IPv4Header, NetworkHeader>();
    std::string line = introduction(context.parameters(), packet);
    if (ip == nullptr)
      line += "truncated-ip";
    else
      line += text(context.parameters(), packet, *ip);
    context.state().write(context, std::move(line));
    return to(0);
  }

 private:
  /// What the line says of the packet's metadata.
  static std::string introduction(const Parameters& parameters, auto& packet) {
    std::string line;
    if (!parameters.label.empty()) line += std::string(parameters.label) + ": ";
    if (parameters.timestamp) line += to_string(packet.template get<ReceiveTime>()) + ": ";
    if (parameters.aggregate) line += "#" + std::to_string(packet.template get<AggregateNumber>());
    if (parameters.paint)
      line += (parameters.aggregate ? "." : "paint ") + std::to_string(packet.template get<PaintColor>());
    if (parameters.aggregate || parameters.paint) line += ": ";
    if (const auto* ethernet = packet.template header_at<EthernetHeader, MacHeader>();
        parameters.ether && ethernet != nullptr)
      line += to_string(ethernet->source) + " > " + to_string(ethernet->destination) + ": ";
    return line;
  }

  static std::string text(const Parameters& parameters, auto& packet, const IPv4Header& ip) {
    std::string line;
    if (parameters.id) line += "id " + std::to_string(swap_network(std::uint16_t{ip.identification})) + " ";
    if (parameters.ttl) line += "ttl " + std::to_string(ip.ttl) + " ";
    if (parameters.tos) line += "tos " + std::to_string(ip.tos) + " ";
    if (parameters.length) line += "length " + std::to_string(swap_network(std::uint16_t{ip.total_length})) + " ";
    const auto available = static_cast<std::uint32_t>(packet.length() - packet.template offset_of<NetworkHeader>());
    line += ip_text(ip, available, packet.length(), parameters.swap);
    const bool whole = parameters.contents.style != DataStyle::none;
    const std::uint32_t start = whole ? 0 : payload_offset(ip, available);
    return line + rows(whole ? parameters.contents : parameters.payload,
                       reinterpret_cast<const std::uint8_t*>(&ip) + start,
                       std::min(available - start, static_cast<std::uint32_t>(parameters.maxlength)));
  }

  /// INTERPRETATION: the manual does not say how CONTENTS is laid out: 32 bytes a line.
  static std::string rows(DataStyle style, const std::uint8_t* data, std::uint32_t length) {
    std::string text;
    if (style.style == DataStyle::none) return text;
    for (std::uint32_t i = 0; i < length; i += 32)
      text += "\n  " + data_text(style, data + i, std::min<std::uint32_t>(32, length - i));
    return text;
  }
};

}  // namespace packetmill
