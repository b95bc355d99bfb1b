/* The half of a NIC of Intel's that the emulated 82599 and 82574 have in common: registers in plain memory, rings that are
 * found by them, and counters. */
#ifndef PACKETMILL_DRIVERS_INTEL_DEVICE_H
#define PACKETMILL_DRIVERS_INTEL_DEVICE_H

#include "drivers/intel/ring.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { INTEL_DEVICE_REGISTERS_SIZE = 128 << 10, INTEL_DEVICE_MOST_QUEUES = 4, INTEL_DEVICE_MOST_FRAME = 16 << 10 };

/* A ring's registers ("82599 datasheet", sections 8.2.3.8 and 8.2.3.9; "8254x manual", sections 13.4.25 and 13.4.37). */
struct intel_device_ring {
  uint32_t base_low;
  uint32_t base_high;
  uint32_t length; /* in bytes */
  uint32_t reserved0;
  uint32_t head;
  uint32_t reserved1;
  uint32_t tail;
};

/* Counters, at the same places in both (82599: section 8.2.3.23; 8254x: section 13.7), but for the missed frames. */
enum {
  INTEL_DEVICE_RECEIVED = 0x4074,
  INTEL_DEVICE_SENT = 0x4080,
  INTEL_DEVICE_BYTES_RECEIVED = 0x4088,
  INTEL_DEVICE_BYTES_SENT = 0x4090
};

struct intel_device {
  uint8_t* registers;
  uint64_t iova; /* what is added to a frame's address for the NIC to read it */
  struct xchg_intel_descriptor contexts[INTEL_DEVICE_MOST_QUEUES][2]; /* of each transmit queue */
  uint64_t wrong; /* transmit descriptors that it could not make sense of */
};

volatile uint32_t* intel_device_register(const struct intel_device* device, uint32_t offset);
void intel_device_count(struct intel_device* device, uint32_t counter, uint32_t bytes_counter, uint32_t bytes);
void* intel_device_memory(const struct intel_device* device, uint64_t iova);

/* The descriptor at the head, or null where software has given none; and on to the next. */
struct xchg_intel_descriptor* intel_device_next(const volatile struct intel_device_ring* ring);
void intel_device_advance(volatile struct intel_device_ring* ring);

/* As many descriptors as a frame of this length needs of such buffers are free. */
bool intel_device_has_room(const volatile struct intel_device_ring* ring, uint32_t length, uint32_t buffer_size);

/* What becomes of a frame that the driver had sent: with the checksums and the tag that the NIC was asked to insert. */
typedef void intel_device_wire(void* context, const uint8_t* bytes, uint32_t length);

/* Takes the tag out of a frame that has one: its length afterwards. */
uint32_t intel_device_strip_vlan(uint8_t* bytes, uint32_t length);
/* A checksum over bytes[start..end), which is put at `place`. */
void intel_device_write_checksum(uint8_t* bytes, uint32_t start, uint32_t end, uint32_t place);
/* Puts a tag behind the addresses, for which there must be four bytes more: the length afterwards. */
uint32_t intel_device_insert_vlan(uint8_t* bytes, uint32_t length, uint16_t vlan_tci);
/* The tag of a frame; false where it has none. */
bool intel_device_vlan_of(const uint8_t* bytes, uint32_t length, uint16_t* vlan_tci);

#ifdef __cplusplus
}
#endif

#endif
