#include "ports/dpdk/spreader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace packetmill::dpdk {
namespace {

struct Frame {
  std::uint32_t hash;
  int number;
};

/// Delivers the frames of a list in order.
struct FakeDevice {
  std::vector<Frame>& frames;
  std::size_t& next;
  std::size_t& discarded;

  unsigned poll(Frame** out, unsigned n) {
    unsigned count = 0;
    while (count < n && next < frames.size()) out[count++] = &frames[next++];
    return count;
  }
  std::uint32_t hash(Frame* frame) { return frame->hash; }
  void discard(Frame*) { ++discarded; }
};

class SpreaderTest : public ::testing::Test {
 protected:
  std::vector<int> receive(Spreader<Frame>& spreader, unsigned queue, unsigned n = 32) {
    Frame* out[32];
    std::vector<int> numbers;
    const unsigned count = spreader.receive(queue, out, n, device);
    for (unsigned i = 0; i < count; ++i) numbers.push_back(out[i]->number);
    return numbers;
  }

  std::vector<Frame> frames;
  std::size_t next = 0;
  std::size_t discarded = 0;
  FakeDevice device{frames, next, discarded};
};

TEST_F(SpreaderTest, EachQueueGetsItsHashesInOrder) {
  frames = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {128, 5}};
  Spreader<Frame> spreader(2, 8);
  EXPECT_THAT(receive(spreader, 0), testing::ElementsAre(1, 3, 5));
  EXPECT_THAT(receive(spreader, 1), testing::ElementsAre(2, 4));
  EXPECT_THAT(receive(spreader, 1), testing::IsEmpty());
}

TEST_F(SpreaderTest, AnIdleConsumerPollsForTheOthers) {
  frames = {{1, 1}, {1, 2}};
  Spreader<Frame> spreader(2, 8);
  EXPECT_THAT(receive(spreader, 0), testing::IsEmpty());
  EXPECT_EQ(next, 2U);
  EXPECT_THAT(receive(spreader, 1), testing::ElementsAre(1, 2));
}

TEST_F(SpreaderTest, WhatAFullQueueCannotHoldIsDiscardedAndCounted) {
  frames = {{1, 1}, {1, 2}, {1, 3}, {0, 4}};
  Spreader<Frame> spreader(2, 2);
  EXPECT_THAT(receive(spreader, 0), testing::ElementsAre(4));
  EXPECT_EQ(spreader.ring_full(), 1U);
  EXPECT_EQ(discarded, 1U);
  EXPECT_THAT(receive(spreader, 1), testing::ElementsAre(1, 2));
}

TEST_F(SpreaderTest, DrainingLeavesNothing) {
  frames = {{0, 1}, {1, 2}, {1, 3}};
  Spreader<Frame> spreader(2, 8);
  EXPECT_THAT(receive(spreader, 0), testing::ElementsAre(1));
  spreader.drain(device);
  EXPECT_EQ(discarded, 2U);
  EXPECT_THAT(receive(spreader, 1), testing::IsEmpty());
}

TEST_F(SpreaderTest, ThreadsTogetherGetEveryFrameOnceAndEachFlowInOrder) {
  constexpr int kFrames = 20'000;
  constexpr unsigned kQueues = 4;
  for (int i = 0; i < kFrames; ++i) frames.push_back({static_cast<std::uint32_t>(i * 7 % 97), i});
  Spreader<Frame> spreader(kQueues, 256);
  std::atomic<int> received{0};
  std::vector<std::vector<Frame>> of_queue(kQueues);
  std::vector<std::thread> threads;
  for (unsigned queue = 0; queue < kQueues; ++queue)
    threads.emplace_back([&, queue] {
      Frame* out[32];
      while (received.load() + static_cast<int>(spreader.ring_full()) < kFrames) {
        const unsigned count = spreader.receive(queue, out, 32, device);
        for (unsigned i = 0; i < count; ++i) of_queue[queue].push_back(*out[i]);
        received += static_cast<int>(count);
      }
    });
  for (std::thread& thread : threads) thread.join();

  EXPECT_EQ(discarded, spreader.ring_full());
  std::size_t total = discarded;
  for (unsigned queue = 0; queue < kQueues; ++queue) {
    total += of_queue[queue].size();
    int last = -1;
    for (const Frame& frame : of_queue[queue]) {
      EXPECT_EQ(spreader.queue_of(frame.hash), queue);
      EXPECT_GT(frame.number, last);
      last = frame.number;
    }
  }
  EXPECT_EQ(total, static_cast<std::size_t>(kFrames));
}

}  // namespace
}  // namespace packetmill::dpdk
