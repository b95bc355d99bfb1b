/* net_ixgbe_emulated: a DPDK port whose queues ixgbe itself has set up, on an emulated 82599. */
#include "drivers/intel/emulated.h"

#include <ixgbe_ethdev.h>
#include <ixgbe_rxtx.h>

static void prepare(void* private_data, void* registers) {
  struct ixgbe_adapter* adapter = private_data;
  adapter->hw.hw_addr = registers;
  adapter->hw.mac.type = ixgbe_mac_82599EB;
}

/* As ixgbe_dev_configure: setting up the queues finds out what is not allowed. */
static int configure(struct rte_eth_dev* dev) {
  struct ixgbe_adapter* adapter = dev->data->dev_private;
  adapter->rx_bulk_alloc_allowed = true;
  adapter->rx_vec_allowed = true;
  return 0;
}

/* As ixgbe_dev_start, without the link. */
static int start(struct rte_eth_dev* dev) {
  ixgbe_dev_tx_init(dev);
  int failed = ixgbe_dev_rx_init(dev);
  for (uint16_t i = 0; failed == 0 && i < dev->data->nb_tx_queues; ++i) failed = ixgbe_dev_tx_queue_start(dev, i);
  for (uint16_t i = 0; failed == 0 && i < dev->data->nb_rx_queues; ++i) failed = ixgbe_dev_rx_queue_start(dev, i);
  if (failed == 0) ixgbe_vlan_hw_strip_config(dev);
  return failed;
}

static const struct intel_emulated_kind kKind = {
    .adapter_size = sizeof(struct ixgbe_adapter),
    .prepare = prepare,
    .configure = configure,
    .set_up_receive = ixgbe_dev_rx_queue_setup,
    .set_up_transmit = ixgbe_dev_tx_queue_setup,
    .start = start,
    .clear_queues = ixgbe_dev_clear_queues,
    .free_queues = ixgbe_dev_free_queues,
    .missed = IXGBE_MPC(0),
    .most_queues = INTEL_DEVICE_MOST_QUEUES,
    .receive_offloads = RTE_ETH_RX_OFFLOAD_CHECKSUM | RTE_ETH_RX_OFFLOAD_VLAN_STRIP | RTE_ETH_RX_OFFLOAD_RSS_HASH |
                        RTE_ETH_RX_OFFLOAD_SCATTER | RTE_ETH_RX_OFFLOAD_KEEP_CRC,
    .transmit_offloads = RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_UDP_CKSUM | RTE_ETH_TX_OFFLOAD_TCP_CKSUM |
                         RTE_ETH_TX_OFFLOAD_VLAN_INSERT | RTE_ETH_TX_OFFLOAD_TCP_TSO | RTE_ETH_TX_OFFLOAD_MULTI_SEGS,
};

static int probe(struct rte_vdev_device* vdev) { return intel_emulated_probe(vdev, &kKind); }

static struct rte_vdev_driver driver = {.probe = probe, .remove = intel_emulated_remove};

RTE_PMD_REGISTER_VDEV(net_ixgbe_emulated, driver);
