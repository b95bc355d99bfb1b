#pragma once

#include "tests/support/element_test.h"

/// A whole configuration on the bench, in the Click language; TestInput and TestOutput are its ends.
///
///   RouterTest test("in :: TestInput -> q :: Queue(2) -> out :: TestOutput;");
///   test.push("in", {Bytes{1}, Bytes{2}});
///   EXPECT_EQ(test.read("q.length"), "0");
///
/// As with ElementTest, time is simulated and the ledger must balance at the end.
namespace packetmill::testing {

/// Packets of one byte each.
inline std::vector<TestPacket> packets(std::initializer_list<std::uint8_t> bytes) {
  std::vector<TestPacket> result;
  for (const std::uint8_t byte : bytes) result.emplace_back(Bytes{byte});
  return result;
}

class RouterTest {
 public:
  explicit RouterTest(const std::string& configuration, int batch_size = 32);
  ~RouterTest();
  RouterTest(const RouterTest&) = delete;
  RouterTest& operator=(const RouterTest&) = delete;

  /// What was wrong with the configuration, one diagnostic a line.
  [[nodiscard]] const std::string& errors() const { return errors_; }

  /// Queues packets at a TestInput and runs until nothing is left to do at the present time.
  void push(const std::string& input, const std::vector<TestPacket>& packets);
  void advance(Duration span) { router_->run_for(span); }
  void settle() { router_->run_for(Duration{}); }

  /// What has come to a TestOutput since the test asked last.
  [[nodiscard]] std::vector<TestPacket> output(const std::string& name = "out") { return collect(*router_, name); }
  /// How many packets have.
  [[nodiscard]] std::size_t arrived(const std::string& name = "out") { return output(name).size(); }

  [[nodiscard]] std::string read(const std::string& handler, const std::string& parameter = {});
  /// Empty where the write was accepted, otherwise what the handler said.
  std::string write(const std::string& handler, const std::string& value = {});
  /// What it has said line by line on standard error, and written to standard output.
  [[nodiscard]] const std::vector<std::string>& messages() const { return messages_; }
  [[nodiscard]] const std::string& printed() const { return printed_; }
  [[nodiscard]] engine::Router& router() { return *router_; }

 private:
  std::unique_ptr<engine::Router> router_;
  std::vector<std::string> messages_;
  std::string printed_;
  std::string errors_;
};

}  // namespace packetmill::testing
