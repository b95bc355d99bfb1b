#pragma once

#include "runtime/arguments/split.h"
#include "runtime/declarations.h"
#include "runtime/element.h"

namespace packetmill {

/// AlignmentInfo: says how packets are aligned in memory, as click-align writes it.
///
/// Ports:     none.
/// Keywords:  any number of `ELEMENT [MODULUS OFFSET ...]`: packets that reach input N of ELEMENT begin OFFSET bytes
///            after a multiple of MODULUS, by the Nth pair.
/// Notes:     checked and then ignored: elements here read packets of any alignment.
struct AlignmentInfo {
  static constexpr ElementInfo info{.name = "AlignmentInfo", .ports = "0/0"};

  static void declare(Configuration& configuration, std::string_view, Declarations&) {
    for (const Argument& argument : configuration.take_rest()) {
      const std::vector<std::string> words = split_words(argument.text);
      bool good = words.size() % 2 == 1;
      std::uint32_t number = 0;
      for (std::size_t i = 1; i < words.size(); ++i) good &= !parse(words[i], number);
      if (!good) configuration.error(argument, "expected 'ELEMENT [MODULUS OFFSET ...]'");
    }
  }
};

}  // namespace packetmill
