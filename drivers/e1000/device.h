/* An emulated 82574: it reads and writes exactly the memory that a real one would, registers, rings and frames, and knows nothing
 * of drivers. Tests stand in for the wire. */
#ifndef PACKETMILL_DRIVERS_E1000_DEVICE_H
#define PACKETMILL_DRIVERS_E1000_DEVICE_H

#include "drivers/e1000/descriptors.h"
#include "drivers/intel/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a frame looks like to the NIC, beside its bytes. */
struct e1000_device_frame {
  const uint8_t* bytes;
  uint32_t length;
  uint8_t status; /* XCHG_E1000_STATUS_*_CHECKED */
  uint8_t errors; /* XCHG_E1000_ERROR_* */
};

/* Receives a frame: its bytes go into as many buffers as they need, and each one's descriptor is written back. False, and it is
 * counted, where there are too few. A VLAN tag is taken out where the NIC is set so. */
bool e1000_device_receive(struct intel_device* device, const struct e1000_device_frame* frame);

/* Sends at most `most` frames, and writes back the descriptors that are to report. Returns the frames sent. */
unsigned e1000_device_transmit(struct intel_device* device, unsigned queue, unsigned most, intel_device_wire* wire,
                               void* context);

#ifdef __cplusplus
}
#endif

#endif
