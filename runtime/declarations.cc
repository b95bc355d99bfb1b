#include "runtime/declarations.h"

#include <algorithm>
#include <cmath>

#include "runtime/machine.h"

namespace packetmill {
namespace {

/// Names as one element sees them; those that nothing declares may be devices of this machine.
class ScopedNames final : public Names {
 public:
  using NameMap = std::map<std::string, Declarations::Name, std::less<>>;
  using PatternMap = std::map<std::string, std::string, std::less<>>;

  ScopedNames(const NameMap& names, const PatternMap& patterns, std::vector<Declarations::ExpectedHandler>& expected,
              std::vector<Declarations::MentionedHandler>& mentioned, std::string_view element)
      : names_(names),
        patterns_(patterns),
        expected_(expected),
        mentioned_(mentioned),
        element_(element),
        scope_(Declarations::scope_of(element)) {}

  [[nodiscard]] std::optional<IPv4Address> find_ipv4(std::string_view name) const override {
    if (const auto found = find(name, [](const auto& entry) { return entry.ipv4; })) return found;
    const auto device = of_machine(device_ipv4(name));
    return device ? std::optional(device->address) : std::nullopt;
  }
  [[nodiscard]] std::optional<IPv4Prefix> find_ipv4_prefix(std::string_view name) const override {
    if (const auto found = find(name, [](const auto& entry) { return entry.ipv4_prefix; })) return found;
    return of_machine(device_ipv4(name));
  }
  [[nodiscard]] std::optional<IPv6Address> find_ipv6(std::string_view name) const override {
    return find(name, [](const auto& entry) { return entry.ipv6; });
  }
  [[nodiscard]] std::optional<IPv6Prefix> find_ipv6_prefix(std::string_view name) const override {
    return find(name, [](const auto& entry) { return entry.ipv6_prefix; });
  }
  [[nodiscard]] std::optional<EthernetAddress> find_ethernet(std::string_view name) const override {
    if (const auto found = find(name, [](const auto& entry) { return entry.ethernet; })) return found;
    return of_machine(device_ethernet(name));
  }
  [[nodiscard]] std::optional<std::uint16_t> find_port(std::string_view name, IPProtocol protocol) const override {
    return find(name, [&](const auto& entry) -> std::optional<std::uint16_t> {
      const auto found = entry.ports.find(protocol.number);
      return found == entry.ports.end() ? std::nullopt : std::optional(found->second);
    });
  }
  [[nodiscard]] std::optional<std::string_view> find_pattern(std::string_view name) const override {
    const auto found = patterns_.find(name);
    return found == patterns_.end() ? std::nullopt : std::optional<std::string_view>(found->second);
  }
  [[nodiscard]] bool asked_the_machine() const override { return asked_the_machine_; }
  void ask_the_machine() const override { asked_the_machine_ = true; }
  void expect_write_handler(std::string_view handler) const override {
    expected_.push_back({element_, std::string(handler)});
  }
  void mention_handler(std::string_view handler, const Location& where) const override {
    mentioned_.push_back({element_, std::string(handler), where});
  }

 private:
  template <class T>
  std::optional<T> of_machine(std::optional<T> value) const {
    asked_the_machine_ |= value.has_value();
    return value;
  }
  /// From the innermost compound outwards, the first entry that has what is asked for.
  template <class F>
  auto find(std::string_view name, F what) const -> decltype(what(std::declval<const Declarations::Name&>())) {
    for (std::string scope = scope_;;) {
      const auto found = names_.find(scope + std::string(name));
      if (found != names_.end())
        if (auto value = what(found->second)) return value;
      if (scope.empty()) return std::nullopt;
      scope = Declarations::scope_of(std::string_view(scope).substr(0, scope.size() - 1));
    }
  }

  const NameMap& names_;
  const PatternMap& patterns_;
  std::vector<Declarations::ExpectedHandler>& expected_;
  std::vector<Declarations::MentionedHandler>& mentioned_;
  std::string element_;
  std::string scope_;
  mutable bool asked_the_machine_ = false;
};

}  // namespace

std::string Declarations::scope_of(std::string_view element) {
  const std::size_t slash = element.rfind('/');
  return slash == std::string_view::npos ? "" : std::string(element.substr(0, slash + 1));
}

std::unique_ptr<Names> Declarations::names_for(std::string_view element) {
  return std::make_unique<ScopedNames>(names_, patterns_, expected_write_handlers_, mentioned_handlers_, element);
}

bool Declarations::exists(const std::string& name) const {
  if (elements_.contains(name)) return true;
  const auto inside = elements_.lower_bound(name + "/");
  return inside != elements_.end() && inside->starts_with(name + "/");
}

bool Declarations::set_tickets(std::string_view element, std::string_view target, double factor) {
  const std::string name = scope_of(element) + std::string(target);
  tickets_[name] = factor;
  return exists(name);
}

bool Declarations::set_core(std::string_view element, std::string_view target, int core) {
  const std::string name = scope_of(element) + std::string(target);
  cores_[name] = core;
  return exists(name);
}

int Declarations::tickets_of(std::string_view element) const {
  // "a/b/c" has the tickets of a, a/b and a/b/c multiplied, where they are given.
  double factor = 1;
  for (std::size_t end = element.find('/');; end = element.find('/', end + 1)) {
    const auto found = tickets_.find(element.substr(0, end));
    if (found != tickets_.end()) factor *= found->second;
    if (end == std::string_view::npos) break;
  }
  return std::clamp(static_cast<int>(std::lround(factor * 1024)), 1, 1 << 15);
}

std::optional<int> Declarations::core_of(std::string_view element) const {
  // The innermost that says something.
  for (std::string name(element);;) {
    const auto found = cores_.find(name);
    if (found != cores_.end()) return found->second;
    const std::string scope = scope_of(name);
    if (scope.empty()) return std::nullopt;
    name = scope.substr(0, scope.size() - 1);
  }
}

}  // namespace packetmill
