#include "mill/facts.h"

#include "mill/effects_of.h"
#include "mill/hooks.h"

namespace packetmill::mill {

Parts parts_of_field(std::string_view name, int annotation, std::size_t bytes) {
  static std::map<std::string_view, std::size_t> places;
  Parts parts;
  if (annotation < 0) return parts.set(places.try_emplace(name, 1 + kAnnotationBytes + places.size()).first->second);
  for (std::size_t i = 0; i < bytes; ++i) parts.set(1 + static_cast<std::size_t>(annotation) + i);
  return parts;
}

NodeFacts::NodeFacts(engine::Router& outline) : outline_(outline) {
  for (const auto& node : outline.nodes()) nodes_.emplace(node->name, node.get());
}

const Facts& NodeFacts::of(const Graph::Element& element) { return look_up(element).facts; }

std::shared_ptr<const engine::Node> NodeFacts::node(const Graph::Element& element) { return look_up(element).node; }

const NodeFacts::Known& NodeFacts::look_up(const Graph::Element& element) {
  const auto [place, is_new] = known_.try_emplace({element.name, element.configuration});
  Known& known = place->second;
  if (!is_new) return known;
  const engine::Node& original = *nodes_.at(element.name);
  known.node = original.configuration == element.configuration
                   ? std::shared_ptr<const engine::Node>(std::shared_ptr<void>(), &original)
                   : configured(original, element.configuration);
  const engine::Node& node = *known.node;
  Facts& facts = known.facts;
  facts.input_is_pull = node.input_is_pull;
  facts.output_is_pull = node.output_is_pull;
  facts.starts = node.task_count(1) > 0 || engine::Registry::instance().factory(node.element_class->name)->fires;
  effects_of(node.element_class->name)(node, facts);
  // Whatever an element proposes must be a configuration, and one that generated code can have as a constant: there is no
  // node that holds it while the program runs.
  facts.after_strip = [this, &original, propose = std::move(facts.after_strip)](std::int64_t bytes) {
    std::optional<std::string> proposed = propose(bytes);
    if (proposed && !configured(original, *proposed)) proposed.reset();
    return proposed;
  };
  return known;
}

std::shared_ptr<const engine::Node> NodeFacts::configured(const engine::Node& like, const std::string& configuration) {
  std::shared_ptr<const engine::Node> node = outline_.configured_otherwise(like, configuration);
  return node && node->parameters_text() && !node->depends_on_machine() ? node : nullptr;
}

}  // namespace packetmill::mill
