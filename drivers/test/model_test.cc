#define XCHG_LINKED

#include "drivers/test/model.h"

#include <gtest/gtest.h>
#include <rte_bus_vdev.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>

#include <array>
#include <cstring>

#include "drivers/mlx5/emulated.h"
#include "drivers/port.h"
#include "ports/dpdk/eal.h"

// One object file, this one, is linked with one metadata model and with another: neither it nor DPDK is compiled again.
namespace packetmill::testing {
namespace {

constexpr unsigned kBuffers = 1023;
constexpr unsigned kBurst = 32;

TEST(Model, ForwardsFramesWhateverItsPacketsAre) {
  ASSERT_EQ(dpdk::start_eal({}), std::nullopt);
  rte_mempool* pool = rte_pktmbuf_pool_create("model", kBuffers, 32, 0, RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY);
  ASSERT_NE(pool, nullptr);
  ASSERT_EQ(rte_vdev_init("net_mlx5_emulated0", nullptr), 0);
  std::uint16_t port = 0;
  ASSERT_EQ(rte_eth_dev_get_port_by_name("net_mlx5_emulated0", &port), 0);
  const rte_eth_conf configuration{};
  ASSERT_EQ(rte_eth_dev_configure(port, 1, 1, &configuration), 0);
  ASSERT_EQ(rte_eth_rx_queue_setup(port, 0, 128, SOCKET_ID_ANY, nullptr, pool), 0);
  ASSERT_EQ(rte_eth_tx_queue_setup(port, 0, 128, SOCKET_ID_ANY, nullptr), 0);
  ASSERT_EQ(rte_eth_dev_start(port), 0);
  const char* reason = "";
  xchg_port* taken = xchg_takeover(port, pool, &reason);
  ASSERT_NE(taken, nullptr) << reason;
  std::array<xchg*, kBurst> packets{};
  for (xchg*& packet : packets) packet = model_new_packet(pool);

  std::uint32_t sent = 0;
  for (std::uint32_t number = 0; number < 1000; ++number) {
    std::array<std::uint8_t, 60> bytes{};
    std::memcpy(bytes.data(), &number, sizeof number);
    mlx5_device_frame frame{};
    frame.bytes = bytes.data();
    frame.length = bytes.size();
    ASSERT_TRUE(mlx5_device_receive(mlx5_emulated_receive_device(port, 0), &frame));
    ASSERT_EQ(xchg_receive(&taken->receive_queues[0], packets.data(), kBurst), 1);
    ASSERT_EQ(xchg_transmit(&taken->transmit_queues[0], packets.data(), 1), 1);
    mlx5_device_transmit(
        mlx5_emulated_transmit_device(port, 0), 1,
        [](void* context, const mlx5_device_sent* out) {
          auto& count = *static_cast<std::uint32_t*>(context);
          EXPECT_EQ(out->length, 60U);
          EXPECT_EQ(std::memcmp(out->bytes, &count, sizeof count), 0);
          ++count;
        },
        &sent);
  }
  EXPECT_EQ(sent, 1000U);
  const std::string program = ::testing::internal::GetArgvs()[0];
  EXPECT_EQ(model_size(), program.ends_with("small_model_test") ? 16U : sizeof(rte_mbuf));

  for (xchg* packet : packets) model_free_packet(packet);
  xchg_release(taken);
  ASSERT_EQ(rte_eth_dev_stop(port), 0);
  ASSERT_EQ(rte_eth_dev_close(port), 0);
  ASSERT_EQ(rte_vdev_uninit("net_mlx5_emulated0"), 0);
  EXPECT_EQ(rte_mempool_avail_count(pool), kBuffers);
  rte_mempool_free(pool);
}

}  // namespace
}  // namespace packetmill::testing
