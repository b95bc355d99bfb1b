#include "drivers/ixgbe/device.h"

#include <string.h>

/* Registers (section 8.2.3). Those of a queue are 0x40 apart. */
enum { RECEIVE_RING = 0x1000, TRANSMIT_RING = 0x6000, RXDCTL = 0x1028, QUEUE = 0x40, SRRCTL = 0x2100, MISSED = 0x3fa0 };

#define STRIP_VLAN (UINT32_C(1) << 30) /* RXDCTL.VME */
enum { MAC_LENGTH_MASK = 0x7f, IP_LENGTH_MASK = 0x1ff, INDEX_SHIFT = 4 };

static volatile struct intel_device_ring* ring_at(const struct intel_device* device, uint32_t first, unsigned queue) {
  return (volatile struct intel_device_ring*)(device->registers + first + (size_t)queue * QUEUE);
}

bool ixgbe_device_receive(struct intel_device* device, unsigned queue, const struct ixgbe_device_frame* frame) {
  volatile struct intel_device_ring* ring = ring_at(device, RECEIVE_RING, queue);
  /* BSIZEPACKET, in KB (section 8.2.3.8.7). */
  const uint32_t size = (*intel_device_register(device, SRRCTL + 4 * queue) & 0x1f) << 10;
  uint8_t bytes[INTEL_DEVICE_MOST_FRAME];
  uint32_t length = frame->length;
  uint32_t status = frame->status;
  uint16_t vlan_tci = 0;
  memcpy(bytes, frame->bytes, length);
  if (intel_device_vlan_of(bytes, length, &vlan_tci)) {
    status |= XCHG_IXGBE_STATUS_VLAN;
    if (*intel_device_register(device, RXDCTL + QUEUE * queue) & STRIP_VLAN)
      length = intel_device_strip_vlan(bytes, length);
  }
  if (!intel_device_has_room(ring, length, size)) {
    *intel_device_register(device, MISSED) += 1;
    return false;
  }
  for (uint32_t done = 0; done < length;) {
    struct xchg_intel_descriptor* descriptor = intel_device_next(ring);
    const uint32_t part = RTE_MIN(size, length - done);
    memcpy(intel_device_memory(device, rte_le_to_cpu_64(descriptor->low)), bytes + done, part);
    done += part;
    /* Only the last one says more than that it is used (section 7.1.6.2). */
    const bool last = done == length;
    const uint32_t written = XCHG_INTEL_DONE | (last ? XCHG_INTEL_END_OF_PACKET | status : 0);
    descriptor->low = last ? rte_cpu_to_le_64((uint64_t)frame->hash << 32 | frame->info) : 0;
    rte_atomic_thread_fence(__ATOMIC_RELEASE);
    *(volatile uint64_t*)&descriptor->high =
        rte_cpu_to_le_64((uint64_t)vlan_tci << 48 | (uint64_t)part << 32 | written);
    intel_device_advance(ring);
  }
  intel_device_count(device, INTEL_DEVICE_RECEIVED, INTEL_DEVICE_BYTES_RECEIVED, frame->length);
  return true;
}

/* The frame with what the context and its own descriptor ask for (section 7.2.5). */
static uint32_t offload(uint8_t* bytes, uint32_t length, struct xchg_intel_descriptor context, uint64_t command) {
  const uint32_t options = (uint32_t)(command >> 32);
  const uint32_t ip = (uint32_t)(context.low >> XCHG_IXGBE_MAC_LENGTH_SHIFT) & MAC_LENGTH_MASK;
  const uint32_t l4 = ip + ((uint32_t)context.low & IP_LENGTH_MASK);
  const uint64_t protocol = context.high & XCHG_IXGBE_PROTOCOL_NONE;
  if (options & XCHG_IXGBE_OPTION_L4_CHECKSUM)
    intel_device_write_checksum(bytes, l4, length, l4 + (protocol == XCHG_IXGBE_PROTOCOL_TCP ? 16 : 6));
  if ((options & XCHG_IXGBE_OPTION_IP_CHECKSUM) && (context.high & XCHG_IXGBE_PROTOCOL_IPV4))
    intel_device_write_checksum(bytes, ip, l4, ip + 10);
  if (!(command & XCHG_INTEL_INSERT_VLAN)) return length;
  return intel_device_insert_vlan(bytes, length, (uint16_t)(context.low >> XCHG_IXGBE_VLAN_SHIFT));
}

unsigned ixgbe_device_transmit(struct intel_device* device, unsigned queue, unsigned most, intel_device_wire* wire,
                               void* argument) {
  static const uint32_t kWhole = XCHG_INTEL_EXTENDED | XCHG_INTEL_INSERT_CHECK_SEQUENCE | XCHG_INTEL_LAST_SEGMENT;
  volatile struct intel_device_ring* ring = ring_at(device, TRANSMIT_RING, queue);
  uint8_t bytes[INTEL_DEVICE_MOST_FRAME + 4];
  unsigned sent = 0;
  struct xchg_intel_descriptor* descriptor = intel_device_next(ring);
  for (; descriptor != NULL && sent < most; descriptor = intel_device_next(ring)) {
    const uint64_t command = rte_le_to_cpu_64(descriptor->high);
    const uint32_t kind = (uint32_t)command & XCHG_IXGBE_KIND;
    const uint32_t length = (uint16_t)command;
    /* Which of the two contexts is in the same place of either descriptor. */
    struct xchg_intel_descriptor* context = &device->contexts[queue][command >> (32 + INDEX_SHIFT) & 1];
    if (kind == XCHG_IXGBE_CONTEXT && (command & XCHG_INTEL_EXTENDED)) {
      *context = (struct xchg_intel_descriptor){rte_le_to_cpu_64(descriptor->low), command};
    } else if (kind == XCHG_IXGBE_DATA && (command & kWhole) == kWhole && length <= INTEL_DEVICE_MOST_FRAME &&
               command >> (32 + XCHG_IXGBE_PAYLOAD_SHIFT) == length) {
      memcpy(bytes, intel_device_memory(device, rte_le_to_cpu_64(descriptor->low)), length);
      const uint32_t whole = offload(bytes, length, *context, command);
      wire(argument, bytes, whole);
      intel_device_count(device, INTEL_DEVICE_SENT, INTEL_DEVICE_BYTES_SENT, whole);
      ++sent;
    } else {
      ++device->wrong;
    }
    /* A write-back leaves nothing of what was there (section 7.2.3.5). */
    if (kind == XCHG_IXGBE_DATA && (command & XCHG_INTEL_REPORT_STATUS)) {
      descriptor->low = 0;
      *(volatile uint64_t*)&descriptor->high = rte_cpu_to_le_64(XCHG_INTEL_SENT);
    }
    intel_device_advance(ring);
  }
  return sent;
}
