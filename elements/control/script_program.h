#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/keyword.h"

namespace packetmill {

/// When a Script runs; see the element's page.
struct ScriptType {
  static constexpr std::string_view kTypeName = "script type";
  enum Kind { unset, active, passive, driver, packet, proxy, signal } kind = unset;
  std::uint64_t signals = 0;  ///< of kind signal: bit n for signal n
};
ParseError parse(std::string_view text, ScriptType& out, const Names& names = kNoNames);

/// One instruction. `text` is as written, still to be substituted.
struct ScriptInstruction {
  enum Operation {
    label,
    set,
    init,
    exported,
    print,
    save,
    append,
    read,
    write,
    pause,
    wait,
    jump,
    loop,
    returns,
    end,
    exit,
    stop,
    error
  };
  Operation operation = end;
  bool unquotes = false;  ///< the form with a `q`
  bool newline = true;    ///< of print
  Text name = {};         ///< a variable, label or handler
  Text text = {};
  int target = 0;  ///< of jump: an instruction's index, or one of the below
};

/// Targets of `goto` that are no labels.
enum ScriptTarget : int { kScriptEnd = -1, kScriptExit = -2, kScriptStop = -3, kScriptError = -4, kNoLabel = -5 };

/// The instruction that a label means, or a ScriptTarget. `program` needs its operations and names only.
int find_label(List<ScriptInstruction> program, std::string_view label);

/// Makes the program of the arguments that are not keywords; what is wrong with one is reported at its place.
List<ScriptInstruction> compile_script(Configuration& configuration, bool driver);

}  // namespace packetmill
