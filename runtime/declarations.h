#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/values/names.h"

namespace packetmill {

/// What a configuration says about itself before any element is configured: the names of AddressInfo and PortInfo, the
/// tickets of ScheduleInfo, the cores of StaticThreadSched. An element that has something to say has
///   static void declare(Configuration& configuration, Declarations& declarations);
/// and nothing else. `element` is always the one that declares: its compound is the scope of what it says.
class Declarations {
 public:
  struct Name {
    std::optional<IPv4Address> ipv4;
    std::optional<IPv4Prefix> ipv4_prefix;
    std::optional<IPv6Address> ipv6;
    std::optional<IPv6Prefix> ipv6_prefix;
    std::optional<EthernetAddress> ethernet;
    std::map<std::uint8_t, std::uint16_t> ports;  ///< by IP protocol
  };
  /// The entry of `name`, to be filled in.
  Name& name(std::string_view element, std::string_view name) { return names_[scope_of(element) + std::string(name)]; }
  /// `target` is the name of an element, or of a compound, as seen from `element`. Tickets of a compound multiply.
  void set_tickets(std::string_view element, std::string_view target, double factor) {
    tickets_[scope_of(element) + std::string(target)] = factor;
  }
  void set_core(std::string_view element, std::string_view target, int core) {
    cores_[scope_of(element) + std::string(target)] = core;
  }

  /// The names as `element` sees them: its own compound's first, then those of the compounds around it.
  [[nodiscard]] std::unique_ptr<Names> names_for(std::string_view element) const;
  /// 1024 where nothing is said.
  [[nodiscard]] int tickets_of(std::string_view element) const;
  [[nodiscard]] std::optional<int> core_of(std::string_view element) const;

  /// "a/b/c" -> "a/b/": the compound that an element stands in.
  static std::string scope_of(std::string_view element);

 private:
  std::map<std::string, Name, std::less<>> names_;
  std::map<std::string, double, std::less<>> tickets_;
  std::map<std::string, int, std::less<>> cores_;
};

}  // namespace packetmill
