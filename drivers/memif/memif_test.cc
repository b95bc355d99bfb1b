#include <fcntl.h>
#include <gmock/gmock.h>
#include <rte_bus_vdev.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstring>
#include <thread>

#include "ports/dpdk/eal.h"

// A packet with all that a memif says of a frame.
struct xchg {
  std::uint8_t* buffer;
  const std::uint8_t* frame;
  std::uint32_t length;
  std::uint64_t flags;
  std::uint16_t port;
};
inline void* xchg_get_buffer(const xchg* packet) { return packet->buffer; }
inline void xchg_set_buffer(xchg* packet, void* buffer) {
  packet->buffer = static_cast<std::uint8_t*>(buffer);
  packet->frame = packet->buffer;
}
inline const void* xchg_get_frame(const xchg* packet) { return packet->frame; }
inline std::uint32_t xchg_get_length(const xchg* packet) { return packet->length; }
inline void xchg_set_length(xchg* packet, std::uint32_t length) { packet->length = length; }
#define xchg_get_frame xchg_get_frame
#define xchg_set_flags(packet, value) (packet)->flags = (value)
#define xchg_set_port(packet, value) (packet)->port = (value)

#include "drivers/memif/device.h"
#include "drivers/port.h"

// The memif data path between an unmodified net_memif, whose peer is another one, and an emulated peer that takes that one's
// place in shared memory: the test is the wire.
namespace packetmill::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::uint16_t kDescriptors = 128;
constexpr unsigned kBuffers = 1023;
constexpr unsigned kBurst = 32;
constexpr std::uint32_t kRoom = 2048;  // in a buffer

using Bytes = std::vector<std::uint8_t>;

/// A frame that says which one it is.
Bytes numbered(std::uint32_t number, std::size_t size = 60) {
  Bytes bytes(size, 0xee);
  std::memcpy(bytes.data() + 14, &number, sizeof number);
  return bytes;
}
/// Frames of all lengths.
Bytes frame_of(std::uint32_t number) { return numbered(number, 60 + number % 1455); }

/// What the port under test is, and what its peer.
struct Mode {
  const char* name;
  std::string_view port;
  std::string_view peer;
  bool zero_copy;  ///< the port exchanges buffers
};
constexpr Mode kServer{"server", "role=server", "role=client", false};
constexpr Mode kServerOfZeroCopy{"server_of_zero_copy", "role=server", "role=client,zero-copy=yes", false};
constexpr Mode kClient{"client", "role=client", "role=server", false};
constexpr Mode kZeroCopyClient{"zero_copy_client", "role=client,zero-copy=yes", "role=server", true};

