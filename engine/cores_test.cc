#include <gtest/gtest.h>

#include <thread>

#include "frontends/click/click.h"
#include "tests/support/element_test.h"

// Several cores and real time. Nothing here measures time; `make test` runs all of it under ThreadSanitizer, too.
namespace packetmill::testing {
namespace {

/// A configuration on two cores that runs until it stops itself.
std::unique_ptr<engine::Router> on_two_cores(const std::string& configuration) {
  Diagnostics diagnostics;
  const Graph graph = parse_click({{"test", configuration}}, {}, test_registry(), diagnostics);
  engine::Options options;
  options.cores = 2;
  auto router = engine::Router::make(graph, options, diagnostics, test_registry());
  for (const Diagnostic& diagnostic : diagnostics.list()) ADD_FAILURE() << diagnostic.message;
  return router;
}

TEST(Cores, OneFillsAQueueThatTheOtherEmpties) {
  // The queue is small, so that both sides sleep and wake all the time: a lost wake-up would leave the test hanging.
  const auto router = on_two_cores(R"(
      s :: InfiniteSource(LIMIT 20000) -> q :: Queue(50) -> u :: Unqueue(BURST 5)
        -> Counter(COUNT_CALL 20000 stop) -> d :: Discard;
      StaticThreadSched(s 0, u 1);)");
  ASSERT_NE(router, nullptr);
  router->run();
  EXPECT_EQ(router->read("q.drops").text, "0") << "the source heeds the full note";
  EXPECT_EQ(router->read("d.count").text, "20000");
  EXPECT_TRUE(router->ledger().balanced());
}

TEST(Cores, BothFillAndBothEmptyOneQueue) {
  const auto router = on_two_cores(R"(
      a :: InfiniteSource(LIMIT 10000) -> q :: Queue(1000000); b :: InfiniteSource(LIMIT 10000) -> q;
      q -> t :: RoundRobinSched; t -> u :: Unqueue(BURST 3) -> c :: Counter(COUNT_CALL 20000 stop) -> d :: Discard;
      StaticThreadSched(a 0, b 1, u 1);)");
  ASSERT_NE(router, nullptr);
  router->run();
  EXPECT_EQ(router->read("d.count").text, "20000");
  EXPECT_TRUE(router->ledger().balanced());
}

TEST(Cores, CountTogetherTowardsACall) {
  // Each core counts 5000 packets of its own; the call comes when there are 10000.
  const auto router = on_two_cores(R"(
      a :: InfiniteSource(LIMIT 5000) -> c :: Counter(COUNT_CALL 10000 stop, BYTE_COUNT_CALL 640000 sw.switch 1) -> Discard;
      b :: InfiniteSource(LIMIT 5000) -> c;
      Idle -> sw :: Switch; sw [0] -> Idle; sw [1] -> Idle;
      StaticThreadSched(a 0, b 1);)");
  ASSERT_NE(router, nullptr);
  router->run();
  EXPECT_EQ(router->read("c.count").text, "10000");
  EXPECT_EQ(router->read("sw.switch").text, "1");
}

TEST(Cores, StandStillWhileHandlersRun) {
  const auto router = on_two_cores(R"(
      s :: InfiniteSource -> q :: Queue(100) -> u :: Unqueue(BURST -1) -> sw :: Switch;
      sw [0] -> a :: Discard; sw [1] -> b :: Discard;
      StaticThreadSched(s 0, u 1);)");
  ASSERT_NE(router, nullptr);
  std::thread control([&] {
    for (int i = 0; i < 200; ++i) {
      EXPECT_TRUE(router->write("sw.switch", std::to_string(i % 2)).ok);
      EXPECT_TRUE(router->write("q.capacity", std::to_string(1 + i % 100)).ok);
      EXPECT_TRUE(router->write("s.burst", std::to_string(1 + i % 4)).ok);
      if (i % 50 == 0) EXPECT_TRUE(router->write("q.reset", "").ok);
      EXPECT_TRUE(router->read("ledger").ok);
    }
    router->stop();
  });
  router->run();
  control.join();
  EXPECT_TRUE(router->ledger().balanced());
}

/// Sources of one flow each, `a` on core 0 and `b` on core 1, both of 10,000 UDP packets from port 1 to port 2; the last
/// digits of their addresses are those given.
std::string two_sources(const std::string& from_a, const std::string& from_b, const std::string& to) {
  const auto source = [&](const std::string& name, const std::string& from) {
    return name + " :: InfiniteSource(LIMIT 10000, DATA \\<4500001c 00000000 40110000 0a0000" + from + " 0a0000" + to +
           " 00010002 00080000>) -> MarkIPHeader -> SetIPChecksum -> " + name + "_packets :: Null;";
  };
  return source("a", from_a) + source("b", from_b) + "StaticThreadSched(a 0, b 1);";
}

TEST(Cores, ShareTheMappingsOfARewriter) {
  for (const char* other : {"01", "03"}) {  // the same flow on both cores, and one on each
    const auto router = on_two_cores(two_sources("01", other, "02") + R"(
        rw :: IPRewriter(pattern 1.0.0.1 1024-65535 - - 0 1);
        a_packets -> [0] rw; b_packets -> [0] rw;
        rw[0] -> c :: Counter(COUNT_CALL 20000 stop) -> gone :: Discard; rw[1] -> Discard;)");
    ASSERT_NE(router, nullptr);
    router->run();
    EXPECT_EQ(router->read("c.count").text, "20000");
    EXPECT_EQ(router->read("drops").text, "gone discarded 20000\n");
    EXPECT_TRUE(router->ledger().balanced());
  }
}

TEST(Cores, AnswerEachOthersQueries) {
  const auto router = on_two_cores(two_sources("01", "03", "02") + R"(
      q :: ARPQuerier(10.0.0.9, 1:1:1:1:1:1);
      a_packets -> SetIPAddress(10.0.0.2) -> q; b_packets -> SetIPAddress(10.0.0.2) -> q;
      q -> kinds :: Classifier(12/0806, -);
      kinds[0] -> ARPResponder(10.0.0.2 2:2:2:2:2:2) -> [1] q;
      kinds[1] -> c :: Counter(COUNT_CALL 15000 stop) -> Discard;)");
  ASSERT_NE(router, nullptr);
  router->run();
  EXPECT_GE(std::stoi(router->read("c.count").text), 15000);
  EXPECT_TRUE(router->ledger().balanced());
}

TEST(Cores, LookUpRoutesThatChange) {
  const auto router = on_two_cores(two_sources("01", "03", "02") + R"(
      r :: RadixIPLookup(0/0 0);
      a_packets -> GetIPAddress(16) -> r; b_packets -> GetIPAddress(16) -> r;
      r[0] -> c :: Counter -> Discard; r[1] -> d :: Counter -> Discard;)");
  ASSERT_NE(router, nullptr);
  std::thread control([&] {
    for (int i = 0; i < 200; ++i) {
      EXPECT_TRUE(router->write("r.set", "10.0.0.2/32 " + std::to_string(i % 2)).ok);
      EXPECT_TRUE(router->write("a.reset", "").ok);
      EXPECT_TRUE(router->write("b.reset", "").ok);
      if (i % 10 == 9) EXPECT_TRUE(router->write("r.remove", "10.0.0.2/32").ok);
    }
    router->stop();
  });
  router->run();
  control.join();
  EXPECT_TRUE(router->ledger().balanced());
}

TEST(Cores, TranslateFlowsEachOfItsOwnInOneNat) {
  const auto router = on_two_cores(two_sources("01", "03", "02") + R"(
      m :: FlowIPManager(CAPACITY 100) -> nat :: FlowIPNAT(SIP 1.0.0.1) -> c :: Counter(COUNT_CALL 20000 stop) -> Discard;
      a_packets -> m; b_packets -> m;)");
  ASSERT_NE(router, nullptr);
  router->run();
  EXPECT_EQ(router->read("c.count").text, "20000");
  EXPECT_TRUE(router->ledger().balanced());
}

}  // namespace
}  // namespace packetmill::testing
