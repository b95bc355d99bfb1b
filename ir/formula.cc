#include "ir/formula.h"

#include <map>

namespace packetmill::ir {
namespace {

class Compiler {
 public:
  int32_t lower(const Formula& formula, int32_t yes, int32_t no) {
    const auto& parts = formula.parts;
    switch (formula.kind) {
      case Formula::Kind::constant:
        return formula.value ? yes : no;
      case Formula::Kind::test:
        return node({formula.test, yes, no});
      case Formula::Kind::negation:
        return lower(parts[0], no, yes);
      case Formula::Kind::conjunction:
        for (size_t i = parts.size(); i-- > 0;) yes = lower(parts[i], yes, no);
        return yes;
      case Formula::Kind::disjunction:
        for (size_t i = parts.size(); i-- > 0;) no = lower(parts[i], yes, no);
        return no;
      case Formula::Kind::conditional: {
        const int32_t then = lower(parts[1], yes, no);
        return lower(parts[0], then, lower(parts[2], yes, no));
      }
    }
    return no;
  }

  std::vector<Node> take_nodes() && { return std::move(nodes_); }

 private:
  int32_t node(const Node& node) {
    if (node.yes == node.no) return node.yes;
    const auto [entry, is_new] = known_.try_emplace(node, static_cast<int32_t>(nodes_.size()));
    if (is_new) nodes_.push_back(node);
    return entry->second;
  }

  std::vector<Node> nodes_;
  std::map<Node, int32_t> known_;
};

Formula test(Base base, unsigned offset, Relation relation, uint32_t mask, uint32_t value) {
  Formula formula{.kind = Formula::Kind::test, .test = {}, .parts = {}};
  formula.test = {base, static_cast<uint16_t>(offset), mask, relation, value};
  return formula;
}

}  // namespace

Formula constant(bool value) { return {.value = value, .test = {}, .parts = {}}; }

Formula operator!(Formula part) {
  Formula formula{.kind = Formula::Kind::negation, .test = {}, .parts = {}};
  formula.parts.push_back(std::move(part));
  return formula;
}

Formula all_of(std::vector<Formula> parts) {
  return {.kind = Formula::Kind::conjunction, .test = {}, .parts = std::move(parts)};
}

Formula any_of(std::vector<Formula> parts) {
  return {.kind = Formula::Kind::disjunction, .test = {}, .parts = std::move(parts)};
}

Formula conditional(Formula condition, Formula yes, Formula no) {
  Formula formula{.kind = Formula::Kind::conditional, .test = {}, .parts = {}};
  formula.parts.push_back(std::move(condition));
  formula.parts.push_back(std::move(yes));
  formula.parts.push_back(std::move(no));
  return formula;
}

Formula field(Base base, unsigned offset, unsigned length, Relation relation, uint32_t mask, uint32_t value) {
  // The field in the eight bytes that begin at the word it begins in.
  const unsigned aligned = offset / 4 * 4;
  const unsigned shift = 8 * (8 - (offset - aligned) - length);
  const uint64_t wide_mask = uint64_t{mask} << shift;
  const uint64_t wide_value = uint64_t{value} << shift;
  const auto first_mask = static_cast<uint32_t>(wide_mask >> 32);
  const auto second_mask = static_cast<uint32_t>(wide_mask);
  const auto first_value = static_cast<uint32_t>(wide_value >> 32);
  const auto second_value = static_cast<uint32_t>(wide_value);

  if (mask == 0) return constant(relation == Relation::equal ? value == 0 : false);
  if (relation == Relation::greater) {
    if (second_mask == 0 && second_value == 0) return test(base, aligned, relation, first_mask, first_value);
    // Order cannot be decided word by word without looking at bytes that the packet may lack: one test across both.
    const unsigned left = 8 * (4 - length);
    return test(base, offset, relation, mask << left, value << left);
  }
  if ((value & ~mask) != 0) return constant(false);
  std::vector<Formula> words;
  if (first_mask != 0) words.push_back(test(base, aligned, relation, first_mask, first_value));
  if (second_mask != 0) words.push_back(test(base, aligned + 4, relation, second_mask, second_value));
  return words.size() == 1 ? std::move(words[0]) : all_of(std::move(words));
}

DecisionProgram compile(std::span<const Rule> rules) {
  Compiler compiler;
  int32_t root = end_with(kNoOutput);
  for (size_t i = rules.size(); i-- > 0;) root = compiler.lower(rules[i].pattern, end_with(rules[i].outcome), root);
  return {std::move(compiler).take_nodes(), root};
}

}  // namespace packetmill::ir
