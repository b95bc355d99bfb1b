#pragma once

#include <string>
#include <utility>

#include "runtime/arguments/split.h"
#include "runtime/declarations.h"
#include "runtime/element.h"

namespace packetmill {

/// "ELEMENT VALUE" in two; the value is empty where there are not two words.
inline std::pair<std::string, std::string> element_and_value(const Argument& argument) {
  const std::vector<std::string> words = split_words(argument.text);
  return {words.empty() ? "" : words[0], words.size() == 2 ? words[1] : ""};
}

}  // namespace packetmill
