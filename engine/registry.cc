#include "engine/registry.h"

#include <algorithm>

namespace packetmill::engine {

// Written by the build (engine/CMakeLists.txt, engine/registry_gen.cc).
std::vector<Factory> make_factories();
Page page_of(std::string_view name);

Registry::Registry() : factories_(make_factories()) {
  for (Factory& factory : factories_) factory.page = page_of(factory.element_class.name);
}

const Registry& Registry::instance() {
  static const Registry registry;
  return registry;
}

const Factory* Registry::factory(std::string_view name) const {
  for (const Factory& factory : factories_)
    if (factory.element_class.name == name || std::ranges::count(factory.aliases, name) > 0) return &factory;
  return nullptr;
}

const ElementClass* Registry::find(std::string_view name) const {
  const Factory* found = factory(name);
  return found == nullptr ? nullptr : &found->element_class;
}

std::vector<std::string_view> Registry::names() const {
  std::vector<std::string_view> result;
  for (const Factory& factory : factories_) {
    result.push_back(factory.element_class.name);
    result.insert(result.end(), factory.aliases.begin(), factory.aliases.end());
  }
  return result;
}

}  // namespace packetmill::engine
