#include "ir/optimise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "ir/classifier_patterns.h"
#include "ir/formula.h"

namespace packetmill::ir {
namespace {

using Bytes = std::vector<uint8_t>;

int outcome(const DecisionProgram& program, std::span<const uint8_t> packet) {
  return evaluate(program.graph(), [&](Base) { return packet; });
}

/// What a formula means, straight from its definition.
bool means(const Formula& f, std::span<const uint8_t> packet) {
  const auto part = [&](const Formula& p) { return means(p, packet); };
  switch (f.kind) {
    case Formula::Kind::constant:
      return f.value;
    case Formula::Kind::test:
      return holds(f.test, packet);
    case Formula::Kind::negation:
      return !part(f.parts[0]);
    case Formula::Kind::conjunction:
      return std::ranges::all_of(f.parts, part);
    case Formula::Kind::disjunction:
      return std::ranges::any_of(f.parts, part);
    case Formula::Kind::conditional:
      return part(f.parts[0]) ? part(f.parts[1]) : part(f.parts[2]);
  }
  return false;
}

int first_match(const std::vector<Rule>& rules, std::span<const uint8_t> packet) {
  for (const Rule& rule : rules) {
    if (means(rule.pattern, packet)) return rule.outcome;
  }
  return kNoOutput;
}

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  unsigned below(unsigned n) { return static_cast<unsigned>(engine_() % n); }

  Formula formula(int depth) {
    switch (depth == 0 ? 0 : below(6)) {
      case 0:
      case 1:
        return test();
      case 2:
        return !formula(depth - 1);
      case 3:
        return all_of(formulas(depth));
      case 4:
        return any_of(formulas(depth));
      default:
        return conditional(formula(depth - 1), formula(depth - 1), formula(depth - 1));
    }
  }

  std::vector<Rule> rules() {
    std::vector<Rule> rules(1 + below(5));
    for (size_t i = 0; i < rules.size(); ++i) rules[i] = {formula(3), below(4) == 0 ? kNoOutput : static_cast<int>(i)};
    return rules;
  }

  /// Few different bytes and lengths, so that tests often meet.
  Bytes packet() {
    Bytes bytes(below(10));
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(below(4));
    return bytes;
  }

 private:
  Formula test() {
    const unsigned length = 1 + below(4);
    uint32_t mask = 0;
    uint32_t value = 0;
    for (unsigned i = 0; i < length; ++i) {
      mask = mask << 8 | (below(3) == 0 ? below(4) : 0xff);
      value = value << 8 | below(4);
    }
    const bool equal = below(3) != 0;
    return field(Base::packet, below(6), length, equal ? Relation::equal : Relation::greater, mask,
                 equal ? value & mask : value);
  }

  std::vector<Formula> formulas(int depth) {
    std::vector<Formula> result;
    for (unsigned i = below(4); i > 0; --i) result.push_back(formula(depth - 1));
    return result;
  }

  std::mt19937 engine_;
};

TEST(Optimise, KeepsEveryOutcomeOfRandomRules) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    Random random(seed);
    const auto rules = random.rules();
    const DecisionProgram program = compile(rules);
    const DecisionProgram optimised = optimise(rules);
    for (int i = 0; i < 60; ++i) {
      const Bytes packet = random.packet();
      const int expected = first_match(rules, packet);
      ASSERT_EQ(outcome(program, packet), expected) << "seed " << seed;
      ASSERT_EQ(outcome(optimised, packet), expected) << "seed " << seed << "\n" << to_string(optimised.graph());
    }
  }
}

TEST(Optimise, TestsInOneOrderWithoutIdleOrEqualNodes) {
  for (unsigned seed = 0; seed < 1000; ++seed) {
    const DecisionProgram program = optimise(Random(seed).rules());
    for (const Node& node : program.nodes) {
      EXPECT_NE(node.yes, node.no);
      for (const int32_t next : {node.yes, node.no}) {
        if (is_end(next)) continue;
        // Equalities of one word and mask are in the order of the rules.
        ir::Test before = node.test;
        ir::Test after = program.nodes[static_cast<size_t>(next)].test;
        EXPECT_NE(before, after);
        if (before.relation == Relation::equal) before.value = 0;
        if (after.relation == Relation::equal) after.value = 0;
        EXPECT_LE(before, after);
      }
    }
    auto nodes = program.nodes;
    std::ranges::sort(nodes);
    EXPECT_EQ(std::ranges::adjacent_find(nodes), nodes.end());
  }
}

