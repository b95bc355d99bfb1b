#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "frontends/click/click.h"
#include "graph/print/dot.h"
#include "graph/print/json.h"
#include "tests/support/element_classes.h"

namespace packetmill {
namespace {

const std::string kText = "Idle -> q :: Queue(<10> & \"more\") -> Unqueue -> d :: Discard; require(package x)";

class Print : public testing::Test {
 protected:
  test::SomeElementClasses classes_;
  Diagnostics diagnostics_;
  Graph graph_ = parse_click({{"config", kText}}, {}, classes_, diagnostics_);
  PortModes modes_ = resolve_push_pull(graph_, classes_, diagnostics_);
};

TEST_F(Print, DotEscapesTextAndDashesPull) {
  const std::string text = dot(graph_, modes_);
  EXPECT_NE(text.find("<b>q</b><br/>Queue(&lt;10&gt; &amp; &quot;more&quot;)"), std::string::npos) << text;
  EXPECT_NE(text.find("e0:o0:s -> e1:i0:n;"), std::string::npos) << text;
  EXPECT_NE(text.find("e1:o0:s -> e2:i0:n [style=dashed];"), std::string::npos) << text;
}

TEST_F(Print, JsonHoldsEverything) {
  const auto parsed = nlohmann::json::parse(json(graph_, modes_));
  EXPECT_EQ(parsed["requirements"], nlohmann::json({"package x"}));
  EXPECT_EQ(parsed["elements"][1], nlohmann::json::parse(R"json({"name": "q", "class": "Queue",
      "configuration": "<10> & \"more\"", "file": "config", "line": 1, "column": 9,
      "inputs": ["push"], "outputs": ["pull"]})json"));
  EXPECT_EQ(
      parsed["connections"][2],
      nlohmann::json::parse(R"({"from": {"element": "Unqueue@3", "port": 0}, "to": {"element": "d", "port": 0}})"));
}

TEST_F(Print, JsonIsValidWhateverTheBytes) {
  graph_.elements[1].configuration = "\xff\x01";
  EXPECT_TRUE(nlohmann::json::accept(json(graph_, modes_)));
}

}  // namespace
}  // namespace packetmill