class Memif : public ::testing::TestWithParam<Mode> {
 protected:
  void SetUp() override {
    ASSERT_EQ(dpdk::start_eal({"--single-file-segments"}), std::nullopt);
    pool_ = rte_pktmbuf_pool_create("memif_test", kBuffers, 32, 0, RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY);
    peer_pool_ = rte_pktmbuf_pool_create("memif_peer", kBuffers, 32, 0, RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY);
    ASSERT_NE(pool_, nullptr);
    ASSERT_NE(peer_pool_, nullptr);
    const rte_mempool_memhdr* chunk = STAILQ_FIRST(&pool_->mem_list);
    memory_ = rte_memseg_get_fd_thread_unsafe(rte_mem_virt2memseg(chunk->addr, nullptr));
    kept_memory_ = dup(memory_);
    create();
  }
  /// Both ends, connected.
  void create(const std::string& more = "", std::uint16_t queues = 1) {
    static int sockets = 0;  // memif does not close those that it listens on
    const std::string common =
        ",rsize=7,socket=packetmill-test-" + std::to_string(getpid()) + "-" + std::to_string(sockets++) + more;
    const bool server = GetParam().port == kServer.port;
    const auto create_port = [&] {
      create_end("net_memif0", std::string(GetParam().port) + common, queues, pool_, port_);
    };
    const auto create_peer = [&] {
      create_end("net_memif1", std::string(GetParam().peer) + common, 1, peer_pool_, peer_);
    };
    if (server) create_port();
    create_peer();
    if (!server) create_port();
    wait_for_link(true);
  }
  static void create_end(const char* name, const std::string& arguments, std::uint16_t queues, rte_mempool* pool,
                         std::uint16_t& port) {
    ASSERT_EQ(rte_vdev_init(name, arguments.c_str()), 0);
    ASSERT_EQ(rte_eth_dev_get_port_by_name(name, &port), 0);
    const rte_eth_conf configuration{};
    ASSERT_EQ(rte_eth_dev_configure(port, queues, queues, &configuration), 0);
    for (std::uint16_t i = 0; i < queues; ++i) {
      ASSERT_EQ(rte_eth_rx_queue_setup(port, i, kDescriptors, SOCKET_ID_ANY, nullptr, pool), 0);
      ASSERT_EQ(rte_eth_tx_queue_setup(port, i, kDescriptors, SOCKET_ID_ANY, nullptr), 0);
    }
    ASSERT_EQ(rte_eth_dev_start(port), 0);
  }
  void restart() {
    const bool server = GetParam().port == kServer.port;
    ASSERT_EQ(rte_eth_dev_start(server ? port_ : peer_), 0);
    ASSERT_EQ(rte_eth_dev_start(server ? peer_ : port_), 0);
    wait_for_link(true);
  }
  void destroy() {
    for (const std::uint16_t port : {peer_, port_}) {
      ASSERT_EQ(rte_eth_dev_stop(port), 0);
      ASSERT_EQ(rte_eth_dev_close(port), 0);
    }
    ASSERT_EQ(rte_vdev_uninit("net_memif0"), 0);
    ASSERT_EQ(rte_vdev_uninit("net_memif1"), 0);
  }

  /// Whatever a test has done, every buffer is in the pool again once the port is closed. memif itself forgets those that are
  /// in a zero-copy client's rings when a connection ends; X-Change does not.
  void TearDown() override {
    if (GetParam().zero_copy && is_up(port_)) {
      if (taken_ == nullptr) take();
      ASSERT_EQ(rte_eth_dev_stop(peer_), 0);
      wait_for_link(false);
    }
    if (taken_ != nullptr) give_back();
    destroy();
    EXPECT_EQ(rte_mempool_avail_count(pool_), kBuffers);
    rte_mempool_free(pool_);
    rte_mempool_free(peer_pool_);
    close(kept_memory_);
  }

  static bool is_up(std::uint16_t port) {
    rte_eth_link link{};
    rte_eth_link_get_nowait(port, &link);
    return link.link_status == RTE_ETH_LINK_UP;
  }
  /// Until both ends have seen it.
  void wait_for_link(bool up) {
    while (is_up(port_) != up || is_up(peer_) != up) std::this_thread::yield();
    // A zero-copy client has closed EAL's own descriptor of its memory, which the next one needs.
    if (up && fcntl(memory_, F_GETFD) == -1) {
      ASSERT_EQ(dup2(kept_memory_, memory_), memory_);
    }
  }

  void take() {
    const char* reason = "";
    taken_ = xchg_takeover(port_, pool_, &reason);
    ASSERT_NE(taken_, nullptr) << reason;
    for (unsigned i = 0; i < kBurst; ++i) {
      packets_[i] = &storage_[i];
      xchg_set_buffer(packets_[i], xchg_new_buffer(taken_));
    }
  }
  void give_back() {
    for (xchg* packet : packets_) xchg_free_buffer(taken_, packet->buffer);
    xchg_release(taken_);
    taken_ = nullptr;
  }
  /// With the emulated peer instead of the other port.
  void take_with_device(std::uint32_t room = kRoom) {
    take();
    in_ = memif_device_opposite(&receive_queue(), room);
    out_ = memif_device_opposite(&transmit_queue(), room);
  }
  xchg_memif_queue& receive_queue() { return taken_->receive_queues[0].memif; }
  xchg_memif_queue& transmit_queue() { return taken_->transmit_queues[0].memif; }

