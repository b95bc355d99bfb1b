#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace packetmill {

/// One argument that an element class knows, as `packetmill elements` and the hints of `check` show it.
struct ArgumentInfo {
  std::string_view name;
  std::string_view type;  ///< "unsigned", "IPv4 address", ...
  bool positional = false;
  bool mandatory = false;
};

/// What the graph needs to know of an element class, in Click's own codes.
struct ElementClass {
  std::string_view name;
  std::string_view ports;       ///< port counts: "1/1-2", "-/1", "0-1/1", "1-/=", "1-/=+"
  std::string_view processing;  ///< per port "h" push, "l" pull, "a" agnostic: "a/ah", "h/l"; the last letter repeats
  std::string_view flow;        ///< which inputs reach which outputs inside the element: "x/x", "xy/x", "#/#", "x/y"
  std::vector<ArgumentInfo> arguments;
};

/// The element classes that exist; the engine's registry implements it, tests bring their own.
class ElementClasses {
 public:
  virtual ~ElementClasses() = default;
  [[nodiscard]] virtual const ElementClass* find(std::string_view name) const = 0;
  [[nodiscard]] virtual std::vector<std::string_view> names() const = 0;
};

}  // namespace packetmill
