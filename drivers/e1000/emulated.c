/* net_e1000_em_emulated: a DPDK port whose queues em itself has set up, on an emulated 82574. */
#include "drivers/intel/emulated.h"

#include <e1000_api.h>
#include <e1000_ethdev.h>

static void prepare(void* private_data, void* registers) {
  struct e1000_adapter* adapter = private_data;
  adapter->hw.hw_addr = registers;
  adapter->hw.mac.type = e1000_82574;
}

static int configure(struct rte_eth_dev* dev) {
  dev->rx_pkt_burst = eth_em_recv_pkts;
  dev->tx_pkt_burst = eth_em_xmit_pkts;
  dev->tx_pkt_prepare = eth_em_prep_pkts;
  return 0;
}

/* As eth_em_start, without the link. */
static int start(struct rte_eth_dev* dev) {
  struct e1000_hw* hw = E1000_DEV_PRIVATE_TO_HW(dev->data->dev_private);
  eth_em_tx_init(dev);
  const int failed = eth_em_rx_init(dev);
  const uint32_t control = E1000_READ_REG(hw, E1000_CTRL);
  const bool strip = (dev->data->dev_conf.rxmode.offloads & RTE_ETH_RX_OFFLOAD_VLAN_STRIP) != 0;
  E1000_WRITE_REG(hw, E1000_CTRL, strip ? control | E1000_CTRL_VME : control & ~(uint32_t)E1000_CTRL_VME);
  return failed;
}

static const struct intel_emulated_kind kKind = {
    .adapter_size = sizeof(struct e1000_adapter),
    .prepare = prepare,
    .configure = configure,
    .set_up_receive = eth_em_rx_queue_setup,
    .set_up_transmit = eth_em_tx_queue_setup,
    .start = start,
    .clear_queues = em_dev_clear_queues,
    .free_queues = em_dev_free_queues,
    .missed = E1000_MPC,
    .most_queues = 1,
    .receive_offloads = RTE_ETH_RX_OFFLOAD_CHECKSUM | RTE_ETH_RX_OFFLOAD_VLAN_STRIP | RTE_ETH_RX_OFFLOAD_SCATTER |
                        RTE_ETH_RX_OFFLOAD_KEEP_CRC,
    .transmit_offloads = RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_UDP_CKSUM | RTE_ETH_TX_OFFLOAD_TCP_CKSUM |
                         RTE_ETH_TX_OFFLOAD_VLAN_INSERT | RTE_ETH_TX_OFFLOAD_MULTI_SEGS,
};

static int probe(struct rte_vdev_device* vdev) { return intel_emulated_probe(vdev, &kKind); }

static struct rte_vdev_driver driver = {.probe = probe, .remove = intel_emulated_remove};

RTE_PMD_REGISTER_VDEV(net_e1000_em_emulated, driver);
