// Golden tests of what `packetmill check` says: for each NAME.click in this directory NAME.expected holds the report.
// Adding a test is adding the two files. With PACKETMILL_UPDATE_EXPECTED set in the environment, the reports are
// written instead, to be read before they are committed.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "cli/report.h"
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

std::vector<std::string> names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kDirectory))
    if (entry.path().extension() == ".click") names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

class Errors : public testing::TestWithParam<std::string> {};

TEST_P(Errors, AreReportedAsExpected) {
  const std::string file = (kDirectory / (GetParam() + ".click")).string();
  const std::filesystem::path expected = kDirectory / (GetParam() + ".expected");
  const test::SomeElementClasses classes;
  Diagnostics diagnostics;
  const Graph graph = parse_click({{file, read(file)}}, {}, classes, diagnostics);
  resolve_push_pull(graph, classes, diagnostics);
  const std::string reported = cli::report(diagnostics);
  if (std::getenv("PACKETMILL_UPDATE_EXPECTED")) {
    std::ofstream(expected, std::ios::binary) << reported;
  } else {
    ASSERT_TRUE(std::filesystem::exists(expected)) << expected;
    EXPECT_EQ(reported, read(expected));
  }
  EXPECT_GT(diagnostics.errors(), 0);
}

INSTANTIATE_TEST_SUITE_P(Click, Errors, testing::ValuesIn(names()), [](const auto& info) { return info.param; });

}  // namespace
}  // namespace packetmill
