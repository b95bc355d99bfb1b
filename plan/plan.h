#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/diagnostic.h"

namespace packetmill {

enum class Dispatch { virtual_calls, direct, static_graph };
enum class ParameterChoice { runtime, constant };
enum class Loops { vector, staged, fused };
enum class Batches { vector, list };
enum class MetadataModel { copying, overlaying, xchange, registers };
enum class Offloads { software, nic };
enum class Observe { none, counters, cycles, sampled };
enum class Link { objects, lto };

/// How a graph is run: the graph says what happens to a packet, the plan how. Every choice works alone; the scenarios of
/// the PacketMill paper and our own are presets.
struct Plan {
  std::string name = "vanilla";
  Dispatch dispatch = Dispatch::virtual_calls;
  ParameterChoice parameters = ParameterChoice::runtime;
  Loops loops = Loops::vector;
  Batches batches = Batches::vector;  ///< how the packets of a batch come together
  int stage = 8;                      ///< packets for which a staged loop looks ahead
  int batch = 32;  ///< packets a vector loop hands on at a time; a fused loop always takes one all its way
  MetadataModel metadata = MetadataModel::copying;
  Offloads offloads = Offloads::software;  ///< who checks checksums
  std::vector<std::string_view> passes;    ///< of graph/passes/pass.h, in their order
  Observe observe = Observe::none;
  Link link = Link::objects;
  int cores = 1;

  bool operator==(const Plan&) const = default;
};

/// Whether ports whose drivers have a data path of ours do without mbufs (X-Change).
[[nodiscard]] bool exchanges(const Plan& plan);

/// The preset of that name.
[[nodiscard]] std::optional<Plan> preset(std::string_view name);
[[nodiscard]] std::vector<std::string_view> preset_names();

/// "loops=fused": changes one choice; what is wrong, where it does not exist.
[[nodiscard]] std::optional<std::string> set_choice(Plan& plan, std::string_view choice, std::string_view value);

/// A choice, and the values that tests try: all words that there are, a few of the numbers, each pass alone.
struct Choice {
  std::string_view name;
  std::vector<std::string_view> values;
};
/// Every choice of a plan.
[[nodiscard]] std::vector<Choice> choices();

/// A plan file: `choice = value`, one a line, the first of them perhaps `preset = NAME`; # begins a comment. Errors are
/// in `diagnostics`, at their lines.
[[nodiscard]] Plan parse_plan(const std::string& file, std::string_view text, Diagnostics& diagnostics);

/// As a plan file writes it.
[[nodiscard]] std::string_view word_of(Observe observe);

/// As parse_plan reads it, with every choice.
[[nodiscard]] std::string to_string(const Plan& plan);

}  // namespace packetmill
