#include "runtime/gate.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace packetmill {
namespace {

/// Cores that count bursts in two halves: whoever runs exclusively must never see a half. The members are plain on
/// purpose: ThreadSanitizer (`make test`) would show a core in a burst while somebody runs exclusively.
struct Cores {
  struct Core {
    std::uint64_t begun = 0;
    std::uint64_t ended = 0;
  };

  explicit Cores(std::size_t count) : states(count) {
    for (Core& core : states)
      threads.emplace_back([&] {
        gate.enter();
        while (!stopping.load()) {
          gate.pass();
          ++core.begun;
          ++core.ended;
        }
        gate.leave();
      });
  }
  ~Cores() { stop(); }
  void stop() {
    stopping = true;
    for (auto& thread : threads)
      if (thread.joinable()) thread.join();
  }
  void expect_between_bursts() {
    for (const Core& core : states) EXPECT_EQ(core.begun, core.ended);
  }

  Gate gate;
  std::atomic<bool> stopping{false};
  std::vector<Core> states;
  std::vector<std::thread> threads;
};

TEST(Gate, OnlyBetweenBurstsOfRunningCores) {
  Cores cores(2);
  for (int i = 0; i < 1000; ++i) cores.gate.exclusive([&] { cores.expect_between_bursts(); });
}

TEST(Gate, OneAtATime) {
  Cores cores(1);
  int inside = 0;
  std::vector<std::thread> writers;
  for (int w = 0; w < 3; ++w)
    writers.emplace_back([&] {
      for (int i = 0; i < 300; ++i)
        cores.gate.exclusive([&] {
          EXPECT_EQ(++inside, 1);
          --inside;
        });
    });
  for (auto& writer : writers) writer.join();
}

TEST(Gate, MayBeTakenAgainByItsHolder) {
  Cores cores(1);
  int depth = 0;
  cores.gate.exclusive([&] {
    cores.gate.exclusive([&] { ++depth; });
    cores.expect_between_bursts();
    ++depth;
  });
  EXPECT_EQ(depth, 2);
}

TEST(Gate, GivesWhatTheFunctionGives) {
  Gate gate;
  EXPECT_EQ(gate.exclusive([] { return 7; }), 7);
}

TEST(Gate, MayBeTakenByCoresFromTheirBursts) {
  // Two cores that each ask for all others to stand still, all the time: nobody waits for ever, and counts stay whole.
  Gate gate;
  std::uint64_t shared = 0;
  std::vector<std::thread> threads;
  for (int c = 0; c < 2; ++c)
    threads.emplace_back([&] {
      gate.enter();
      for (int i = 0; i < 500; ++i) {
        gate.pass();
        gate.exclusive([&] { ++shared; });
      }
      gate.leave();
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(shared, 1000);
}

TEST(Gate, NeedsNoCores) {
  Gate gate;
  int ran = 0;
  gate.exclusive([&] { ++ran; });
  EXPECT_EQ(ran, 1);
}

}  // namespace
}  // namespace packetmill
