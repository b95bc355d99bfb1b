#pragma once

#include "engine/node_of.h"
#include "engine/registry.h"

namespace packetmill::engine {

template <class E>
Factory factory_of() {
  Factory factory;
  factory.element_class = {E::info.name, E::info.ports, E::info.processing, E::info.flow, {}};
  if constexpr (requires { E::keywords; })
    for (const Keyword& keyword : E::keywords)
      factory.element_class.arguments.push_back({keyword.name, keyword.type, keyword.positional, keyword.mandatory});
  if constexpr (requires { E::aliases; }) factory.aliases.assign(E::aliases.begin(), E::aliases.end());
  for (const Reason& reason : drops_of<E>()) factory.drops.push_back(reason.name);
  for (const Handler& handler : NodeOf<E>().handlers())
    factory.handlers.push_back({handler.name, handler.read != nullptr, handler.write != nullptr});
  factory.type = ir::type_text<E>();
  NodeOf<E>::describe(factory);
  factory.make = []() -> std::unique_ptr<Node> { return std::make_unique<NodeOf<E>>(); };
  return factory;
}

}  // namespace packetmill::engine
