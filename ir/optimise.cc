// An ordered binary decision diagram (Bryant, "Graph-Based Algorithms for Boolean Function Manipulation", 1986) with
// many ends instead of two. The variables are tests, which unlike Bryant's depend on each other: a word that equals one
// value equals no other. So whatever is put below a test is first cleared of the tests that its answer decides
// (`given`). As the tests of one word are neighbours in the order, the clearing ends where the next word begins.
//
// Each test is a function of the packet (bytes that are missing make it false), so no order of tests changes an
// outcome.

#include "ir/optimise.h"

#include <map>
#include <optional>
#include <tuple>

namespace packetmill::ir {
namespace {

/// What is known of `test` when `known` has given `answer`.
std::optional<bool> decided(const Test& known, bool answer, const Test& test) {
  if (known.base != test.base || known.offset != test.offset) return {};
  if (known == test) return answer;
  const uint32_t common = known.mask & test.mask;
  const bool by_equality = test.relation == Relation::equal;
  if (known.relation == Relation::equal && answer) {
    if (common == test.mask) {
      const uint32_t value = known.value & test.mask;
      return by_equality ? value == test.value : value > test.value;
    }
    if (by_equality && (known.value & common) != (test.value & common)) return false;
    return {};
  }
  if (known.relation == Relation::equal) {
    // What would imply the test that failed fails too.
    if (by_equality && common == known.mask && (test.value & common) == known.value) return false;
    return {};
  }
  if (known.mask != test.mask) return {};
  if (answer) {
    if (test.value > known.value) return {};
    return by_equality ? std::optional(false) : std::optional(true);
  }
  // Here the word is not greater than known.value, or missing.
  const bool excluded = by_equality ? test.value > known.value : test.value >= known.value;
  return excluded ? std::optional(false) : std::nullopt;
}

class Optimiser {
 public:
  explicit Optimiser(size_t work) : work_(work) {}

  /// "if test then yes else no", where `yes` and `no` are in order, but may have tests that belong before `test`.
  int32_t choose(const Test& test, int32_t yes, int32_t no) {
    if (yes == no || exhausted()) return yes;
    const auto key = std::tuple(test, yes, no);
    if (const auto found = chosen_.find(key); found != chosen_.end()) return found->second;
    const Test* first = &test;
    for (const int32_t target : {yes, no}) {
      if (!is_end(target) && nodes_[at(target)].test < *first) first = &nodes_[at(target)].test;
    }
    const Test top = *first;  // by value: nodes_ grows below
    int32_t result = 0;
    if (top == test) {
      result = make(test, yes, no);
    } else {
      const auto below = [&](bool answer) {
        const int32_t if_yes = branch(yes, top, answer);
        const int32_t if_no = branch(no, top, answer);
        const auto known = decided(top, answer, test);
        return known ? (*known ? if_yes : if_no) : choose(test, if_yes, if_no);
      };
      const int32_t top_yes = below(true);
      result = make(top, top_yes, below(false));
    }
    chosen_.emplace(key, result);
    return result;
  }

  [[nodiscard]] bool exhausted() const { return chosen_.size() + cleared_.size() > work_; }

  /// The nodes that `root` leads to, parents first.
  [[nodiscard]] DecisionProgram collect(int32_t root) const {
    DecisionProgram program;
    std::map<int32_t, int32_t> renumbered;
    std::vector<int32_t> order;
    std::vector<int32_t> pending{root};
    while (!pending.empty()) {
      const int32_t target = pending.back();
      pending.pop_back();
      if (is_end(target) || !renumbered.try_emplace(target, static_cast<int32_t>(order.size())).second) continue;
      order.push_back(target);
      pending.push_back(nodes_[at(target)].no);
      pending.push_back(nodes_[at(target)].yes);
    }
    const auto renumber = [&](int32_t target) { return is_end(target) ? target : renumbered.at(target); };
    for (const int32_t target : order) {
      const Node& node = nodes_[at(target)];
      program.nodes.push_back({node.test, renumber(node.yes), renumber(node.no)});
    }
    program.root = renumber(root);
    return program;
  }

 private:
  static size_t at(int32_t target) { return static_cast<size_t>(target); }

  /// Where `target` leads when its first test is `test` and has given `answer`; else `target`.
  [[nodiscard]] int32_t branch(int32_t target, const Test& test, bool answer) const {
    if (is_end(target) || nodes_[at(target)].test != test) return target;
    return answer ? nodes_[at(target)].yes : nodes_[at(target)].no;
  }

  /// The one node with this test, above `yes` and `no`, cleared of what it decides.
  int32_t make(const Test& test, int32_t yes, int32_t no) {
    yes = given(test, true, yes);
    no = given(test, false, no);
    if (yes == no) return yes;
    const auto [entry, is_new] = known_.try_emplace(Node{test, yes, no}, static_cast<int32_t>(nodes_.size()));
    if (is_new) nodes_.push_back({test, yes, no});
    return entry->second;
  }

  /// `target` without the tests that are decided once `test` has given `answer`.
  int32_t given(const Test& test, bool answer, int32_t target) {
    if (is_end(target)) return target;
    const Node node = nodes_[at(target)];
    if (node.test.base != test.base || node.test.offset != test.offset || exhausted()) return target;
    const auto key = std::tuple(test, answer, target);
    if (const auto found = cleared_.find(key); found != cleared_.end()) return found->second;
    int32_t result = 0;
    if (const auto known = decided(test, answer, node.test)) {
      result = given(test, answer, *known ? node.yes : node.no);
    } else {
      const int32_t yes = given(test, answer, node.yes);
      result = make(node.test, yes, given(test, answer, node.no));
    }
    cleared_.emplace(key, result);
    return result;
  }

  size_t work_;
  std::vector<Node> nodes_;
  std::map<Node, int32_t> known_;
  std::map<std::tuple<Test, int32_t, int32_t>, int32_t> chosen_;
  std::map<std::tuple<Test, bool, int32_t>, int32_t> cleared_;
};

}  // namespace

DecisionProgram optimise(DecisionProgram program) {
  // Enough for some hundred rules that overlap, and for thousands that do not; it bounds the time to a fraction of a
  // second.
  constexpr size_t kWork = 200'000;
  Optimiser optimiser(kWork);
  std::vector<int32_t> ordered;
  const auto target_of = [&](int32_t target) { return is_end(target) ? target : ordered[static_cast<size_t>(target)]; };
  for (const Node& node : program.nodes) {
    ordered.push_back(optimiser.choose(node.test, target_of(node.yes), target_of(node.no)));
    if (optimiser.exhausted()) return program;
  }
  return optimiser.collect(target_of(program.root));
}

}  // namespace packetmill::ir