std::vector<Rule> classifier(std::initializer_list<std::string_view> patterns) {
  std::vector<Rule> rules;
  for (const std::string_view pattern : patterns) {
    EXPECT_FALSE(parse_classifier_pattern(pattern, rules.emplace_back().pattern)) << pattern;
    rules.back().outcome = static_cast<int>(rules.size()) - 1;
  }
  return rules;
}

TEST(Optimise, DropsTestsThatEarlierOnesDecide) {
  // The example of Classifier's manual page.
  const auto rules = classifier({"12/0806 20/0001", "12/0806 20/0002", "12/0800", "-"});
  EXPECT_EQ(to_string(optimise(rules).graph()),
            " 0  12/08060000%ffff0000  yes->step 1  no->step 3\n"
            " 1  20/00010000%ffff0000  yes->[0]  no->step 2\n"
            " 2  20/00020000%ffff0000  yes->[1]  no->[3]\n"
            " 3  12/08000000%ffff0000  yes->[2]  no->[3]\n");
}

TEST(Optimise, FindsPatternsThatNoPacketReaches) {
  const DecisionProgram program = optimise(classifier({"12/08??", "12/0800", "12/0806 12/0800", "12/09"}));
  EXPECT_TRUE(program.reaches(0));
  EXPECT_FALSE(program.reaches(1));
  EXPECT_FALSE(program.reaches(2));
  EXPECT_TRUE(program.reaches(3));
}

TEST(Optimise, ReturnsTheGivenProgramBeyondItsBoundOfWork) {
  // Each rule joins one bit of a first word to the same bit of a second: an order that tests the first word as a whole
  // before the second must remember all of its bits.
  std::vector<Formula> pairs;
  for (unsigned bit = 0; bit < 32; ++bit) {
    const uint32_t mask = uint32_t{1} << bit;
    pairs.push_back(all_of({field(Base::packet, 0, 4, Relation::equal, mask, mask),
                            field(Base::packet, 4, 4, Relation::equal, mask, mask)}));
  }
  const std::vector<Rule> rules{{any_of(std::move(pairs)), 0}};
  const DecisionProgram program = optimise(rules);
  EXPECT_EQ(program.nodes, compile(rules).nodes);
  EXPECT_EQ(outcome(program, Bytes{0, 0, 0, 1, 0, 0, 0, 3}), 0);
  EXPECT_EQ(outcome(program, Bytes{0, 0, 0, 1, 0, 0, 0, 2}), kNoOutput);
}

TEST(Field, ComparesWhereverItLies) {
  std::mt19937 engine(1);
  for (int i = 0; i < 20000; ++i) {
    const unsigned offset = engine() % 9;
    const unsigned length = 1 + engine() % 4;
    const uint32_t all = 0xffffffff >> (32 - 8 * length);
    const uint32_t mask = engine() & all;
    Bytes packet(16);
    for (uint8_t& byte : packet) byte = static_cast<uint8_t>(engine());
    uint32_t number = 0;
    for (unsigned j = 0; j < length; ++j) number = number << 8 | packet[offset + j];
    const uint32_t value = engine() % 2 ? number & mask : engine() & all;
    EXPECT_EQ(means(field(Base::packet, offset, length, Relation::equal, mask, value), packet),
              (number & mask) == value);
    EXPECT_EQ(means(field(Base::packet, offset, length, Relation::greater, mask, value), packet),
              (number & mask) > value);
    const auto short_packet = std::span(packet).first(offset + length - 1);
    if ((mask & 0xff) != 0) {
      EXPECT_FALSE(means(field(Base::packet, offset, length, Relation::equal, mask, number & mask), short_packet));
      EXPECT_FALSE(means(field(Base::packet, offset, length, Relation::greater, mask, 0), short_packet));
    }
  }
}

}  // namespace
}  // namespace packetmill::ir
