#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/node.h"
#include "graph/element_class.h"

namespace packetmill::engine {

/// What the reference says of an element class: read by the build from its header.
struct Page {
  std::string_view header;         ///< "elements/ip/DecIPTTL.h"
  std::string_view area;           ///< the folder that it lies in: "ip"
  std::string_view documentation;  ///< the comment before the struct, without slashes
};

/// One element class as the interpreter knows it.
struct Factory {
  ElementClass element_class;
  std::vector<std::string_view> aliases;  ///< other names of the same class: LookupIPRoute
  std::vector<HandlerInfo> handlers;
  std::vector<std::string_view> drops;
  Page page;
  std::string_view type;  ///< the element's name in C++: "packetmill::Strip"
  bool emits = false;     ///< makes packets while it processes one
  bool runs = false;      ///< has tasks of its own
  bool fires = false;     ///< has a timer
  bool flushes = false;   ///< gathers packets, and sends them when a turn is over
  /// Outputs from this one on are for few packets: what is wrong with them, and what is made of them besides.
  int rare_from = 1 << 15;
  std::unique_ptr<Node> (*make)() = nullptr;
};

/// All element classes of this binary. The build writes the list from the headers in elements/ and ports/.
class Registry final : public ElementClasses {
 public:
  static const Registry& instance();

  [[nodiscard]] const ElementClass* find(std::string_view name) const override;
  [[nodiscard]] std::vector<std::string_view> names() const override;
  [[nodiscard]] const Factory* factory(std::string_view name) const;
  [[nodiscard]] const std::vector<Factory>& factories() const { return factories_; }
  /// For a copy of instance(): element classes beyond the binary's own, as tests have them.
  void add(Factory factory) { factories_.push_back(std::move(factory)); }

 private:
  Registry();
  std::vector<Factory> factories_;
};

}  // namespace packetmill::engine
