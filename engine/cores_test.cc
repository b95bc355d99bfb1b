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

}  // namespace
}  // namespace packetmill::testing
