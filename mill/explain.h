#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/router.h"
#include "graph/graph.h"
#include "mill/program_code.h"
#include "plan/plan.h"

namespace packetmill::mill {

/// What the mill has made of a configuration: read from the program, its optimised IR and the generated source, never
/// from what was meant.
struct Explanation {
  /// Code of an element.
  struct Place {
    std::size_t region = 0;
    std::uint64_t bytes = 0;
    std::uint64_t instructions = 0;
    double cycles = 0;  ///< an estimate, a packet; on the packets' way only
  };

  struct Element {
    std::string name;
    std::string class_name;
    std::string configuration;
    std::string no_code;     ///< why there is none; empty where there is
    std::string removed_by;  ///< the pass (graph/passes/pass.h) that has taken it off the packets' way
    std::string rewritten;   ///< its configuration as passes have left it, where they changed it

    std::string constants;               ///< the parameters as C++, where they are constants of the program
    std::vector<std::string> lists;      ///< that the constants refer to
    std::string why_not_constants;       ///< where they are not
    bool decides_in_code = false;        ///< its decision graph has become code
    bool routes_in_code = false;         ///< its routes have become compares, until the table changes
    std::vector<DataSymbol> state;       ///< parameters in memory, control, state, drop counts, ledger
    std::vector<DataSymbol> other_data;  ///< constants that remain in memory, typically lists
    std::vector<Place> places;           ///< the packets' way first
    std::vector<int> fused_with;         ///< neighbours whose code stands in the same hot regions
    double cycles = 0;                   ///< of the place that takes the most

    [[nodiscard]] std::uint64_t code_bytes() const;
    [[nodiscard]] std::uint64_t hot_bytes(const Explanation& in) const;
    [[nodiscard]] std::uint64_t state_bytes() const;
  };

  /// A call that takes a packet out of registers.
  struct Call {
    std::string callee;
    int element = -1;       ///< whose code calls; -1: nobody's
    bool by_value = false;  ///< a copy is made where packets leave the hot way; the others stay in registers
  };

  /// A function of the program that has code of elements.
  struct Region {
    std::string name;    ///< short: "the task of 'wire'"
    std::string symbol;  ///< demangled
    bool hot = false;    ///< on the packets' way
    std::uint64_t bytes = 0;
    std::vector<int> elements;  ///< in the order of the configuration
    int packets_in_memory = 0;  ///< of metadata in registers: how many are in memory all the same
    std::vector<Call> calls;    ///< that cause it; and those that take spill records
  };

  std::string plan;                   ///< every choice
  bool interpreted = false;           ///< nothing is milled: the program is the interpreter
  bool registers = false;             ///< metadata is in registers
  bool overlaid = false;              ///< metadata is in memory, beside the buffer
  std::string why_not_registers;      ///< for any region
  std::string processor;              ///< that the estimates are for
  std::vector<std::string> metadata;  ///< the fields that packets carry
  std::vector<Element> elements;      ///< as in the configuration
  std::vector<Region> regions;        ///< hot ones first
  std::uint64_t code_bytes = 0;       ///< of all that the generated source has become
};

/// Mills the configuration in `directory`, where the source, the IR and the program stay, and looks at what came of it.
/// What is wrong, where that does not work.
[[nodiscard]] std::optional<std::string> explain(const Graph& graph, engine::Router& outline, const Plan& plan,
                                                 const std::filesystem::path& directory, Explanation& result);

/// For a terminal.
[[nodiscard]] std::string explanation_text(const Explanation& explanation);
/// One page that needs nothing but itself: `svg` is the graph, whose elements link to "#e0", "#e1", ...
[[nodiscard]] std::string explanation_html(const Explanation& explanation, const std::string& title,
                                           const std::string& svg);
/// The keys are in docs/explain.md.
[[nodiscard]] std::string explanation_json(const Explanation& explanation);

}  // namespace packetmill::mill
