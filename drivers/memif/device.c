#include "drivers/memif/device.h"

#include <string.h>

/* How many descriptors lie from `next` to where the other end has got. */
static uint16_t waiting(const struct memif_device_queue* queue, uint16_t lead) {
  const uint16_t* theirs = queue->client ? &queue->ring->tail : &queue->ring->head;
  return __atomic_load_n(theirs, __ATOMIC_ACQUIRE) + lead - queue->next;
}

static void tell(struct memif_device_queue* queue, uint16_t lead) {
  uint16_t* ours = queue->client ? &queue->ring->head : &queue->ring->tail;
  __atomic_store_n(ours, (uint16_t)(queue->next + lead), __ATOMIC_RELEASE);
}

static uint16_t size_of(const struct memif_device_queue* queue) { return queue->mask + 1; }

static uint8_t* bytes_of(const struct memif_device_queue* queue, const struct xchg_memif_descriptor* descriptor) {
  return queue->regions[descriptor->region].address + descriptor->offset;
}

struct memif_device_queue memif_device_opposite(const struct xchg_memif_queue* queue, uint32_t room) {
  const bool client = !queue->client;
  struct memif_device_queue device = {
      .ring = queue->ring,
      .descriptors = queue->descriptors,
      .regions = queue->regions,
      .mask = queue->mask,
      .next = client == queue->receives ? queue->ring->head : queue->ring->tail,
      .room = room,
      .client = client,
  };
  if (client && !queue->receives) { /* S2C: frames are taken up to the tail, buffers are ahead of it */
    device.next = queue->ring->tail;
    for (uint32_t i = 0; i <= device.mask; ++i) device.descriptors[i].length = device.room;
    tell(&device, size_of(&device));
  }
  return device;
}

bool memif_device_send(struct memif_device_queue* queue, const void* bytes, uint32_t length, uint16_t flags) {
  struct xchg_memif_descriptor* descriptor = &queue->descriptors[queue->next & queue->mask];
  if (waiting(queue, queue->client ? size_of(queue) : 0) == 0) return false;
  memcpy(bytes_of(queue, descriptor), bytes, length);
  descriptor->length = length;
  descriptor->flags = flags;
  ++queue->next;
  tell(queue, 0);
  return true;
}

unsigned memif_device_receive(struct memif_device_queue* queue, unsigned most, memif_device_wire* wire, void* context) {
  unsigned n = 0;
  for (; n != most && waiting(queue, 0) != 0; ++n) {
    struct xchg_memif_descriptor* descriptor = &queue->descriptors[queue->next & queue->mask];
    wire(context, bytes_of(queue, descriptor), descriptor);
    if (queue->client) descriptor->length = queue->room;
    ++queue->next;
    tell(queue, queue->client ? size_of(queue) : 0);
  }
  return n;
}
