/* The transport between virtio's driver and a device in memory: what virtio_pci.c has over PCI, and virtio_user_ethdev.c over
 * a socket. */
#include "drivers/virtio/emulated.h"

#include <errno.h>
#include <ethdev_vdev.h>
#include <rte_bus_vdev.h>
#include <rte_kvargs.h>
#include <stdlib.h>
#include <string.h>
#include <virtio.h>
#include <virtio_ethdev.h>
#include <virtqueue.h>

struct port {
  struct virtio_hw hw; /* the driver finds it at the beginning */
  uint64_t features;
  uint16_t size;
  uint8_t status;
  struct virtio_device_queue queues[2];
};

static struct port* port_of(struct virtio_hw* hw) { return (struct port*)hw; }

static void read_configuration(struct virtio_hw* hw, size_t offset, void* to, int length) {
  (void)hw;
  (void)offset;
  memset(to, 0, (size_t)length);
}
static void write_configuration(struct virtio_hw* hw, size_t offset, const void* from, int length) {
  (void)hw;
  (void)offset;
  (void)from;
  (void)length;
}
static uint8_t get_status(struct virtio_hw* hw) { return port_of(hw)->status; }
static void set_status(struct virtio_hw* hw, uint8_t status) { port_of(hw)->status = status; }
static uint64_t get_features(struct virtio_hw* hw) { return port_of(hw)->features; }
static void set_features(struct virtio_hw* hw, uint64_t features) {
  (void)hw;
  (void)features;
}
static int features_ok(struct virtio_hw* hw) {
  (void)hw;
  return 0;
}
static uint16_t get_queue_size(struct virtio_hw* hw, uint16_t queue) {
  (void)queue;
  return port_of(hw)->size;
}

/* The device is told where the ring is: from here on it is on its own. */
static int set_up_queue(struct virtio_hw* hw, struct virtqueue* vq) {
  struct virtio_device_queue* queue = &port_of(hw)->queues[vq->vq_queue_index];
  *queue = (struct virtio_device_queue){.size = vq->vq_nentries,
                                        .header_size = (uint8_t)hw->vtnet_hdr_size,
                                        .packed = virtio_with_packed_queue(hw),
                                        .in_order = virtio_with_feature(hw, VIRTIO_F_IN_ORDER),
                                        .available_round = true,
                                        .used_round = true};
  if (queue->packed) {
    queue->packed_ring = (struct xchg_virtio_packed*)vq->vq_packed.ring.desc;
    queue->event = (volatile struct xchg_virtio_event*)vq->vq_packed.ring.device;
    return 0;
  }
  const struct vring* ring = &vq->vq_split.ring;
  queue->table = (const struct xchg_virtio_descriptor*)ring->desc;
  queue->available = (const volatile struct xchg_virtio_head*)ring->avail;
  queue->available_ring = ring->avail->ring;
  queue->used = (volatile struct xchg_virtio_head*)ring->used;
  queue->used_ring = (struct xchg_virtio_used*)ring->used->ring;
  return 0;
}
static void notify_queue(struct virtio_hw* hw, struct virtqueue* vq) {
  ++port_of(hw)->queues[vq->vq_queue_index].kicks;
}
static int close_device(struct virtio_hw* hw) {
  (void)hw;
  return 0;
}

static const struct virtio_ops kTransport = {
    .read_dev_cfg = read_configuration,
    .write_dev_cfg = write_configuration,
    .get_status = get_status,
    .set_status = set_status,
    .get_features = get_features,
    .set_features = set_features,
    .features_ok = features_ok,
    .get_queue_num = get_queue_size,
    .setup_queue = set_up_queue,
    .notify_queue = notify_queue,
    .dev_close = close_device,
};

static int read_number(const char* key, const char* value, void* out) {
  (void)key;
  *(uint64_t*)out = strtoull(value, NULL, 0);
  return 0;
}

static int probe(struct rte_vdev_device* vdev) {
  uint64_t features = 0;
  uint64_t size = 128;
  uint64_t bus = 0;
  struct rte_kvargs* arguments = rte_kvargs_parse(rte_vdev_device_args(vdev), NULL);
  if (arguments == NULL) return -EINVAL;
  (void)rte_kvargs_process(arguments, "features", read_number, &features);
  (void)rte_kvargs_process(arguments, "size", read_number, &size);
  (void)rte_kvargs_process(arguments, "bus", read_number, &bus);
  rte_kvargs_free(arguments);
  struct rte_eth_dev* dev = rte_eth_vdev_allocate(vdev, sizeof(struct port));
  if (dev == NULL) return -ENOMEM;
  struct port* port = dev->data->dev_private;
  port->features = features;
  port->size = (uint16_t)size;
  port->hw.port_id = dev->data->port_id;
  port->hw.use_va = bus == 0;
  VIRTIO_OPS(&port->hw) = &kTransport;
  const int failed = eth_virtio_dev_init(dev);
  if (failed != 0)
    rte_eth_dev_release_port(dev);
  else
    rte_eth_dev_probing_finish(dev);
  return failed;
}

static int take_away(struct rte_vdev_device* vdev) {
  const struct rte_eth_dev* dev = rte_eth_dev_allocated(rte_vdev_device_name(vdev));
  return dev == NULL ? 0 : rte_eth_dev_close(dev->data->port_id);
}

static struct rte_vdev_driver driver = {.probe = probe, .remove = take_away};

RTE_PMD_REGISTER_VDEV(net_virtio_emulated, driver);

static struct port* port_numbered(uint16_t number) { return rte_eth_devices[number].data->dev_private; }
struct virtio_device_queue* virtio_emulated_receive_device(uint16_t number) {
  return &port_numbered(number)->queues[VTNET_SQ_RQ_QUEUE_IDX];
}
struct virtio_device_queue* virtio_emulated_transmit_device(uint16_t number) {
  return &port_numbered(number)->queues[VTNET_SQ_TQ_QUEUE_IDX];
}
