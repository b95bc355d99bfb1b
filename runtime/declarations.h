#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "graph/diagnostic.h"
#include "runtime/values/names.h"

namespace packetmill {

/// What a configuration says about itself before any element is configured: the names of AddressInfo and PortInfo, the
/// tickets of ScheduleInfo, the cores of StaticThreadSched. An element that has something to say has
///   static void declare(Configuration& configuration, std::string_view element, Declarations& declarations);
/// and nothing else. `element` is always the name of the one that declares: its compound is the scope of what it says.
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
  /// The elements that there are, before anything is said about them.
  void add_element(std::string_view name) { elements_.emplace(name); }
  /// `target` is the name of an element, or of a compound, as seen from `element`; false where there is none of that
  /// name. Tickets of a compound multiply.
  [[nodiscard]] bool set_tickets(std::string_view element, std::string_view target, double factor);
  [[nodiscard]] bool set_core(std::string_view element, std::string_view target, int core);
  /// Patterns have one scope, the whole configuration. False where the name is taken.
  bool add_pattern(std::string_view name, std::string_view pattern) {
    return patterns_.try_emplace(std::string(name), pattern).second;
  }

  /// The names as `element` sees them: its own compound's first, then those of the compounds around it.
  [[nodiscard]] std::unique_ptr<Names> names_for(std::string_view element);
  /// What the arguments of `element` name, and must exist when the router starts.
  struct ExpectedHandler {
    std::string element;
    std::string handler;
  };
  [[nodiscard]] const std::vector<ExpectedHandler>& expected_write_handlers() const { return expected_write_handlers_; }
  /// What scripts name, and need not exist before they get there.
  struct MentionedHandler {
    std::string element;
    std::string handler;
    Location where;
  };
  [[nodiscard]] const std::vector<MentionedHandler>& mentioned_handlers() const { return mentioned_handlers_; }
  /// 1024 where nothing is said.
  [[nodiscard]] int tickets_of(std::string_view element) const;
  [[nodiscard]] std::optional<int> core_of(std::string_view element) const;

  /// "a/b/c" -> "a/b/": the compound that an element stands in.
  static std::string scope_of(std::string_view element);

 private:
  /// Whether an element, or a compound, has this full name.
  [[nodiscard]] bool exists(const std::string& name) const;

  std::set<std::string, std::less<>> elements_;
  std::map<std::string, Name, std::less<>> names_;
  std::map<std::string, std::string, std::less<>> patterns_;
  std::map<std::string, double, std::less<>> tickets_;
  std::map<std::string, int, std::less<>> cores_;
  std::vector<ExpectedHandler> expected_write_handlers_;
  std::vector<MentionedHandler> mentioned_handlers_;
};

}  // namespace packetmill
