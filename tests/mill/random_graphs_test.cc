#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>
#include <set>

#include "engine/registry.h"
#include "frontends/click/click.h"
#include "graph/print/flatten.h"
#include "mill/network.h"
#include "tests/support/sanitized.h"
#include "tests/support/traces.h"
#include "verify/control.h"
#include "verify/plan_check.h"
#include "verify/random_graph.h"
#include "verify/recipes.h"
#include "verify/shrink.h"

// Random graphs of the library's elements, milled and interpreted: DESIGN's Equality where nobody has thought of it.
// Graphs are verified several at a time, as one program, because compiling is what takes time.
namespace packetmill::testing {
namespace {

constexpr int kGraphs = kSanitized ? 5 : 15;  ///< a program
constexpr std::uint32_t kPacketsAGraph = 250;

/// The programs that are verified: the first ones; `PACKETMILL_PROGRAMS=100:667` are those from 100 to before 667.
struct Programs {
  unsigned first = 0;
  unsigned last = kSanitized ? 1 : 20;
};
Programs programs() {
  Programs result;
  if (const char* range = std::getenv("PACKETMILL_PROGRAMS")) std::sscanf(range, "%u:%u", &result.first, &result.last);
  return result;
}

/// The plan of a program: a preset now and then, otherwise every choice at random, but so that as many programs as a
/// choice has values take each of them once.
Plan plan_of(unsigned program) {
  const std::vector<std::string_view> presets = preset_names();
  if (program % 4 == 3) return *preset(presets[presets.size() - 1 - program / 4 % presets.size()]);
  const unsigned number = program / 4 * 3 + program % 4;
  Plan plan;
  for (const Choice& choice : choices()) {
    if (choice.name == "cores" || choice.name == "link")
      continue;  // several cores are not compared; linking is clang's
    std::vector<std::string_view> values = choice.values;
    const auto count = static_cast<unsigned>(values.size());
    std::shuffle(values.begin(), values.end(), std::mt19937_64(verify::seed_of(number / count, choice.name)));
    EXPECT_EQ(set_choice(plan, choice.name, values[number % count]), std::nullopt);
  }
  if (plan.metadata == MetadataModel::registers) plan.loops = Loops::fused;  // elsewhere there are none
  return plan;
}

verify::Options options_of(unsigned program) { return {.seed = program, .packets = kPacketsAGraph * kGraphs}; }

verify::Workshop workshop_in(const ScratchDirectory& scratch) {
  std::filesystem::create_directories(scratch.file("work"));
  return {scratch.file("work"), PACKETMILL_COMMAND};
}

bool parses(const Graph& graph, std::string& why) {
  Diagnostics diagnostics;
  const Graph again = parse_click({{"random", flatten(graph)}}, {}, engine::Registry::instance(), diagnostics);
  if (diagnostics.errors() == 0) engine::Router::check(again, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.list())
    if (diagnostic.severity == Severity::error) why += diagnostic.message + "\n";
  return diagnostics.errors() == 0;
}

bool reaches_itself(const Graph& graph, int element) {
  std::set<int> reached{element};
  for (bool more = true; more;) {
    more = false;
    for (const Graph::Connection& c : graph.connections) {
      if (!reached.contains(c.from.element)) continue;
      if (c.to.element == element) return true;
      more |= reached.insert(c.to.element).second;
    }
  }
  return false;
}

TEST(RandomGraph, IsAConfigurationWithoutErrors) {
  for (unsigned program = 0; program < (kSanitized ? 10 : 50); ++program) {
    const Graph graph = verify::random_graphs(program, kGraphs);
    std::string why;
    ASSERT_TRUE(parses(graph, why)) << "program " << program << "\n" << why;
  }
}

TEST(RandomGraph, HasEveryElementOfTheLibraryButForThoseWithAReason) {
  std::set<std::string> drawn;
  for (unsigned program = 0; program < 20; ++program)
    for (const Graph::Element& element : verify::random_graphs(program, kGraphs).elements)
      drawn.insert(element.class_name);
  for (const verify::NotDrawn& element : verify::not_drawn()) {
    EXPECT_FALSE(drawn.contains(std::string(element.class_name))) << element.class_name;
    EXPECT_NE(engine::Registry::instance().factory(element.class_name), nullptr) << element.class_name;
    drawn.insert(std::string(element.class_name));
  }
  for (const engine::Factory& factory : engine::Registry::instance().factories())
    EXPECT_TRUE(drawn.contains(std::string(factory.element_class.name)))
        << factory.element_class.name << ": give it a recipe in verify/recipes.cc, or a reason why it has none";
}

/// What graph of a program an element is of.
std::string graph_of(const Graph& graph, int element) {
  const std::string& name = graph.elements[static_cast<std::size_t>(element)].name;
  return name.substr(0, name.find('_'));
}

TEST(RandomGraph, IsRichEverySecondTime) {
  std::set<std::string> with_store, with_pull_section, with_side_exit, with_join, with_cycle;
  int graphs = 0;
  for (unsigned program = 0; program < 20; ++program) {
    const Graph graph = verify::random_graphs(program, kGraphs);
    graphs += kGraphs;
    const auto name = [&](int element) { return std::to_string(program) + graph_of(graph, element); };
    const auto stores = [&](int element) {
      return graph.elements[static_cast<std::size_t>(element)].class_name.ends_with("Queue");
    };
    std::map<Graph::Port, int> feeders;
    for (const Graph::Connection& c : graph.connections) {
      if (++feeders[c.to] == 2) with_join.insert(name(c.to.element));
      if (c.from.port > 0) with_side_exit.insert(name(c.from.element));
      if (stores(c.from.element)) with_pull_section.insert(name(c.from.element));
    }
    for (std::size_t i = 0; i < graph.elements.size(); ++i) {
      if (stores(static_cast<int>(i))) with_store.insert(name(static_cast<int>(i)));
      if (reaches_itself(graph, static_cast<int>(i))) with_cycle.insert(name(static_cast<int>(i)));
    }
  }
  const auto share = [&](const std::set<std::string>& with) { return static_cast<double>(with.size()) / graphs; };
  EXPECT_GT(share(with_store), 0.33);
  EXPECT_GT(share(with_pull_section), 0.33);
  EXPECT_GT(share(with_side_exit), 0.5);
  EXPECT_GT(share(with_join), 0.33);
  EXPECT_GT(share(with_cycle), 0.25);
}

TEST(RandomGraph, MostlyLeavesMetadataARoomInRegisters) {
  int with_room = 0;
  for (unsigned program = 0; program < 20; ++program) {
    Diagnostics diagnostics;
    const auto outline = engine::Router::outline(verify::random_graphs(program, kGraphs), diagnostics);
    ASSERT_NE(outline, nullptr);
    with_room += mill::why_not_registers(mill::network_of(*outline, Plan{})).empty() ? 1 : 0;
  }
  EXPECT_GE(with_room, 12) << "of 20";
}

TEST(RandomPlan, TakesEveryValueOfEveryChoice) {
  std::map<std::string, std::set<std::string>> taken;
  for (unsigned program = 0; program < 20; ++program) {
    std::string_view rest;
    const std::string plan = to_string(plan_of(program));
    for (rest = plan; !rest.empty(); rest.remove_prefix(rest.find('\n') + 1)) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      taken[std::string(line.substr(0, line.find(' ')))].insert(std::string(line.substr(line.rfind(' ') + 1)));
    }
  }
  for (const Choice& choice : choices())
    if (choice.name != "cores" && choice.name != "link")
      for (const std::string_view value : choice.values)
        EXPECT_TRUE(taken[std::string(choice.name)].contains(std::string(value))) << choice.name << " = " << value;
}

/// A run that ends badly is no difference: shrinking is not to find the one for the other.
std::string kind_of(const std::string& wrong) {
  const std::string first = wrong.substr(0, wrong.find(':'));
  return first == "the interpreter" || first == "the milled program" ? first : "a difference";
}

class RandomGraphs : public ::testing::TestWithParam<unsigned> {};

TEST_P(RandomGraphs, DoWhatTheInterpreterDoes) {
  const ScratchDirectory scratch;
  const verify::Workshop workshop = workshop_in(scratch);
  const Graph graph = verify::random_graphs(GetParam(), kGraphs);
  const Plan plan = plan_of(GetParam());
  const verify::Options options = options_of(GetParam());
  const auto wrong = verify::check_graph(graph, plan, options, workshop);
  if (!wrong) return;
  ADD_FAILURE() << "program " << GetParam() << ": " << *wrong << "\nunder the plan\n"
                << to_string(plan) << "Once more: PACKETMILL_PROGRAMS=" << GetParam() << ":" << GetParam() + 1
                << " build/packetmill_random_graph_tests --gtest_filter='RandomGraphs.*'\nIt is made smaller now.";
  constexpr int kTrials = 150;
  const verify::Options fewer{.seed = options.seed, .packets = kPacketsAGraph};
  const auto fails_with = [&](const verify::Options& packets) {
    return [&, packets](const Graph& g) {
      const auto found = verify::check_graph(g, plan, packets, workshop);
      return found && kind_of(*found) == kind_of(*wrong);
    };
  };
  const verify::Options& packets = fails_with(fewer)(graph) ? fewer : options;
  const Graph smallest = verify::shrink(graph, fails_with(packets), kTrials);
  ADD_FAILURE() << flatten(smallest) << "\n"
                << verify::check_graph(smallest, plan, packets, workshop).value_or("now and then only");
}
INSTANTIATE_TEST_SUITE_P(, RandomGraphs, ::testing::Range(programs().first, programs().last),
                         [](const auto& info) { return std::to_string(info.param); });

// That differences are found, and made small: one of several graphs, whose program cuts packets where another would.
TEST(PlantedFault, IsFoundAndItsGraphIsMadeSmall) {
  if (kSanitized) GTEST_SKIP() << "it is about the search, not about code";
  const ScratchDirectory scratch;
  verify::Workshop workshop = workshop_in(scratch);
  bool planted = false;
  workshop.alter = [&](std::string source) {
    const auto at = source.find("(77U)");
    planted = at != std::string::npos;
    return planted ? source.replace(at, 5, "(76U)") : source;
  };
  Diagnostics diagnostics;
  const Graph graph =
      parse_click({{"random", flatten(verify::random_graphs(2, 2))},
                   {"faulty", "FromDump(in.pcap) -> t :: Truncate(77) -> Queue -> Unqueue -> ToDump(out.pcap)"}},
                  {}, engine::Registry::instance(), diagnostics);
  ASSERT_EQ(diagnostics.errors(), 0);
  const auto check = [&](const Graph& g) {
    return verify::check_graph(g, *preset("all"), {.seed = 1, .packets = 400}, workshop);
  };
  ASSERT_THAT(check(graph).value_or("the same"), ::testing::HasSubstr("differs"));
  EXPECT_TRUE(planted);
  const Graph smallest = verify::shrink(graph, [&](const Graph& g) { return check(g).has_value(); }, 30);
  EXPECT_LE(smallest.elements.size(), 3U) << flatten(smallest);
  EXPECT_GE(smallest.find("t"), 0);
}

}  // namespace
}  // namespace packetmill::testing
