/* What the parts of net_mlx5_emulated have in common (emulated.h). */
#ifndef PACKETMILL_DRIVERS_MLX5_EMULATED_PORT_H
#define PACKETMILL_DRIVERS_MLX5_EMULATED_PORT_H

#include <ethdev_driver.h>
#include <mlx5.h>
#include <mlx5_rx.h>
#include <mlx5_tx.h>
#include <pcap/pcap.h>
#include <pthread.h>

#include "drivers/mlx5/device.h"

enum { kMostQueues = 16, kMostFrames = 4096, kBurst = 32, kLkey = 7, kLogMost = 12, kHistogram = 1 << 16 };

struct frames {
  struct mlx5_device_frame list[kMostFrames];
  uint32_t count;
};

struct receive_queue {
  struct mlx5_rxq_ctrl* control;
  struct mlx5_rxq_priv owner;
  struct mlx5_device_receive_queue device;
  /* The turn. */
  uint32_t next; /* frame of the trace */
  uint64_t given;
  uint32_t consumed;   /* completions, when a thread that the NIC does not wait for began its burst */
  uint32_t* histogram; /* bursts by cycles */
  uint64_t bursts;
};

struct transmit_queue {
  struct mlx5_txq_ctrl* control;
  struct mlx5_device_transmit_queue device;
};

struct port {
  struct mlx5_priv mlx5; /* first: mlx5's functions find it as dev_private */
  struct rte_eth_dev* dev;
  struct receive_queue receive[kMostQueues];
  struct transmit_queue transmit[kMostQueues];
  struct mlx5_rxq_priv* owners[kMostQueues];
  struct mlx5_txq_data* queues[kMostQueues];
  struct rte_ether_addr address;
  struct frames* frames;
  bool vector;
  bool compressed;
  bool once;
  pcap_dumper_t* sent; /* where frames that were sent go; NULL: nowhere */
  pcap_t* sent_kind;
  uint32_t bad;
  int core; /* -1: none of its own */
  pthread_t thread;
  bool running;
  uint32_t generation; /* of memory registrations; never changes */
  volatile uint64_t doorbell;
};

static inline struct port* port_of(const struct rte_eth_dev* dev) { return dev->data->dev_private; }
static inline struct port* port_numbered(uint16_t number) { return port_of(&rte_eth_devices[number]); }

/* emulated_queues.c: queues as mlx5 would have set them up. */
int mlx5_emulated_set_up_receive(struct rte_eth_dev* dev, uint16_t index, uint16_t descriptors, unsigned socket,
                                 const struct rte_eth_rxconf* configuration, struct rte_mempool* pool);
int mlx5_emulated_set_up_transmit(struct rte_eth_dev* dev, uint16_t index, uint16_t descriptors, unsigned socket,
                                  const struct rte_eth_txconf* configuration);
void mlx5_emulated_free_receive(struct receive_queue* queue, bool vector);
void mlx5_emulated_free_transmit(struct transmit_queue* queue);

/* emulated_wire.c: what comes and goes. */
int mlx5_emulated_read_trace(struct port* port, const char* file);
int mlx5_emulated_open_sent(struct port* port, const char* file);
void mlx5_emulated_close_wire(struct port* port);
int mlx5_emulated_start_alone(struct port* port);
void mlx5_emulated_stop_alone(struct port* port);

#endif
