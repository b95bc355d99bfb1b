#include "tests/support/element_test.h"

#include <algorithm>

#include "frontends/click/click.h"

namespace packetmill::testing {
namespace {

/// "1/1-2" -> 2; 1 where the number of outputs is open.
int most_outputs(std::string_view ports) {
  const std::string_view outputs = ports.substr(ports.find('/') + 1);
  const char last = outputs.back();
  return last >= '0' && last <= '9' ? last - '0' : 1;
}

}  // namespace

engine::Registry& test_registry() {
  static engine::Registry with_ends = [] {
    engine::Registry registry = engine::Registry::instance();
    registry.add(engine::factory_of<TestInput>());
    registry.add(engine::factory_of<TestOutput>());
    return registry;
  }();
  return with_ends;
}

void feed(engine::Router& router, const std::string& input, const std::vector<TestPacket>& packets) {
  auto* node = dynamic_cast<engine::NodeOf<TestInput>*>(router.find(input));
  ASSERT_NE(node, nullptr) << "no TestInput '" << input << "'";
  engine::ElementView<TestInput> view(*node);
  auto& queue = view.state().packets;
  queue.insert(queue.end(), packets.begin(), packets.end());
  node->wake();
  // One look at the clock serves a bounded number of turns: go on while the packets move.
  for (std::size_t left = queue.size() + 1; queue.size() < left;) {
    left = queue.size();
    router.run_for(Duration{});
  }
}

std::vector<TestPacket> collect(engine::Router& router, const std::string& output) {
  auto* node = dynamic_cast<engine::NodeOf<TestOutput>*>(router.find(output));
  if (node == nullptr) {
    ADD_FAILURE() << "no TestOutput '" << output << "'";
    return {};
  }
  return std::exchange(engine::ElementView<TestOutput>(*node).state().packets, {});
}

ElementTest::ElementTest(const std::string& class_name, const std::string& configuration, const Shape& shape) {
  Graph graph;
  graph.elements.push_back({"element", class_name, configuration, {"test", 1, 1}, {"test", 1, 1}});
  const engine::Factory* factory = test_registry().factory(class_name);
  if (factory == nullptr) {
    errors_ = "no such class";
    ADD_FAILURE() << "no element class '" << class_name << "'";
    return;
  }
  const int outputs = shape.outputs >= 0 ? shape.outputs : most_outputs(factory->element_class.ports);
  for (int i = 0; i < shape.inputs; ++i) {
    const int index = static_cast<int>(graph.elements.size());
    graph.elements.push_back({"in" + std::to_string(i), "TestInput", "", {"test", 1, 1}, {}});
    graph.connections.push_back({{index, 0}, {0, i}, {"test", 1, 1}});
  }
  for (int i = 0; i < outputs; ++i) {
    const int index = static_cast<int>(graph.elements.size());
    graph.elements.push_back({"out" + std::to_string(i), "TestOutput", "", {"test", 1, 1}, {}});
    graph.connections.push_back({{0, i}, {index, 0}, {"test", 1, 1}});
  }
  build(graph, shape);
}

ElementTest::ElementTest(const Script& script, const Shape& shape) {
  Diagnostics diagnostics;
  const Graph graph = parse_click({{"test", script.text}}, {}, test_registry(), diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.list()) errors_ += diagnostic.message + "\n";
  if (diagnostics.errors() == 0) build(graph, shape);
}

void ElementTest::build(const Graph& graph, const Shape& shape) {
  engine::Options options;
  options.batch_size = shape.batch_size;
  options.seed = shape.seed;
  options.simulated_time = Timestamp{} + Duration::seconds(1'000'000'000);
  options.on_message = [this](std::string_view line) { messages_.emplace_back(line); };
  Diagnostics diagnostics;
  router_ = engine::Router::make(graph, options, diagnostics, test_registry());
  for (const Diagnostic& diagnostic : diagnostics.list()) errors_ += diagnostic.message + "\n";
  if (router_) settle();
}

ElementTest::~ElementTest() {
  if (!router_) return;
  const Ledger ledger = router_->ledger();
  EXPECT_TRUE(ledger.balanced()) << router_->read("ledger").text << router_->read("drops").text;
}

void ElementTest::push(int input, const std::vector<TestPacket>& packets) {
  ASSERT_NE(router_, nullptr) << errors_;
  feed(*router_, "in" + std::to_string(input), packets);
}

std::vector<TestPacket> ElementTest::output(int port) { return collect(*router_, "out" + std::to_string(port)); }

std::string ElementTest::read(const std::string& handler, const std::string& parameter) {
  const auto answer = router_->read("element." + handler, parameter);
  EXPECT_TRUE(answer.ok) << answer.text;
  return answer.text;
}

std::string ElementTest::write(const std::string& handler, const std::string& value) {
  const auto answer = router_->write("element." + handler, value);
  settle();
  return answer.ok ? "" : answer.text;
}

std::uint64_t ElementTest::drops(const std::string& reason) {
  for (const engine::DropCount& drop : router_->find("element")->drops())
    if (drop.reason == reason) return drop.count;
  ADD_FAILURE() << "the element has no drop reason '" << reason << "'";
  return 0;
}

}  // namespace packetmill::testing
