#pragma once

#include <optional>
#include <string_view>

#include "graph/diagnostic.h"
#include "runtime/values/address.h"
#include "runtime/values/scalar.h"

namespace packetmill {

/// The names that a configuration defines (AddressInfo, PortInfo, IPRewriterPatterns), as seen from one element: the
/// implementation knows the element's scope. This one knows none. Names come without a kind suffix such as `:ip`.
class Names {
 public:
  virtual ~Names() = default;
  [[nodiscard]] virtual std::optional<IPv4Address> find_ipv4(std::string_view) const { return {}; }
  [[nodiscard]] virtual std::optional<IPv4Prefix> find_ipv4_prefix(std::string_view) const { return {}; }
  [[nodiscard]] virtual std::optional<IPv6Address> find_ipv6(std::string_view) const { return {}; }
  [[nodiscard]] virtual std::optional<IPv6Prefix> find_ipv6_prefix(std::string_view) const { return {}; }
  [[nodiscard]] virtual std::optional<EthernetAddress> find_ethernet(std::string_view) const { return {}; }
  /// The gateway of a network device (`eth0:gw`): known on the machine that runs, hence never a constant.
  [[nodiscard]] virtual std::optional<IPv4Address> find_gateway(std::string_view) const { return {}; }
  [[nodiscard]] virtual std::optional<uint16_t> find_port(std::string_view, IPProtocol) const { return {}; }
  /// A rewriting pattern (IPRewriterPatterns), as it was written: "SADDR SPORT DADDR DPORT".
  [[nodiscard]] virtual std::optional<std::string_view> find_pattern(std::string_view) const { return {}; }
  /// Whether something that was asked for is known only on the machine that runs: what was made of it is no constant.
  [[nodiscard]] virtual bool asked_the_machine() const { return false; }
  /// Told where something else is read that the machine that runs may have otherwise: a file of rules.
  virtual void ask_the_machine() const {}
  /// Told of every write handler that an argument names; whether it exists can only be said once all elements do.
  virtual void expect_write_handler(std::string_view) const {}
  /// Told of handlers that an argument may call one day, with the argument's place.
  virtual void mention_handler(std::string_view, const Location&) const {}
};

inline const Names kNoNames;

}  // namespace packetmill
