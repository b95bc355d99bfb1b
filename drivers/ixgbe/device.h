/* An emulated 82599: it reads and writes exactly the memory that a real one would, registers, rings and frames, and knows nothing
 * of drivers. Tests stand in for the wire. */
#ifndef PACKETMILL_DRIVERS_IXGBE_DEVICE_H
#define PACKETMILL_DRIVERS_IXGBE_DEVICE_H

#include "drivers/intel/device.h"
#include "drivers/ixgbe/descriptors.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a frame looks like to the NIC, beside its bytes. */
struct ixgbe_device_frame {
  const uint8_t* bytes;
  uint32_t length;
  uint32_t info; /* by which fields the hash was computed, and the packet's type */
  uint32_t hash;
  uint32_t status; /* XCHG_IXGBE_STATUS_*_CHECKED, XCHG_IXGBE_ERROR_* */
};

/* Receives a frame: its bytes go into as many buffers as they need, and each one's descriptor is written back. False, and it is
 * counted, where there are too few. A VLAN tag is noted, and taken out where the queue is set so. */
bool ixgbe_device_receive(struct intel_device* device, unsigned queue, const struct ixgbe_device_frame* frame);

/* Sends at most `most` frames, and writes back the descriptors that are to report. Returns the frames sent. */
unsigned ixgbe_device_transmit(struct intel_device* device, unsigned queue, unsigned most, intel_device_wire* wire,
                               void* context);

#ifdef __cplusplus
}
#endif

#endif
