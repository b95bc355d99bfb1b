#pragma once

#include <string>

#include "elements/look/line_file.h"
#include "elements/look/packet_text.h"
#include "runtime/element.h"

namespace packetmill {

/// ARPPrint([TAG], ...): prints a line about each ARP packet, much as tcpdump does.
///
/// Ports:     1 input, 1 output.
/// Needs:     the network header at the ARP packet; packets without one pass and are not printed.
/// Keywords:  TAG: what the line begins with.
///            TIMESTAMP (default true): the packet's time. ETHER (default false): the addresses of its Ethernet header.
///            OUTFILE: a file to print to. ACTIVE (default true): false prints nothing.
/// Handlers:  active (read/write).
/// Example:   ARPPrint(in, TIMESTAMP false) prints "in: arp who-has 10.0.0.2 tell 10.0.0.1".
/// See also:  Print, ARPQuerier
struct ARPPrint {
  static constexpr ElementInfo info{.name = "ARPPrint"};

  struct Parameters {
    Text tag;
    bool timestamp = true;
    bool ether = false;
    FileName outfile;
  };
  struct Control {
    bool active = true;
  };
  using State = LineFile;
  static constexpr Scope scope = Scope::shared;
  static constexpr auto keywords =
      describe(positional<&Parameters::tag>("TAG"), keyword<&Parameters::timestamp>("TIMESTAMP"),
               keyword<&Parameters::ether>("ETHER"), keyword<&Parameters::outfile>("OUTFILE"),
               keyword<&Control::active>("ACTIVE"));
  static constexpr auto handlers = describe(read("active", &Control::active), write("active", &Control::active));
  using Reads = Fields<MacHeader, NetworkHeader, ReceiveTime>;

  static Refusal initialize(auto& element) { return element.state().open(element.parameters().outfile); }
  static void cleanup(auto& element) { element.state().close(); }

  static Output process(auto& context, In, auto& packet) {
    if (!context.control().active || packet.template get<NetworkHeader>() == 0) return to(0);
    const Parameters& parameters = context.parameters();
    std::string line;
    if (!parameters.tag.empty()) line += std::string(parameters.tag) + ": ";
    if (parameters.timestamp) line += to_string(packet.template get<ReceiveTime>()) + ": ";
    if (const auto* ethernet = packet.template header_at<EthernetHeader, MacHeader>();
        parameters.ether && ethernet != nullptr)
      line += to_string(ethernet->source) + " > " + to_string(ethernet->destination) + ": ";
    const auto* arp = packet.template header_at<ArpPacket, NetworkHeader>();
    context.state().write(context, line + (arp == nullptr ? "truncated-arp" : arp_text(*arp)));
    return to(0);
  }
};

}  // namespace packetmill
