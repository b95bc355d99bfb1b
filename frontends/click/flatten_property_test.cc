// Properties over random configurations: flattening loses nothing, and no text makes the front-end crash.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "cli/report.h"
#include "frontends/click/click.h"
#include "graph/passes/push_pull.h"
#include "graph/print/flatten.h"
#include "tests/support/element_classes.h"

namespace packetmill {
namespace {

Graph parse(const std::string& text, Diagnostics& diagnostics) {
  return parse_click({{"config", text}}, {}, test::SomeElementClasses(), diagnostics);
}

/// All of a graph but the places.
auto content(const Graph& graph) {
  std::vector<std::tuple<std::string, std::string, std::string>> elements;
  for (const auto& e : graph.elements) elements.emplace_back(e.name, e.class_name, e.configuration);
  std::vector<std::pair<Graph::Port, Graph::Port>> connections;
  for (const auto& c : graph.connections) connections.emplace_back(c.from, c.to);
  return std::tuple(elements, connections, graph.requirements);
}

/// Writes random configurations that are right: nested compounds and groups, parameters, lists, every shorthand.
class Writer {
 public:
  explicit Writer(std::uint32_t seed) : random_(seed) {}

  std::string file() {
    std::string text = "define($v \"x )\" '$b'); require(package p" + number(3) + ");\n";
    text += "elementclass C0 { $a | input -> Paint($a) -> output || input -> Null -> output }\n";
    return text + statements(0, false);
  }

 private:
  std::string statements(int depth, bool inside) {
    std::string text;
    const int count = 1 + below(4);
    for (int i = 0; i < count; ++i) text += chain(depth) + (below(3) ? ";\n" : " ;");
    if (inside) text += " input -> " + middle(depth) + " -> output;";
    return text;
  }

  std::string chain(int depth) {
    std::string text = below(2) ? "Idle" : fresh() + " :: Idle(" + configuration() + ") [" + number(3) + "]";
    for (int i = below(4); i > 0; --i) text += " -> " + middle(depth);
    return text + " -> " + (below(2) ? "Discard" : "[" + number(2) + "] " + fresh() + " :: Idle");
  }

  std::string middle(int depth) {
    switch (depth < 3 ? below(7) : below(3)) {
      case 0:
        return "Null";
      case 1:
        return fresh() + " :: Paint(" + configuration() + ")";
      case 2:
        return below(2) ? "C0" : "C0(" + number(9) + ")";
      case 3:
        return "{ " + statements(depth + 1, true) + " }";
      case 4:
        return fresh() + " :: { $a, KEY $b, __REST__ $c | " + statements(depth + 1, true) + " }(x, KEY \"y, z\", " +
               configuration() + ")";
      case 5:
        return "( [0] -> " + middle(depth + 1) + " -> [0] )";
      default:
        return "Classifier(1/2, -) => ( -> ; input [1] -> " + middle(depth + 1) + " -> output ) -> Null";
    }
  }

  std::string configuration() {
    const char* const choices[] = {
        "",          "1",      "10, LENGTH 3", "$v",        "${a-q}",   "$b $c",       "\"a)\\\"$v\"",
        "/* ) */ 2", "'$v ('", "\\<41 42>",    "f(g, (h))", "\"${c}\"", "// rest )\n3"};
    return choices[below(static_cast<int>(std::size(choices)))];
  }

  std::string fresh() { return "n" + std::to_string(names_++); }
  std::string number(int limit) { return std::to_string(below(limit)); }
  int below(int limit) { return static_cast<int>(random_() % static_cast<std::uint32_t>(limit)); }

