// An ordered binary decision diagram (Bryant, "Graph-Based Algorithms for Boolean Function Manipulation", 1986) with
// many ends instead of two. The variables are tests, which unlike Bryant's depend on each other: a word that equals one
// value equals no other. So what is put below a test is first cleared of the tests that its answer decides (`given`),
// and it holds everywhere that no node has below it a test that it decides. As the tests of one word are neighbours in
// the order, the clearing ends where the next word begins.
//
// Each test is a function of the packet (bytes that are missing make it false), so no order of tests changes an
// outcome.

#include "ir/optimise.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

namespace packetmill::ir {
namespace {

// Some hundred rules stay below this, and the time below a second. The recursion is as deep as there are tests, so
// these are bounded too.
constexpr size_t kMaxWork = 1'000'000;
constexpr size_t kMaxTests = 2'000;

constexpr int32_t kTrue = end_with(0);
constexpr int32_t kFalse = end_with(kNoOutput);

bool same_word(const Test& a, const Test& b) { return a.base == b.base && a.offset == b.offset; }

/// What is known of `test`, which comes later in the order, when `known` has given `answer`.
std::optional<bool> decided(const Test& known, bool answer, const Test& test) {
  if (!same_word(known, test)) return {};
  const uint32_t common = known.mask & test.mask;
  if (known.relation == Relation::greater) {
    // Under one mask the order puts equalities first and lesser values before greater: `test` is "greater" than more.
    return known.mask == test.mask && !answer ? std::optional(false) : std::nullopt;
  }
  const bool by_equality = test.relation == Relation::equal;
  if (answer && common == test.mask) {
    const uint32_t value = known.value & test.mask;
    return by_equality ? value == test.value : value > test.value;
  }
  if (!by_equality) return {};
  const bool agree = (known.value & common) == (test.value & common);
  if (answer) return agree ? std::nullopt : std::optional(false);
  // What would imply the equality that failed fails too.
  return common == known.mask && agree ? std::optional(false) : std::nullopt;
}

struct Triple {
  int32_t a, b, c;
  bool operator==(const Triple&) const = default;
};

struct TripleHash {
  size_t operator()(const Triple& t) const {
    uint64_t hash = static_cast<uint32_t>(t.a);
    for (const int32_t next : {t.b, t.c}) {
      hash = (hash ^ static_cast<uint32_t>(next)) * 0x9e3779b97f4a7c15;
      hash ^= hash >> 32;
    }
    return hash;
  }
};

using Memo = std::unordered_map<Triple, int32_t, TripleHash>;

void add_tests(const Formula& formula, std::vector<Test>& tests) {
  if (formula.kind == Formula::Kind::test) tests.push_back(formula.test);
  for (const Formula& part : formula.parts) add_tests(part, tests);
}

class Diagram {
 public:
  /// `tests`: all that will occur, in order, each once.
  explicit Diagram(std::vector<Test> tests) : tests_(std::move(tests)) {
    for (const Test& test : tests_) ranks_.emplace(test, static_cast<int32_t>(ranks_.size()));
  }

  /// The diagram of a formula, with the ends kTrue and kFalse.
  int32_t lower(const Formula& formula) {
    const auto& parts = formula.parts;
    switch (formula.kind) {
      case Formula::Kind::constant:
        return formula.value ? kTrue : kFalse;
      case Formula::Kind::test:
        return node(rank_of(formula.test), kTrue, kFalse);
      case Formula::Kind::negation:
        return choose(lower(parts[0]), kFalse, kTrue);
      case Formula::Kind::conditional:
        return choose(lower(parts[0]), lower(parts[1]), lower(parts[2]));
      case Formula::Kind::conjunction: {
        int32_t rest = kTrue;
        for (size_t i = parts.size(); i-- > 0;) rest = choose(lower(parts[i]), rest, kFalse);
        return rest;
      }
      case Formula::Kind::disjunction: {
        int32_t rest = kFalse;
        for (size_t i = parts.size(); i-- > 0;) rest = choose(lower(parts[i]), kTrue, rest);
        return rest;
      }
    }
    return kFalse;
  }

  /// "if condition then yes else no".
  int32_t choose(int32_t condition, int32_t yes, int32_t no) {
    if (condition == kTrue || yes == no || exhausted()) return yes;
    if (condition == kFalse) return no;
    const Triple key{condition, yes, no};
    if (const auto found = chosen_.find(key); found != chosen_.end()) return found->second;
    const int32_t first = std::min({rank(condition), rank(yes), rank(no)});
    const auto below = [&](bool answer) {
      return choose(given(first, answer, condition), given(first, answer, yes), given(first, answer, no));
    };
    const int32_t if_true = below(true);
    const int32_t result = node(first, if_true, below(false));
    chosen_.emplace(key, result);
    return result;
  }

