#pragma once

#include "runtime/arguments/split.h"
#include "runtime/declarations.h"
#include "runtime/element.h"

namespace packetmill {

/// PortInfo: gives names to TCP and UDP ports.
///
/// Ports:     none.
/// Keywords:  any number of `NAME PORT[/PROTOCOL] [NAME...]`: lines as /etc/services has them. Without PROTOCOL (tcp or
///            udp) the names hold for both; what follows a `#` is a comment.
/// Notes:     names hold in the compound element that the PortInfo stands in, and in the compounds inside it.
/// Example:   PortInfo(ssh 22, http 80/tcp www);
/// See also:  AddressInfo
struct PortInfo {
  static constexpr ElementInfo info{.name = "PortInfo", .ports = "0/0"};

  static void declare(Configuration& configuration, std::string_view element, Declarations& declarations) {
    for (const Argument& argument : configuration.take_rest()) {
      std::vector<std::string> words = split_words(argument.text.substr(0, argument.text.find('#')));
      if (words.empty()) continue;
      if (words.size() < 2) {
        configuration.error(argument, "expected 'NAME PORT[/PROTOCOL]'");
        continue;
      }
      const std::string_view port_and_protocol = words[1];
      const std::size_t slash = port_and_protocol.find('/');
      std::uint16_t port = 0;
      IPProtocol protocol;
      if (auto wrong = parse(port_and_protocol.substr(0, slash), port)) {
        configuration.error(argument, *wrong);
      } else if (slash != std::string_view::npos && parse(port_and_protocol.substr(slash + 1), protocol)) {
        configuration.error(argument, "unknown protocol");
      } else {
        std::swap(words[0], words[1]);
        for (std::size_t i = 1; i < words.size(); ++i) {
          auto& ports = declarations.name(element, words[i]).ports;
          if (slash == std::string_view::npos)
            ports[kTcp.number] = ports[kUdp.number] = port;
          else
            ports[protocol.number] = port;
        }
      }
    }
  }
};

}  // namespace packetmill
