// Golden tests of what `packetmill check` says: for each NAME.click in this directory NAME.expected holds the report.
// Adding a test is adding the two files. With PACKETMILL_UPDATE_EXPECTED set in the environment, the reports are
// written instead, to be read before they are committed.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "cli/report.h"
#include "engine/registry.h"
#include "engine/router.h"
#include "frontends/click/click.h"
#include "graph/passes/push_pull.h"
#include "tests/support/element_classes.h"

namespace packetmill {
namespace {

const std::filesystem::path kDirectory = "tests/errors";

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> names(const std::filesystem::path& directory) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(directory))
    if (entry.path().extension() == ".click") names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

/// `check` has the configuration in `file` checked, and nothing else.
void expect_report(const std::filesystem::path& stem, auto check) {
  const std::string file = stem.string() + ".click";
  const std::filesystem::path expected = stem.string() + ".expected";
  Diagnostics diagnostics;
  check(Source{file, read(file)}, diagnostics);
  const std::string reported = cli::report(diagnostics);
  if (std::getenv("PACKETMILL_UPDATE_EXPECTED")) {
    std::ofstream(expected, std::ios::binary) << reported;
  } else {
    ASSERT_TRUE(std::filesystem::exists(expected)) << expected;
    EXPECT_EQ(reported, read(expected));
  }
  EXPECT_GT(diagnostics.errors(), 0);
}

/// The front end's and the graph's: element classes stand for all others here.
void expect_graph_report(const std::filesystem::path& stem) {
  expect_report(stem, [](const Source& source, Diagnostics& diagnostics) {
    const test::SomeElementClasses classes;
    resolve_push_pull(parse_click({source}, {}, classes, diagnostics), classes, diagnostics);
  });
}

class Errors : public testing::TestWithParam<std::string> {};

TEST_P(Errors, AreReportedAsExpected) { expect_graph_report(kDirectory / GetParam()); }

INSTANTIATE_TEST_SUITE_P(Click, Errors, testing::ValuesIn(names(kDirectory)),
                         [](const auto& info) { return info.param; });

/// What is refused for its size only after much of it has been worked out: seconds in a build with sanitizers.
class LimitErrors : public testing::TestWithParam<std::string> {};

TEST_P(LimitErrors, AreReportedAsExpected) { expect_graph_report(kDirectory / "limits" / GetParam()); }

INSTANTIATE_TEST_SUITE_P(Click, LimitErrors, testing::ValuesIn(names(kDirectory / "limits")),
                         [](const auto& info) { return info.param; });

/// Those of the library's elements: many to a file, since all are reported at once.
class ElementErrors : public testing::TestWithParam<std::string> {};

TEST_P(ElementErrors, AreReportedAsExpected) {
  expect_report(kDirectory / "elements" / GetParam(), [](const Source& source, Diagnostics& diagnostics) {
    const Graph graph = parse_click({source}, {}, engine::Registry::instance(), diagnostics);
    engine::Router::check(graph, diagnostics);
  });
}

INSTANTIATE_TEST_SUITE_P(Click, ElementErrors, testing::ValuesIn(names(kDirectory / "elements")),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace packetmill
