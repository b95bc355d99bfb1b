#include "drivers/intel/device.h"

#include <string.h>

volatile uint32_t* intel_device_register(const struct intel_device* device, uint32_t offset) {
  return (volatile uint32_t*)(device->registers + offset);
}

void intel_device_count(struct intel_device* device, uint32_t counter, uint32_t bytes_counter, uint32_t bytes) {
  *intel_device_register(device, counter) += 1;
  *intel_device_register(device, bytes_counter) += bytes;
}

void* intel_device_memory(const struct intel_device* device, uint64_t iova) {
  return (void*)(uintptr_t)(iova - device->iova);
}

static uint32_t count_of(const volatile struct intel_device_ring* ring) {
  return ring->length / (uint32_t)sizeof(struct xchg_intel_descriptor);
}

struct xchg_intel_descriptor* intel_device_next(const volatile struct intel_device_ring* ring) {
  if (ring->head == ring->tail) return NULL;
  rte_atomic_thread_fence(__ATOMIC_ACQUIRE);
  struct xchg_intel_descriptor* descriptors = (void*)(uintptr_t)((uint64_t)ring->base_high << 32 | ring->base_low);
  return &descriptors[ring->head];
}

void intel_device_advance(volatile struct intel_device_ring* ring) {
  const uint32_t next = ring->head + 1;
  ring->head = next == count_of(ring) ? 0 : next;
}

bool intel_device_has_room(const volatile struct intel_device_ring* ring, uint32_t length, uint32_t buffer_size) {
  const uint32_t free = ring->tail >= ring->head ? ring->tail - ring->head : ring->tail + count_of(ring) - ring->head;
  return (length + buffer_size - 1) / buffer_size <= free;
}

void intel_device_write_checksum(uint8_t* bytes, uint32_t start, uint32_t end, uint32_t place) {
  uint32_t sum = 0;
  for (uint32_t i = start; i < end; ++i) sum += (uint32_t)bytes[i] << ((i - start) & 1 ? 0 : 8);
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  sum = ~sum;
  bytes[place] = (uint8_t)(sum >> 8);
  bytes[place + 1] = (uint8_t)sum;
}

bool intel_device_vlan_of(const uint8_t* bytes, uint32_t length, uint16_t* vlan_tci) {
  if (length < 18 || bytes[12] != 0x81 || bytes[13] != 0x00) return false;
  *vlan_tci = (uint16_t)(bytes[14] << 8 | bytes[15]);
  return true;
}

uint32_t intel_device_strip_vlan(uint8_t* bytes, uint32_t length) {
  memmove(bytes + 12, bytes + 16, length - 16);
  return length - 4;
}

uint32_t intel_device_insert_vlan(uint8_t* bytes, uint32_t length, uint16_t vlan_tci) {
  const uint8_t tag[] = {0x81, 0x00, (uint8_t)(vlan_tci >> 8), (uint8_t)vlan_tci};
  memmove(bytes + 16, bytes + 12, length - 12);
  memcpy(bytes + 12, tag, sizeof tag);
  return length + 4;
}
