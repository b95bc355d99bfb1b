#include "drivers/e1000/device.h"

#include <string.h>

/* Registers (section 13.4). */
enum { CTRL = 0x0000, RCTL = 0x0100, RECEIVE_RING = 0x2800, TRANSMIT_RING = 0x3800, MISSED = 0x4010 };

#define CTRL_VLAN_MODE (UINT32_C(1) << 30)
#define RCTL_SIZE_EXTENSION (UINT32_C(1) << 25)
enum { RCTL_SIZE_SHIFT = 16 };

static volatile struct intel_device_ring* ring_at(const struct intel_device* device, uint32_t first) {
  return (volatile struct intel_device_ring*)(device->registers + first);
}

/* Of a buffer: RCTL.BSIZE and BSEX (section 13.4.22). */
static uint32_t buffer_size(const struct intel_device* device) {
  const uint32_t control = *intel_device_register(device, RCTL);
  return (control & RCTL_SIZE_EXTENSION ? UINT32_C(32768) : UINT32_C(2048)) >> (control >> RCTL_SIZE_SHIFT & 3);
}

bool e1000_device_receive(struct intel_device* device, const struct e1000_device_frame* frame) {
  volatile struct intel_device_ring* ring = ring_at(device, RECEIVE_RING);
  const uint32_t size = buffer_size(device);
  uint8_t bytes[INTEL_DEVICE_MOST_FRAME];
  uint32_t length = frame->length;
  uint64_t end = frame->status | XCHG_INTEL_END_OF_PACKET;
  uint16_t vlan_tci = 0;
  memcpy(bytes, frame->bytes, length);
  if ((*intel_device_register(device, CTRL) & CTRL_VLAN_MODE) && intel_device_vlan_of(bytes, length, &vlan_tci)) {
    end |= XCHG_E1000_STATUS_VLAN;
    length = intel_device_strip_vlan(bytes, length);
  }
  if (!intel_device_has_room(ring, length, size)) {
    *intel_device_register(device, MISSED) += 1;
    return false;
  }
  end = end << XCHG_E1000_STATUS_SHIFT | (uint64_t)frame->errors << XCHG_E1000_ERROR_SHIFT |
        (uint64_t)vlan_tci << XCHG_E1000_VLAN_SHIFT;
  for (uint32_t done = 0; done < length;) {
    struct xchg_intel_descriptor* descriptor = intel_device_next(ring);
    const uint32_t part = RTE_MIN(size, length - done);
    memcpy(intel_device_memory(device, rte_le_to_cpu_64(descriptor->low)), bytes + done, part);
    done += part;
    const uint64_t written = part | (uint64_t)XCHG_INTEL_DONE << XCHG_E1000_STATUS_SHIFT | (done == length ? end : 0);
    rte_atomic_thread_fence(__ATOMIC_RELEASE);
    *(volatile uint64_t*)&descriptor->high = rte_cpu_to_le_64(written);
    intel_device_advance(ring);
  }
  intel_device_count(device, INTEL_DEVICE_RECEIVED, INTEL_DEVICE_BYTES_RECEIVED, frame->length);
  return true;
}

static uint8_t byte_of(struct xchg_intel_descriptor context, unsigned shift) { return (uint8_t)(context.low >> shift); }

/* The frame with what the context and its own descriptor ask for (section 3.5). */
static uint32_t offload(uint8_t* bytes, uint32_t length, struct xchg_intel_descriptor context, uint64_t command) {
  const uint32_t options = (uint32_t)(command >> 32);
  if (options & XCHG_E1000_OPTION_L4_CHECKSUM)
    intel_device_write_checksum(bytes, byte_of(context, XCHG_E1000_L4_START_SHIFT), length,
                                byte_of(context, XCHG_E1000_L4_PLACE_SHIFT));
  if (options & XCHG_E1000_OPTION_IP_CHECKSUM)
    intel_device_write_checksum(bytes, byte_of(context, XCHG_E1000_IP_START_SHIFT),
                                (uint16_t)(context.low >> XCHG_E1000_IP_END_SHIFT) + 1u,
                                byte_of(context, XCHG_E1000_IP_PLACE_SHIFT));
  if (!(command & XCHG_INTEL_INSERT_VLAN)) return length;
  return intel_device_insert_vlan(bytes, length, (uint16_t)(options >> XCHG_E1000_TAG_SHIFT));
}

unsigned e1000_device_transmit(struct intel_device* device, unsigned queue, unsigned most, intel_device_wire* wire,
                               void* argument) {
  static const uint32_t kWhole = XCHG_INTEL_EXTENDED | XCHG_INTEL_INSERT_CHECK_SEQUENCE | XCHG_INTEL_LAST_SEGMENT;
  volatile struct intel_device_ring* ring = ring_at(device, TRANSMIT_RING);
  struct xchg_intel_descriptor* const context = &device->contexts[queue][0];
  uint8_t bytes[INTEL_DEVICE_MOST_FRAME + 4];
  unsigned sent = 0;
  struct xchg_intel_descriptor* descriptor = intel_device_next(ring);
  for (; descriptor != NULL && sent < most; descriptor = intel_device_next(ring)) {
    const uint64_t command = rte_le_to_cpu_64(descriptor->high);
    const uint32_t kind = (uint32_t)command & XCHG_E1000_KIND;
    const uint32_t length = (uint32_t)command & 0xfffff;
    if (kind == 0 && (command & XCHG_INTEL_EXTENDED)) {
      *context = (struct xchg_intel_descriptor){rte_le_to_cpu_64(descriptor->low), command};
    } else if (kind == XCHG_E1000_DATA && (command & kWhole) == kWhole && length <= INTEL_DEVICE_MOST_FRAME) {
      memcpy(bytes, intel_device_memory(device, rte_le_to_cpu_64(descriptor->low)), length);
      const uint32_t whole = offload(bytes, length, *context, command);
      wire(argument, bytes, whole);
      intel_device_count(device, INTEL_DEVICE_SENT, INTEL_DEVICE_BYTES_SENT, whole);
      ++sent;
    } else {
      ++device->wrong;
    }
    if (command & XCHG_INTEL_REPORT_STATUS)
      *(volatile uint64_t*)&descriptor->high = rte_cpu_to_le_64(command | XCHG_INTEL_SENT);
    intel_device_advance(ring);
  }
  return sent;
}