  std::mt19937 random_;
  int names_ = 0;
};

RC_GTEST_PROP(Flatten, ParsedAgainGivesTheSameGraph, (std::uint32_t seed)) {
  const std::string text = Writer(seed).file();
  Diagnostics diagnostics;
  const Graph graph = parse(text, diagnostics);
  RC_LOG() << text << cli::report(diagnostics);
  RC_ASSERT(diagnostics.errors() == 0);
  const std::string flat = flatten(graph);
  RC_LOG() << flat;
  const Graph again = parse(flat, diagnostics);
  RC_LOG() << cli::report(diagnostics);
  RC_ASSERT(diagnostics.errors() == 0);
  RC_ASSERT(content(again) == content(graph));
  RC_ASSERT(flatten(again) == flat);
}

/// Everything that reads a configuration. What is found must have a place.
void check_all(const std::string& text) {
  const test::SomeElementClasses classes;
  Diagnostics diagnostics;
  const Graph graph = parse_click({{"config", text}}, {{"v", "1"}}, classes, diagnostics);
  resolve_push_pull(graph, classes, diagnostics);
  EXPECT_EQ(cli::report(diagnostics).empty(), diagnostics.list().empty());
  for (const Diagnostic& diagnostic : diagnostics.list()) {
    EXPECT_FALSE(diagnostic.where.file.empty()) << diagnostic.message;
    EXPECT_GE(diagnostic.where.line, 0);
    EXPECT_GE(diagnostic.where.column, 1) << diagnostic.message;
  }
  if (diagnostics.errors() > 0) return;
  Diagnostics none;
  EXPECT_EQ(content(parse(flatten(graph), none)), content(graph)) << text;
}

/// Every configuration here but those in `limits`: a mutant of one takes as long to be refused as it does, seconds in
/// a build with sanitizers, and HostileConfigurations has more of the kind. In the same order on every file system.
std::vector<std::string> configurations() {
  std::vector<std::string> texts;
  for (const auto* directory : {"tests/errors", "examples", "bench/nf"}) {
    if (!std::filesystem::exists(directory)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
      if (entry.path().extension() != ".click" || entry.path().parent_path().filename() == "limits") continue;
      std::ifstream file(entry.path(), std::ios::binary);
      texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
  }
  std::ranges::sort(texts);
  for (std::uint32_t seed = 0; seed < 10; ++seed) texts.push_back(Writer(seed).file());
  return texts;
}

TEST(Robustness, TruncatedConfigurations) {
  for (const std::string& text : configurations())
    for (std::size_t length = 0; length < text.size(); length += 1 + text.size() / 200)
      check_all(text.substr(0, length));
}

TEST(Robustness, MutatedConfigurations) {
  std::mt19937 random(1);
  const std::string alphabet = "()[]{}|:;,->=\"'\\<>$#/*. \n\r\tab01@\x01\xff";
  for (const std::string& text : configurations()) {
    for (int round = 0; round < 60 && !text.empty(); ++round) {
      std::string mutant = text;
      for (unsigned i = 0; i <= random() % 4; ++i) {
        const std::size_t at = random() % mutant.size();
        const char c = alphabet[random() % alphabet.size()];
        switch (random() % 3) {
          case 0:
            mutant[at] = c;
            break;
          case 1:
            mutant.insert(at, 1, c);
            break;
          default:
            mutant.insert(at, mutant.substr(random() % mutant.size(), random() % 40));
            break;
        }
      }
      check_all(mutant);
    }
  }
}

// Each of these is short and would be huge, or endless, if it were taken at its word.
TEST(Robustness, HostileConfigurations) {
  std::string doubling = "elementclass A0 { Null }";
  std::string values = "define($x0 0123456789";
  for (int i = 1; i < 64; ++i) {
    const std::string n = std::to_string(i);
    const std::string m = std::to_string(i - 1);
    doubling += "elementclass A" + n + " { A" + m + "; A" + m + " }";
    values += ", $x" + n + " $x" + m + "$x" + m;
  }
  check_all(doubling + "A63");
  check_all(values + ") Message($x63)");
  check_all("define($a $b, $b $a) Message($a)");
  check_all("Idle [65535] -> [65535] Idle");
  check_all(std::string(100000, '{'));
  check_all(std::string(100000, '('));
  check_all(std::string(100000, '['));
  std::string list = "a";
  for (int i = 0; i < 3000; ++i) list += ", a";
  check_all("a :: Idle; " + list + " -> " + list);
}

}  // namespace
}  // namespace packetmill