  [[nodiscard]] bool exhausted() const { return chosen_.size() + cleared_.size() > kMaxWork; }

  /// The nodes that `root` leads to, parents first.
  [[nodiscard]] DecisionProgram program(int32_t root) const {
    std::unordered_map<int32_t, int32_t> numbers;
    std::vector<int32_t> order;
    std::vector<int32_t> pending{root};
    while (!pending.empty()) {
      const int32_t target = pending.back();
      pending.pop_back();
      if (is_end(target) || !numbers.try_emplace(target, static_cast<int32_t>(order.size())).second) continue;
      order.push_back(target);
      pending.push_back(at(target).c);
      pending.push_back(at(target).b);
    }
    const auto number = [&](int32_t target) { return is_end(target) ? target : numbers.at(target); };
    DecisionProgram program{{}, number(root)};
    for (const int32_t target : order) {
      const auto [test, yes, no] = at(target);
      program.nodes.push_back({tests_[static_cast<size_t>(test)], number(yes), number(no)});
    }
    return program;
  }

 private:
  /// A node is its test's rank in the order, and where yes and no lead.
  [[nodiscard]] const Triple& at(int32_t target) const { return nodes_[static_cast<size_t>(target)]; }
  [[nodiscard]] int32_t rank(int32_t target) const {
    return is_end(target) ? static_cast<int32_t>(tests_.size()) : at(target).a;
  }
  [[nodiscard]] int32_t rank_of(const Test& test) const { return ranks_.at(test); }

  int32_t node(int32_t test, int32_t yes, int32_t no) {
    if (yes == no) return yes;
    const Triple node{test, yes, no};
    const auto [entry, is_new] = known_.try_emplace(node, static_cast<int32_t>(nodes_.size()));
    if (is_new) nodes_.push_back(node);
    return entry->second;
  }

  /// `target`, whose tests are not before `test`, without those that are decided once `test` has given `answer`.
  int32_t given(int32_t test, bool answer, int32_t target) {
    const Test& known = tests_[static_cast<size_t>(test)];
    while (!is_end(target)) {
      const auto [next, yes, no] = at(target);
      if (next == test) return answer ? yes : no;
      const Test& next_test = tests_[static_cast<size_t>(next)];
      if (!same_word(known, next_test) || exhausted()) break;
      if (const auto fact = decided(known, answer, next_test)) {
        target = *fact ? yes : no;
        continue;
      }
      const Triple key{test, answer, target};
      if (const auto found = cleared_.find(key); found != cleared_.end()) return found->second;
      const int32_t if_true = given(test, answer, yes);
      const int32_t result = node(next, if_true, given(test, answer, no));
      cleared_.emplace(key, result);
      return result;
    }
    return target;
  }

  std::vector<Test> tests_;
  std::map<Test, int32_t> ranks_;
  std::vector<Triple> nodes_;
  Memo known_;    // a node's number
  Memo chosen_;   // the results of choose
  Memo cleared_;  // the results of given
};

/// The tests of all rules, each once, in the order of the diagram. Equalities of one word and mask stay in the order of
/// the rules: whoever writes rules puts first what most packets are.
std::vector<Test> ordered_tests(std::span<const Rule> rules) {
  std::vector<Test> tests;
  for (const Rule& rule : rules) add_tests(rule.pattern, tests);
  std::map<Test, uint32_t> first;
  for (const Test& test : tests) first.try_emplace(test, static_cast<uint32_t>(first.size()));
  tests.clear();
  for (const auto& entry : first) tests.push_back(entry.first);
  std::ranges::sort(tests, {}, [&](const Test& test) {
    Test key = test;
    if (test.relation == Relation::equal) key.value = first.at(test);
    return key;
  });
  return tests;
}

}  // namespace

DecisionProgram optimise(std::span<const Rule> rules) {
  std::vector<Test> tests = ordered_tests(rules);
  if (tests.size() > kMaxTests) return compile(rules);

  Diagram diagram(std::move(tests));
  int32_t root = end_with(kNoOutput);
  for (size_t i = rules.size(); i-- > 0;) {
    root = diagram.choose(diagram.lower(rules[i].pattern), end_with(rules[i].outcome), root);
    if (diagram.exhausted()) return compile(rules);
  }
  return diagram.program(root);
}

}  // namespace packetmill::ir
