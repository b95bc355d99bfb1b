#pragma once

#include <span>
#include <utility>
#include <vector>

#include "ir/decision_graph.h"

namespace packetmill::ir {

/// A condition on a packet: tests joined by logic. Both pattern languages lower to it.
struct Formula {
  enum class Kind : uint8_t { constant, test, negation, conjunction, disjunction, conditional };
  Kind kind = Kind::constant;
  bool value = true;  ///< of a constant
  Test test;          ///< of a test
  std::vector<Formula>
      parts;  ///< one of a negation, any number of a con- or disjunction, if-then-else of a conditional
};

Formula constant(bool value);
Formula operator!(Formula part);
Formula all_of(std::vector<Formula> parts);
Formula any_of(std::vector<Formula> parts);
Formula conditional(Formula condition, Formula yes, Formula no);

/// A field of `length` bytes (1 to 4) at `offset`, as a big-endian number: (field & mask) relation value. Equality
/// comes as tests at multiples of four, so that tests of neighbouring fields can be told to exclude or to imply each
/// other.
Formula field(Base base, unsigned offset, unsigned length, Relation relation, uint32_t mask, uint32_t value);

/// A pattern and where the packets go that match it: an output, or kNoOutput.
struct Rule {
  Formula pattern;
  int outcome = kNoOutput;
};

/// The rules in order, the first match wins, no match is kNoOutput: test after test as they are written. Nodes stand
/// after the nodes that they lead to. Its size is linear in the rules'.
DecisionProgram compile(std::span<const Rule> rules);

}  // namespace packetmill::ir
