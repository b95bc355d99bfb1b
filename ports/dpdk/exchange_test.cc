#include <gtest/gtest.h>

#include <optional>
#include <thread>

#include "drivers/mlx5/emulated.h"
#include "ports/dpdk/arrivals.h"

// Buffers under exchange on a port over the emulated ConnectX: they all come back, and one that has been exchanged away is not
// to be touched.
namespace packetmill::testing {
namespace {

using dpdk::spares;

constexpr unsigned kBuffers = 8191;

class ExchangePort : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(dpdk::start_eal({}), std::nullopt);
    std::string error;
    pool_ = dpdk::make_pool("exchange", kBuffers, dpdk::kUsualFrame, SOCKET_ID_ANY, error);
    ASSERT_NE(pool_, nullptr) << error;
    ports_.emplace();
    port_ = ports_->open("net_mlx5_emulated0", error);
    ASSERT_NE(port_, nullptr) << error;
    ASSERT_EQ(
        port_->start({.receive_descriptors = 64, .transmit_descriptors = 4096, .exchange = true, .pool = pool_.get()}),
        std::nullopt);
    ASSERT_TRUE(port_->exchanges()) << port_->why_not();
  }
  void TearDown() override {
    ports_.reset();
    dpdk::show_all(pool_.get());
    EXPECT_EQ(rte_mempool_avail_count(pool_.get()), kBuffers);
  }

  void arrive() {
    const std::vector<std::uint8_t> bytes(60, 1);
    mlx5_device_frame frame{};
    frame.bytes = bytes.data();
    frame.length = 60;
    EXPECT_TRUE(mlx5_device_receive(mlx5_emulated_receive_device(port_->number(), 0), &frame));
  }
  std::vector<dpdk::Arrived> receive(unsigned n) {
    std::vector<dpdk::Arrived> frames;
    while (frames.size() < n) {
      arrive();
      dpdk::Arrivals::each<true>(*port_, 0, 1, [&](const dpdk::Arrived& frame) { frames.push_back(frame); });
    }
    return frames;
  }
  /// The NIC sends what it has been given.
  void leave() {
    mlx5_device_transmit(
        mlx5_emulated_transmit_device(port_->number(), 0), UINT32_MAX, [](void*, const mlx5_device_sent*) {}, nullptr);
  }
  static std::uint8_t* bytes(const dpdk::Arrived& frame) { return frame.buffer + frame.headroom; }
  static dpdk::Outgoing outgoing(const dpdk::Arrived& frame) { return {frame.owner, bytes(frame), frame.length}; }
  static void drop(const dpdk::Arrived& frame) { frame.release(frame.owner); }

  dpdk::Pool pool_;
  std::optional<dpdk::Ports> ports_;
  dpdk::Port* port_ = nullptr;
};

using ExchangePortDeathTest = ExchangePort;

TEST_F(ExchangePort, ABurstOfAnyLengthIsSentInTheEnd) {
  std::vector<dpdk::Outgoing> frames;
  for (const dpdk::Arrived& frame : receive(2000)) frames.push_back(outgoing(frame));
  for (unsigned sent = 0; sent < frames.size(); leave())
    sent += dpdk::transmit_exchanged(*port_, 0, frames.data() + sent, static_cast<unsigned>(frames.size()) - sent);
}

// A burst under way has been promised its spare buffers: neither copies that are made meanwhile take them, nor a full stack of
// them that has to make room.
TEST_F(ExchangePort, ABurstHasItsBuffersWhateverIsDoneMeanwhile) {
  for (unsigned i = 0; i < 64; ++i) arrive();
  std::vector<dpdk::Outgoing> frames;
  const auto copy = [&](const dpdk::Arrived& arrived) {
    frames.push_back(outgoing(arrived));
    for (int i = 0; i < 15; ++i) {
      frames.push_back(dpdk::exchanged_copy(arrived.buffer + arrived.headroom, arrived.length, pool_.get()));
      ASSERT_NE(frames.back().buffer, nullptr);
    }
  };
  EXPECT_EQ(dpdk::Arrivals::each<true>(*port_, 0, 64, copy).frames, 64U);
  for (unsigned sent = 0; sent < frames.size(); leave())  // more than are kept at hand
    sent += dpdk::transmit_exchanged(*port_, 0, frames.data() + sent, static_cast<unsigned>(frames.size()) - sent);
  for (const dpdk::Arrived& arrived : receive(64)) drop(arrived);
}

TEST_F(ExchangePort, AThreadThatIsNotRegisteredKeepsNoBuffer) {
  const std::vector<dpdk::Arrived> frames = receive(100);
  const unsigned before = rte_mempool_avail_count(pool_.get());
  std::thread([&] {
    for (const dpdk::Arrived& frame : frames) drop(frame);
  }).join();
  EXPECT_EQ(rte_mempool_avail_count(pool_.get()), before + 100);
}

TEST_F(ExchangePort, AThreadThatTakesBuffersGivesThemBackWhenItEnds) {
  const unsigned before = rte_mempool_avail_count(pool_.get());
  std::thread([&] {
    EXPECT_GT(spares.prepare(pool_.get(), 1), 0U);
    EXPECT_LT(rte_mempool_avail_count(pool_.get()), before);
  }).join();
  EXPECT_EQ(rte_mempool_avail_count(pool_.get()), before);
}

#if __has_feature(address_sanitizer)
TEST_F(ExchangePortDeathTest, AUseAfterADropIsFound) {
  const dpdk::Arrived frame = receive(1)[0];
  drop(frame);
  EXPECT_DEATH(bytes(frame)[0] = 1, "use-after-poison");
}

TEST_F(ExchangePortDeathTest, AUseAfterTransmissionIsFound) {
  const dpdk::Arrived frame = receive(1)[0];
  const dpdk::Outgoing sent = outgoing(frame);
  ASSERT_EQ(dpdk::transmit_exchanged(*port_, 0, &sent, 1), 1U);
  EXPECT_DEATH(bytes(frame)[0] = 1, "use-after-poison");
}

// Whichever buffer it is, the NIC may write to it at any time.
TEST_F(ExchangePortDeathTest, AUseOfABufferInTheReceiveRingIsFound) {
  const dpdk::Arrived frame = receive(1)[0];
  drop(frame);
  for (const dpdk::Arrived& other : receive(1)) drop(other);  // with the first one's in exchange
  EXPECT_DEATH(bytes(frame)[0] = 1, "use-after-poison");
}
#elif !defined(NDEBUG)
TEST_F(ExchangePortDeathTest, AWriteAfterADropIsFoundWhenTheBufferIsTaken) {
  const dpdk::Arrived frame = receive(1)[0];
  drop(frame);
  bytes(frame)[7] = 1;
  EXPECT_DEATH((void)spares.take(), "written to after it had been exchanged away");
  bytes(frame)[7] = dpdk::kPattern;
}
#endif

}  // namespace
}  // namespace packetmill::testing
