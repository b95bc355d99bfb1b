#pragma once

#include <string_view>
#include <vector>

#include "graph/element_class.h"

namespace packetmill::test {

/// A few classes of each kind, with Click's codes: what tests of the front-end and the graph need, whatever elements
/// exist.
class SomeElementClasses : public ElementClasses {
 public:
  [[nodiscard]] const ElementClass* find(std::string_view name) const override {
    for (const ElementClass& element_class : kClasses)
      if (element_class.name == name) return &element_class;
    return nullptr;
  }

  [[nodiscard]] std::vector<std::string_view> names() const override {
    std::vector<std::string_view> names;
    for (const ElementClass& element_class : kClasses) names.push_back(element_class.name);
    return names;
  }

 private:
  inline static const std::vector<ElementClass> kClasses{
      {"InfiniteSource", "0/1", "h", "x/x", {}},
      {"Discard", "1/0", "a", "x/x", {}},
      {"Idle", "-/-", "a/a", "x/y", {}},
      {"Queue", "1-/1", "h/l", "#/#", {}},
      {"Unqueue", "1/1", "l/h", "x/x", {}},
      {"Null", "1/1", "a/a", "x/x", {}},
      {"Counter", "1/1", "a/a", "x/x", {}},
      {"Paint", "1/1", "a/a", "x/x", {}},
      {"Print", "1/1", "a/a", "x/x", {}},
      {"Script", "0/0", "a", "x/x", {}},
      {"Tee", "1/1-", "h/h", "x/x", {}},
      {"Classifier", "1/-", "h/h", "x/x", {}},
      {"RoundRobinSched", "1-/1", "l/l", "x/x", {}},
      {"CheckIPHeader", "1/1-2", "a/ah", "x/x", {}},
      {"ARPQuerier", "2/1-2", "h/h", "xy/x", {}},
      {"IPRewriter", "1-/1-", "h/h", "x/x", {}},
      {"Suppressor", "1-/=", "a/a", "#/#", {}},
      {"Message", "0/0", "a", "x/x", {}},
  };
};

}  // namespace packetmill::test