  bool arrive(const Bytes& bytes, std::uint16_t flags = 0) {
    return memif_device_send(&in_, bytes.data(), static_cast<std::uint32_t>(bytes.size()), flags);
  }
  std::vector<Bytes> leave(unsigned most = UINT32_MAX) {
    std::vector<Bytes> sent;
    memif_device_receive(
        &out_, most,
        [](void* context, const std::uint8_t* bytes, const xchg_memif_descriptor* descriptor) {
          EXPECT_EQ(descriptor->flags, 0);
          static_cast<std::vector<Bytes>*>(context)->emplace_back(bytes, bytes + descriptor->length);
        },
        &sent);
    return sent;
  }

  unsigned receive(unsigned most = kBurst) {
    return xchg_receive(&taken_->receive_queues[0], packets_.data(), static_cast<std::uint16_t>(most));
  }
  unsigned transmit(unsigned count) {
    return xchg_transmit(&taken_->transmit_queues[0], packets_.data(), static_cast<std::uint16_t>(count));
  }
  Bytes packet(unsigned i) const { return {packets_[i]->frame, packets_[i]->frame + packets_[i]->length}; }
  rte_eth_stats statistics() const {
    rte_eth_stats statistics{};
    rte_eth_stats_get(port_, &statistics);
    return statistics;
  }

  void forward_with_device(std::uint32_t first, std::uint32_t count) {
    std::uint32_t in = first;
    std::uint32_t out = first;
    while (out < first + count) {
      while (in < first + count && in < out + kBurst && arrive(frame_of(in))) ++in;
      const unsigned received = receive();
      ASSERT_GT(received, 0U);
      ASSERT_EQ(transmit(received), received);
      const std::vector<Bytes> left = leave();
      ASSERT_EQ(left.size(), received);
      for (const Bytes& bytes : left) ASSERT_EQ(bytes, frame_of(out++));
    }
  }

  /// A port's ordinary functions.
  static bool send_mbuf(std::uint16_t port, rte_mempool* pool, const Bytes& bytes) {
    rte_mbuf* mbuf = rte_pktmbuf_alloc(pool);
    if (mbuf == nullptr) return false;
    std::memcpy(rte_pktmbuf_append(mbuf, static_cast<std::uint16_t>(bytes.size())), bytes.data(), bytes.size());
    if (rte_eth_tx_burst(port, 0, &mbuf, 1) == 1) return true;
    rte_pktmbuf_free(mbuf);
    return false;
  }
  static std::vector<Bytes> receive_mbufs(std::uint16_t port, std::uint16_t most = kBurst) {
    std::array<rte_mbuf*, kBurst> mbufs{};
    const std::uint16_t received = rte_eth_rx_burst(port, 0, mbufs.data(), most);
    std::vector<Bytes> frames;
    for (unsigned i = 0; i < received; ++i) {
      const auto* bytes = rte_pktmbuf_mtod(mbufs[i], const std::uint8_t*);
      frames.emplace_back(bytes, bytes + mbufs[i]->data_len);
      rte_pktmbuf_free(mbufs[i]);
    }
    return frames;
  }
  std::vector<Bytes> receive_exchanged(unsigned most = kBurst) {
    std::vector<Bytes> frames;
    for (unsigned i = 0, received = receive(most); i < received; ++i) frames.push_back(packet(i));
    return frames;
  }
  /// Frames from the other port to the other port.
  void forward(std::uint32_t first, std::uint32_t count) {
    std::uint32_t in = first;
    std::uint32_t out = first;
    ASSERT_TRUE(receive_mbufs(peer_).empty());  // a client gives buffers when it is asked for frames
    while (out < first + count) {
      while (in < first + count && in < out + kBurst && send_mbuf(peer_, peer_pool_, frame_of(in))) ++in;
      if (taken_ != nullptr) {
        const unsigned received = receive();
        ASSERT_EQ(transmit(received), received);
      } else {
        std::array<rte_mbuf*, kBurst> mbufs{};
        const std::uint16_t received = rte_eth_rx_burst(port_, 0, mbufs.data(), kBurst);
        ASSERT_EQ(rte_eth_tx_burst(port_, 0, mbufs.data(), received), received);
      }
      for (const Bytes& bytes : receive_mbufs(peer_)) ASSERT_EQ(bytes, frame_of(out++));
    }
  }

