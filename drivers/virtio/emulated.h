/* net_virtio_emulated: a DPDK port of virtio's own, control path and all, whose device is the one of device.h. For tests.
 *
 *   features=HEX     what the device offers, beside what every one does: an Ethernet address is not among it
 *   size=N           places of each of its rings
 *   vectorized=1     the driver's vector functions, where the features allow them
 *   bus=1            the device has addresses of its own: VIRTIO_DEVICE_BUS is set in those of buffers */
#ifndef PACKETMILL_DRIVERS_VIRTIO_EMULATED_H
#define PACKETMILL_DRIVERS_VIRTIO_EMULATED_H

#include "drivers/virtio/device.h"

#ifdef __cplusplus
extern "C" {
#endif

struct virtio_device_queue* virtio_emulated_receive_device(uint16_t port);
struct virtio_device_queue* virtio_emulated_transmit_device(uint16_t port);

#ifdef __cplusplus
}
#endif

#endif
