#include "bench/open_loop.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <thread>

#include "ports/dpdk/burst.h"
#include "ports/dpdk/eal.h"
#include "ports/dpdk/port_pair.h"

namespace packetmill::bench {
namespace {

using Frames = std::span<rte_mbuf*>;

/// A network function at the one end of a ring, and an open loop at the other.
class OpenLoopTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    ASSERT_EQ(dpdk::start_eal({"--no-pci"}), std::nullopt);
    std::string error;
    const auto pair = dpdk::make_port_pair(dpdk::Wire::ring, error);
    ASSERT_TRUE(pair) << error;
    ports = std::make_unique<dpdk::Ports>();
    far = open(pair->first);
    near = open(pair->second);
  }
  static void TearDownTestSuite() { ports.reset(); }
  void SetUp() override {
    for (dpdk::Port* port : {near, far}) {
      rte_mbuf* frames[32];
      while (const unsigned left = dpdk::receive(*port, 0, frames, 32)) dpdk::release(frames, left);
    }
  }

  /// Runs `test` while the far end sends back those frames that `keep` leaves; how many is what it returns.
  void with_function(const std::function<std::size_t(Frames)>& keep, const std::function<void(OpenLoop&)>& test) {
    std::atomic<bool> done{false};
    std::thread function([&] {
      dpdk::register_thread();
      while (!done) {
        rte_mbuf* frames[32];
        const Frames received(frames, dpdk::receive(*far, 0, frames, 32));
        const std::size_t kept = keep(received);
        dpdk::release(frames + kept, static_cast<unsigned>(received.size() - kept));
        std::size_t sent = 0;
        while (sent < kept && !done) sent += dpdk::transmit(*far, 0, frames + sent, static_cast<unsigned>(kept - sent));
        if (sent < kept) dpdk::release(frames + sent, static_cast<unsigned>(kept - sent));
        if (received.empty()) std::this_thread::yield();
      }
    });
    OpenLoop loop(*near, 1);
    test(loop);
    done = true;
    function.join();
  }

  static dpdk::Port* open(std::uint16_t number) {
    std::string error;
    dpdk::Port* port = ports->open(std::to_string(number), error);
    EXPECT_TRUE(port != nullptr && !port->start({})) << error;
    return port;
  }

  static constexpr std::uint64_t kDuration = 20'000'000;
  static constexpr double kGap = 20'000;  // 1,000 frames
  inline static std::unique_ptr<dpdk::Ports> ports;
  inline static dpdk::Port* far = nullptr;
  inline static dpdk::Port* near = nullptr;
};

TEST_F(OpenLoopTest, SeesEveryFrameThatComesBack) {
  with_function([](Frames frames) { return frames.size(); },
                [](OpenLoop& loop) {
                  ASSERT_TRUE(loop.wait_for_answer());
                  const auto result = loop.run(Schedule(Arrivals::constant, kGap, 1), kDuration);
                  EXPECT_EQ(result.offered, 999U) << "the one at the very end is not due any more";
                  EXPECT_EQ(result.delivered + result.refused, result.offered);
                  EXPECT_EQ(result.latency.size(), result.delivered);
                  EXPECT_EQ(result.lateness.size(), result.offered);
                  EXPECT_GT(result.latency.quantile(0.0001), 0U);
                  EXPECT_LE(result.latency.quantile(0.5), result.latency.quantile(0.99));
                });
}

TEST_F(OpenLoopTest, CountsWhatIsLostOnTheWay) {
  bool odd = false;
  with_function(
      [&](Frames frames) {  // every second one, in whatever bursts they come
        const auto dropped = std::partition(frames.begin(), frames.end(), [&](auto) { return odd = !odd; });
        return static_cast<std::size_t>(dropped - frames.begin());
      },
      [](OpenLoop& loop) {
        const auto result = loop.run(Schedule(Arrivals::poisson, kGap, 1), kDuration);
        EXPECT_EQ(result.delivered, (result.offered - result.refused + 1) / 2);
      });
}

TEST_F(OpenLoopTest, DoesNotWaitForRoom) {
  // Nobody takes frames off the ring, which has room for 1,023 of them.
  OpenLoop loop(*near, 1);
  const auto result = loop.run(Schedule(Arrivals::poisson, kGap / 10, 1), kDuration);
  EXPECT_GT(result.offered, 9'000U);
  EXPECT_EQ(result.offered - result.refused, 1023U);
  EXPECT_EQ(result.delivered, 0U);
}

TEST_F(OpenLoopTest, DoesNotTakeWhatAnEarlierRunSentForItsOwn) {
  OpenLoop loop(*near, 1);
  (void)loop.run(Schedule(Arrivals::constant, kGap, 1), kDuration);  // waits in the ring
  with_function([](Frames frames) { return frames.size(); },
                [&](OpenLoop&) {
                  ASSERT_TRUE(loop.wait_for_answer());
                  const auto result = loop.run(Schedule(Arrivals::constant, kGap, 1), kDuration / 100);
                  EXPECT_EQ(result.delivered, 9U);
                });
}

TEST_F(OpenLoopTest, DoesNotCountWhatTheFunctionMakesItself) {
  with_function(
      [](Frames frames) {
        for (rte_mbuf* frame : frames) std::ranges::fill(dpdk::bytes(frame), 0);
        return frames.size();
      },
      [](OpenLoop& loop) {
        const auto result = loop.run(Schedule(Arrivals::constant, kGap, 1), kDuration);
        EXPECT_EQ(result.delivered, 0U);
      });
}

TEST_F(OpenLoopTest, EndsWhenItIsTold) {
  OpenLoop loop(*near, 1);
  loop.stop();
  EXPECT_FALSE(loop.wait_for_answer());
  EXPECT_EQ(loop.run(Schedule(Arrivals::constant, 0, 1), UINT64_MAX).offered, 0U);
}

}  // namespace
}  // namespace packetmill::bench