  std::uint16_t port_ = 0;
  std::uint16_t peer_ = 0;
  int memory_ = -1;
  int kept_memory_ = -1;
  rte_mempool* pool_ = nullptr;
  rte_mempool* peer_pool_ = nullptr;
  xchg_port* taken_ = nullptr;
  memif_device_queue in_{};
  memif_device_queue out_{};
  std::array<xchg, kBurst> storage_{};
  std::array<xchg*, kBurst> packets_{};
};

/// An emulated peer.
class MemifWithDevice : public Memif {};
INSTANTIATE_TEST_SUITE_P(As, MemifWithDevice, ::testing::Values(kServer, kClient, kZeroCopyClient),
                         [](const auto& info) { return info.param.name; });

/// The other port is the peer, by its ordinary functions.
class MemifWithPort : public Memif {};
INSTANTIATE_TEST_SUITE_P(As, MemifWithPort, ::testing::Values(kServer, kServerOfZeroCopy, kClient, kZeroCopyClient),
                         [](const auto& info) { return info.param.name; });

TEST_P(MemifWithDevice, FramesKeepOrderAndBytesHoweverOftenTheRingsGoRound) {
  take_with_device();
  forward_with_device(0, 70'000);  // further than sixteen bits count
  EXPECT_EQ(receive_queue().errors, 0U);
  EXPECT_EQ(transmit_queue().errors, 0U);
  EXPECT_EQ(packets_[0]->port, port_);
}

TEST_P(MemifWithDevice, APacketThatIsNotSentKeepsItsBuffer) {
  take_with_device();
  for (std::uint32_t round = 0; round < 20; ++round) {
    for (unsigned i = 0; i < kBurst; ++i) ASSERT_TRUE(arrive(frame_of(round + i)));
    ASSERT_EQ(receive(), kBurst);  // and dropped
    for (unsigned i = 0; i < kBurst; ++i) ASSERT_EQ(packet(i), frame_of(round + i));
  }
}

TEST_P(MemifWithDevice, AnEmptyRingHasNothingAndAFullOneNoRoom) {
  take_with_device();
  EXPECT_EQ(receive(), 0U);
  std::uint32_t arrived = 0;
  while (arrive(frame_of(arrived))) ++arrived;
  EXPECT_EQ(arrived, kDescriptors);
  std::uint32_t next = 0;
  while (const unsigned received = receive(7))
    for (unsigned i = 0; i < received; ++i) ASSERT_EQ(packet(i), frame_of(next++));
  EXPECT_EQ(next, kDescriptors);

  std::uint32_t sent = 0;
  for (std::uint32_t in = 0; in < 2 * kDescriptors;) {
    while (in < sent + 24 && in < 2 * kDescriptors && arrive(frame_of(in))) ++in;
    const unsigned received = receive();
    const unsigned taken = transmit(received);
    sent += taken;
    if (taken < received) break;
  }
  EXPECT_EQ(sent, kDescriptors);
  std::uint32_t out = 0;
  for (const Bytes& bytes : leave()) ASSERT_EQ(bytes, frame_of(out++));
  EXPECT_EQ(out, kDescriptors);
  while (receive() != 0) continue;
  forward_with_device(0, 500);
}

TEST_P(MemifWithDevice, AFrameOfSeveralDescriptorsIsAnErrorAndItsBuffersAreGivenBack) {
  take_with_device();
  for (std::uint32_t round = 0; round < 200; ++round) {
    ASSERT_TRUE(arrive(frame_of(2 * round)));
    ASSERT_TRUE(arrive(frame_of(7), XCHG_MEMIF_NEXT));
    ASSERT_TRUE(arrive(frame_of(8), XCHG_MEMIF_NEXT));
    if (round % 2 == 0) {  // the rest comes later
      ASSERT_EQ(receive(), 1U);
      ASSERT_EQ(packet(0), frame_of(2 * round));
    }
    ASSERT_TRUE(arrive(frame_of(9)));
    ASSERT_TRUE(arrive(frame_of(2 * round + 1)));
    const unsigned received = receive();
    ASSERT_EQ(received, round % 2 == 0 ? 1U : 2U);
    ASSERT_EQ(packet(received - 1), frame_of(2 * round + 1));
    ASSERT_EQ(receive_queue().errors, round + 1);
  }
  forward_with_device(0, 500);
  EXPECT_EQ(statistics().ipackets, 900U);
}

TEST_P(MemifWithDevice, ADescriptorThatCannotBeIsAnErrorAndNothingIsTouched) {
  take_with_device();
  const auto spoiled = [&](auto spoil) {
    EXPECT_TRUE(arrive(frame_of(1)));
    EXPECT_TRUE(arrive(frame_of(2)));
    EXPECT_TRUE(arrive(frame_of(3)));
    spoil(in_.descriptors[static_cast<std::uint16_t>(in_.next - 2) & in_.mask]);
    EXPECT_EQ(receive(), 2U);
    EXPECT_EQ(packet(0), frame_of(1));
    EXPECT_EQ(packet(1), frame_of(3));
  };
  spoiled([](xchg_memif_descriptor& descriptor) { descriptor.length = kRoom + 1; });
  EXPECT_EQ(receive_queue().errors, 1U);
  forward_with_device(0, 500);
  if (GetParam().zero_copy) return;  // its own memory says where its buffers are
  spoiled([](xchg_memif_descriptor& descriptor) { descriptor.region = 1; });
  spoiled([](xchg_memif_descriptor& descriptor) { descriptor.offset = UINT32_MAX - 10; });
  EXPECT_EQ(receive_queue().errors, 3U);
}

TEST_P(MemifWithDevice, AFrameThatThePeerHasNoRoomForIsAnErrorAndItsPacketKeepsItsBuffer) {
  if (GetParam().zero_copy) GTEST_SKIP() << "there is always room: a frame is in its buffer already";
  destroy();
  create(",bsize=1000");
  take_with_device(1000);
  const std::uint8_t* const buffer = packets_[1]->buffer;
  const Bytes frames[] = {numbered(1, 1000), numbered(2, 1001), numbered(3, 1000)};
  for (unsigned i = 0; i < 3; ++i) {
    std::memcpy(packets_[i]->buffer, frames[i].data(), frames[i].size());
    packets_[i]->length = static_cast<std::uint32_t>(frames[i].size());
  }
  EXPECT_EQ(transmit(3), 3U);
  EXPECT_THAT(leave(), ElementsAre(frames[0], frames[2]));
  EXPECT_EQ(packets_[1]->buffer, buffer);
  EXPECT_EQ(transmit_queue().errors, 1U);
  EXPECT_EQ(statistics().opackets, 2U);
}

TEST_P(MemifWithDevice, AFrameMayBeginAnywhereInItsBuffer) {
  take_with_device();
  ASSERT_TRUE(arrive(numbered(7)));
  ASSERT_EQ(receive(), 1U);
  std::memmove(packets_[0]->buffer - 4, packets_[0]->buffer, 60);
  packets_[0]->frame = packets_[0]->buffer - 4;
  ASSERT_EQ(transmit(1), 1U);
  EXPECT_EQ(leave().at(0), numbered(7));
  forward_with_device(0, 500);
}

TEST_P(MemifWithDevice, AReceiverThatSleepsIsWoken) {
  take_with_device();
  const auto woken = [&] {
    std::uint64_t count = 0;
    return read(transmit_queue().doorbell, &count, sizeof count) == sizeof count ? count : 0;
  };
  forward_with_device(0, 100);
  EXPECT_EQ(woken(), 0U);
  out_.ring->flags = 0;
  EXPECT_EQ(transmit(0), 0U);
  EXPECT_EQ(woken(), 0U);
  forward_with_device(0, kBurst);
  EXPECT_EQ(woken(), 1U);
}

TEST_P(MemifWithDevice, ThePortsStatisticsCountExchangedFrames) {
  take_with_device();
  for (unsigned i = 0; i < 3; ++i) {
    for (unsigned k = 0; k < 30; ++k) ASSERT_TRUE(arrive(numbered(k)));
    ASSERT_EQ(receive(), 30U);
    ASSERT_EQ(transmit(20), 20U);
  }
  EXPECT_EQ(statistics().ipackets, 90U);
  EXPECT_EQ(statistics().ibytes, 5400U);
  EXPECT_EQ(statistics().opackets, 60U);
  EXPECT_EQ(statistics().obytes, 3600U);
}

TEST_P(MemifWithPort, OrdinaryBurstsWorkBeforeTakeoverAndAfterRelease) {
  for (std::uint32_t round = 0; round < 5; ++round) {
    forward(0, 37 + round * 100);  // takeover finds the rings in ever other places
    take();
    forward(0, 61 + round * 100);
    give_back();
  }
  forward(0, 500);
  EXPECT_EQ(statistics().ipackets, 2990U);
  EXPECT_EQ(statistics().opackets, 2990U);
}

TEST_P(MemifWithPort, FramesUnderWayStayUnderWayAtTakeoverAndAtRelease) {
  forward(0, 100);
  const auto put_under_way = [&](std::uint32_t first) {
    for (std::uint32_t i = 0; i < 40; ++i) ASSERT_TRUE(send_mbuf(peer_, peer_pool_, frame_of(first + i)));
  };
  for (std::uint32_t round = 0; round < 10; ++round) {
    put_under_way(0);
    ASSERT_TRUE(send_mbuf(port_, pool_, frame_of(100)));
    ASSERT_TRUE(send_mbuf(port_, pool_, frame_of(101)));
    take();
    EXPECT_THAT(receive_mbufs(peer_), ElementsAre(frame_of(100), frame_of(101)));
    for (std::uint32_t i = 0; i < 40; i += 8)
      EXPECT_THAT(receive_exchanged(8),
                  ElementsAre(frame_of(i), frame_of(i + 1), frame_of(i + 2), frame_of(i + 3), frame_of(i + 4),
                              frame_of(i + 5), frame_of(i + 6), frame_of(i + 7)));
    put_under_way(1000);
    EXPECT_THAT(receive_exchanged(2), ElementsAre(frame_of(1000), frame_of(1001)));
    ASSERT_EQ(transmit(2), 2U);
    give_back();
    EXPECT_THAT(receive_mbufs(peer_), ElementsAre(frame_of(1000), frame_of(1001)));
    std::uint32_t next = 1002;
    while (next < 1040)
      for (const Bytes& bytes : receive_mbufs(port_)) ASSERT_EQ(bytes, frame_of(next++));
    forward(0, 100);
  }
}

TEST_P(MemifWithPort, ForwardsToAPeerOnAnotherThread) {
  constexpr std::uint32_t kCount = 50'000;
  forward(0, 1);  // the client has given the server buffers
  take();
  std::atomic<bool> failed = false;
  std::thread peer([&] {
    std::uint32_t in = 0;
    std::uint32_t out = 0;
    while (out < kCount && !failed) {
      while (in < kCount && in < out + 100 && send_mbuf(peer_, peer_pool_, frame_of(in))) ++in;
      for (const Bytes& bytes : receive_mbufs(peer_))
        if (bytes != frame_of(out++)) failed = true;
      std::this_thread::yield();
    }
    if (out != kCount) failed = true;
  });
  for (std::uint32_t sent = 0; sent < kCount && !failed;) {
    const unsigned received = receive();
    if (received == 0) std::this_thread::yield();
    if (transmit(received) != received) failed = true;
    sent += received;
  }
  peer.join();
  EXPECT_FALSE(failed);
  EXPECT_EQ(statistics().opackets, kCount + 1);
}

TEST_P(MemifWithPort, WhenThePeerGoesFramesUnderWayAreLostAndNoBuffer) {
  take();
  forward(0, 100);
  for (std::uint32_t i = 0; i < 50; ++i) ASSERT_TRUE(send_mbuf(peer_, peer_pool_, frame_of(i)));
  ASSERT_EQ(receive(10), 10U);
  ASSERT_EQ(transmit(10), 10U);
  ASSERT_EQ(rte_eth_dev_stop(peer_), 0);
  wait_for_link(false);
  EXPECT_EQ(receive(), 0U);
  EXPECT_EQ(transmit(10), 0U);
  EXPECT_EQ(receive(), 0U);
  give_back();
  EXPECT_EQ(rte_mempool_avail_count(pool_), kBuffers);
}

TEST_P(MemifWithPort, WhenThePeerGoesInTheMiddleOfABurstTheBurstComesToNoHarm) {
  take();
  forward(0, 100);
  for (std::uint32_t i = 0; i < 2; ++i) ASSERT_TRUE(send_mbuf(peer_, peer_pool_, frame_of(i)));
  xchg_memif_queue in = xchg_memif_receive_begin(&receive_queue());
  xchg_memif_transmit_complete(&transmit_queue());
  xchg_memif_transmit_burst out = xchg_memif_transmit_begin(&transmit_queue());
  ASSERT_EQ(rte_eth_dev_stop(peer_), 0);
  wait_for_link(false);
  for (std::uint32_t i = 0; i < 2; ++i) {
    xchg_memif_descriptor descriptor{};
    ASSERT_TRUE(xchg_memif_receive_next(&receive_queue(), &in, &descriptor));
    xchg_set_buffer(packets_[i], xchg_memif_receive_exchange(&in, &descriptor, packets_[i]->buffer));
    packets_[i]->length = descriptor.length;
    EXPECT_EQ(packet(i), frame_of(i));
    xchg_set_buffer(packets_[i],
                    xchg_memif_transmit_put(&out, packets_[i]->buffer, packets_[i]->frame, packets_[i]->length));
  }
  xchg_memif_receive_end(&receive_queue(), &in, 2, 0);
  xchg_memif_transmit_end(&transmit_queue(), &out);
  EXPECT_EQ(receive(), 0U);
}

TEST_P(MemifWithPort, APeerThatComesAgainFindsAServerThatReceivesAndSends) {
  if (GetParam().port != kServer.port) GTEST_SKIP() << "a client connects when it is started, and then only";
  take();
  for (std::uint32_t round = 1; round < 5; ++round) {
    forward(0, 100 * round);
    ASSERT_TRUE(send_mbuf(peer_, peer_pool_, frame_of(1)));
    ASSERT_EQ(rte_eth_dev_stop(peer_), 0);
    wait_for_link(false);
    if (round % 2 == 0) {  // or the queues never notice that there was none in between
      ASSERT_EQ(receive(), 0U);
      ASSERT_EQ(transmit(1), 0U);
    }
    ASSERT_EQ(rte_eth_dev_start(peer_), 0);
    wait_for_link(true);
  }
  forward(0, 500);
  give_back();
  forward(0, 500);
}

TEST_P(MemifWithPort, APortMayBeTakenOverBeforeItsPeerIsThere) {
  const std::uint16_t server = GetParam().port == kServer.port ? port_ : peer_;
  const std::uint16_t client = GetParam().port == kServer.port ? peer_ : port_;
  ASSERT_EQ(rte_eth_dev_stop(client), 0);
  wait_for_link(false);
  if (client == port_) {
    ASSERT_EQ(rte_eth_dev_start(port_), 0);
    take();
  } else {
    take();
    EXPECT_EQ(receive(), 0U);
    EXPECT_EQ(transmit(1), 0U);
    ASSERT_EQ(rte_eth_dev_start(peer_), 0);
  }
  wait_for_link(true);
  EXPECT_TRUE(is_up(server));
  forward(0, 500);
}

TEST_P(MemifWithPort, APortThatIsStoppedUnderTakeoverKeepsNoBuffer) {
  take();
  forward(0, 100);
  ASSERT_TRUE(send_mbuf(peer_, peer_pool_, frame_of(1)));
  ASSERT_EQ(receive(), 1U);
  ASSERT_EQ(transmit(1), 1U);
  ASSERT_EQ(rte_eth_dev_stop(port_), 0);
  wait_for_link(false);
  give_back();
  EXPECT_EQ(rte_mempool_avail_count(pool_), kBuffers);
}

TEST_P(MemifWithPort, AQueueThatThePeerDoesNotHaveStaysEmpty) {
  if (GetParam().port != kServer.port) GTEST_SKIP() << "a client with more queues than its server is refused by it";
  destroy();
  create("", 2);
  take();
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(xchg_receive(&taken_->receive_queues[1], packets_.data(), kBurst), 0);
    EXPECT_EQ(xchg_transmit(&taken_->transmit_queues[1], packets_.data(), kBurst), 0);
  }
  forward(0, 500);
}

