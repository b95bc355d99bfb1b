#pragma once

#include <map>
#include <memory>
#include <string>

#include "engine/router.h"
#include "graph/passes/facts.h"

namespace packetmill::mill {

/// What the elements of a router say of themselves (runtime/effects.h), for passes over its graph.
class NodeFacts final : public ElementFacts {
 public:
  /// `outline` must outlive it.
  explicit NodeFacts(engine::Router& outline);

  [[nodiscard]] const Facts& of(const Graph::Element& element) override;
  /// The element as it is configured now: the router's own node, or one of another configuration, which lives as long as
  /// somebody has it.
  [[nodiscard]] std::shared_ptr<const engine::Node> node(const Graph::Element& element);

 private:
  struct Known {
    std::shared_ptr<const engine::Node> node;
    Facts facts;
  };
  [[nodiscard]] const Known& look_up(const Graph::Element& element);
  [[nodiscard]] std::shared_ptr<const engine::Node> configured(const engine::Node& like,
                                                               const std::string& configuration);

  engine::Router& outline_;
  std::map<std::string, const engine::Node*, std::less<>> nodes_;
  std::map<std::pair<std::string, std::string>, Known> known_;  ///< by name and configuration
};

}  // namespace packetmill::mill
