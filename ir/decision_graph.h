#pragma once

#include <bit>
#include <compare>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "runtime/list.h"
#include "runtime/values/address.h"

/// Decision graphs: what Classifier, IPClassifier and IPFilter do to a packet, as data. A graph is a parameter like any
/// other: in a milled binary it is constexpr, and the compiler turns it into code.
namespace packetmill::ir {

/// Where a test's offset counts from.
enum class Base : uint8_t { packet, mac_header, network_header, transport_header };

enum class Relation : uint8_t { equal, greater };

/// Takes four bytes at `offset` as a big-endian number, and compares what is under `mask` with `value`.
struct Test {
  Base base = Base::packet;
  uint16_t offset = 0;
  uint32_t mask = 0;  ///< never zero
  Relation relation = Relation::equal;
  uint32_t value = 0;

  friend constexpr auto operator<=>(const Test&, const Test&) = default;
};

/// A test and what follows it: another node's index, or the end (see `end_with`).
struct Node {
  Test test;
  int32_t yes = 0;
  int32_t no = 0;

  friend constexpr auto operator<=>(const Node&, const Node&) = default;
};

/// The outcome of a packet that goes to no output.
inline constexpr int kNoOutput = -1;

/// A target that ends the evaluation with an output's number or kNoOutput; ends are negative, nodes are not.
constexpr int32_t end_with(int outcome) { return -2 - outcome; }
constexpr bool is_end(int32_t target) { return target < 0; }
constexpr int outcome_of(int32_t end) { return -2 - end; }

struct DecisionGraph {
  List<Node> nodes;
  int32_t root = end_with(kNoOutput);
};

/// Whether a test holds for the bytes from its base to the end of the packet. Bytes under the mask that the packet does
/// not have make the test false, as Click's Classifier documents it.
constexpr bool holds(const Test& test, std::span<const uint8_t> bytes) {
  const size_t last = test.offset + 3 - static_cast<size_t>(std::countr_zero(test.mask)) / 8;
  if (last >= bytes.size()) return false;
  uint32_t word = 0;
  if (!std::is_constant_evaluated() && test.offset + size_t{4} <= bytes.size()) {
    std::memcpy(&word, bytes.data() + test.offset, 4);
    word = swap_network(word);
  } else {
    for (size_t i = test.offset; i < test.offset + size_t{4}; ++i) word = word << 8 | (i < bytes.size() ? bytes[i] : 0);
  }
  word &= test.mask;
  return test.relation == Relation::equal ? word == test.value : word > test.value;
}

/// Two tests for equal values that lie within eight bytes, as one: only generated code has them.
struct WideTest {
  Base base = Base::packet;
  uint16_t offset = 0;
  uint64_t mask = 0;  ///< never zero
  uint64_t value = 0;
};

/// What holds for `first` and `second` and nothing else; nothing where that is no wide test.
constexpr std::optional<WideTest> both(const Test& first, const Test& second) {
  const Test& low = first.offset <= second.offset ? first : second;
  const Test& high = first.offset <= second.offset ? second : first;
  const int distance = high.offset - low.offset;
  if (first.base != second.base || distance > 4) return std::nullopt;
  if (first.relation != Relation::equal || second.relation != Relation::equal) return std::nullopt;
  const int shift = 8 * (4 - distance);
  const uint64_t low_mask = uint64_t{low.mask} << 32U;
  const uint64_t high_mask = uint64_t{high.mask} << shift;
  const uint64_t low_value = uint64_t{low.value} << 32U;
  const uint64_t high_value = uint64_t{high.value} << shift;
  if (((low_value ^ high_value) & low_mask & high_mask) != 0) return std::nullopt;
  return WideTest{low.base, low.offset, low_mask | high_mask, low_value | high_value};
}

constexpr bool holds(const WideTest& test, std::span<const uint8_t> bytes) {
  const size_t last = test.offset + 7 - static_cast<size_t>(std::countr_zero(test.mask)) / 8;
  if (last >= bytes.size()) return false;
  uint64_t word = 0;
  if (!std::is_constant_evaluated() && test.offset + size_t{8} <= bytes.size()) {
    std::memcpy(&word, bytes.data() + test.offset, 8);
    word = __builtin_bswap64(word);
  } else {
    for (size_t i = test.offset; i < test.offset + size_t{8}; ++i) word = word << 8 | (i < bytes.size() ? bytes[i] : 0);
  }
  return (word & test.mask) == test.value;
}

/// The outcome for one packet. `bytes_from(Base)` gives the packet's bytes from that base to its end, nothing where the
/// packet has no such header.
constexpr int evaluate(const DecisionGraph& graph, auto&& bytes_from) {
  int32_t at = graph.root;
  while (!is_end(at)) {
    const Node& node = graph.nodes[static_cast<size_t>(at)];
    at = holds(node.test, bytes_from(node.test.base)) ? node.yes : node.no;
  }
  return outcome_of(at);
}

/// A graph together with the memory of its nodes.
struct DecisionProgram {
  std::vector<Node> nodes;
  int32_t root = end_with(kNoOutput);

  [[nodiscard]] DecisionGraph graph() const { return {{nodes.data(), nodes.size()}, root}; }
  /// Whether some end has this outcome. In an optimised program: whether any packet may reach it.
  [[nodiscard]] bool reaches(int outcome) const;
};

/// One line per node, as the handler `program` shows it: "0  12/08060000%ffff0000  yes->step 1  no->[3]".
std::string to_string(const DecisionGraph& graph);

}  // namespace packetmill::ir