TEST_P(MemifWithPort, WhatFramesMayNotFitIsRefused) {
  if (GetParam().port != kClient.port) GTEST_SKIP() << "the client says how large buffers are";
  destroy();
  create(",bsize=2049");
  const char* reason = "";
  EXPECT_EQ(xchg_takeover(port_, pool_, &reason), nullptr);
  EXPECT_THAT(reason, HasSubstr("several segments"));
  forward(0, 500);
}

TEST_P(MemifWithPort, AnotherMempoolIsRefused) {
  forward(0, 10);
  const char* reason = "";
  EXPECT_EQ(xchg_takeover(port_, peer_pool_, &reason), nullptr);
  EXPECT_THAT(reason, HasSubstr("another mempool"));
  forward(0, 500);
}

TEST_P(MemifWithPort, FramesOfAnotherMempoolUnderWayAreRefusedWhereBuffersAreExchanged) {
  if (!GetParam().zero_copy) GTEST_SKIP() << "a copy is under way";
  forward(0, 10);
  ASSERT_TRUE(send_mbuf(port_, peer_pool_, frame_of(1)));
  const char* reason = "";
  EXPECT_EQ(xchg_takeover(port_, pool_, &reason), nullptr);
  EXPECT_THAT(reason, HasSubstr("frames of another mempool"));
  EXPECT_THAT(receive_mbufs(peer_), ElementsAre(frame_of(1)));
  forward(0, 500);
}

TEST_P(MemifWithPort, TakeoverWithoutBuffersLeavesThePortAsItWas) {
  if (!GetParam().zero_copy) GTEST_SKIP() << "no ring has buffers of the mempool";
  forward(0, 10);
  std::vector<rte_mbuf*> all;
  while (rte_mbuf* mbuf = rte_pktmbuf_alloc(pool_)) all.push_back(mbuf);
  const char* reason = "";
  EXPECT_EQ(xchg_takeover(port_, pool_, &reason), nullptr);
  EXPECT_THAT(reason, HasSubstr("no buffers"));
  rte_pktmbuf_free_bulk(all.data(), static_cast<unsigned>(all.size()));
  forward(0, 500);
}

TEST_P(MemifWithPort, AStoppedPortIsNotTakenOver) {
  ASSERT_EQ(rte_eth_dev_stop(port_), 0);
  const char* reason = "";
  EXPECT_EQ(xchg_takeover(port_, pool_, &reason), nullptr);
  EXPECT_THAT(reason, HasSubstr("not started"));
  ASSERT_EQ(rte_eth_dev_stop(peer_), 0);
  restart();
  forward(0, 500);
}

}  // namespace
}  // namespace packetmill::testing
