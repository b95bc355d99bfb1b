#include "tests/support/router_test.h"

#include "frontends/click/click.h"

namespace packetmill::testing {

RouterTest::RouterTest(const std::string& configuration, int batch_size) {
  engine::Options options;
  options.batch_size = batch_size;
  options.simulated_time = Timestamp{} + Duration::seconds(1'000'000'000);
  options.on_message = [this](std::string_view line) { messages_.emplace_back(line); };
  options.on_output = [this](std::string_view text) { printed_ += text; };
  Diagnostics diagnostics;
  const Graph graph = parse_click({{"test", configuration}}, {}, test_registry(), diagnostics);
  if (diagnostics.errors() == 0) router_ = engine::Router::make(graph, options, diagnostics, test_registry());
  for (const Diagnostic& diagnostic : diagnostics.list()) errors_ += diagnostic.message + "\n";
  if (router_) settle();
}

RouterTest::~RouterTest() {
  if (!router_) return;
  EXPECT_TRUE(router_->ledger().balanced()) << router_->read("ledger").text << router_->read("drops").text;
}

void RouterTest::push(const std::string& input, const std::vector<TestPacket>& packets) {
  ASSERT_NE(router_, nullptr) << errors_;
  feed(*router_, input, packets);
}

std::string RouterTest::read(const std::string& handler, const std::string& parameter) {
  const auto answer = router_->read(handler, parameter);
  EXPECT_TRUE(answer.ok) << answer.text;
  return answer.text;
}

std::string RouterTest::write(const std::string& handler, const std::string& value) {
  const auto answer = router_->write(handler, value);
  settle();
  return answer.ok ? "" : answer.text;
}

}  // namespace packetmill::testing
