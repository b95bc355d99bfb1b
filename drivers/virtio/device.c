#include "drivers/virtio/device.h"

#include <rte_atomic.h>
#include <string.h>

enum { MOST_AT_ONCE = 1024 };

/* One descriptor, as the driver had it before the device used it. */
struct buffer {
  uint8_t* bytes;
  uint32_t length;
  uint16_t flags;
  uint16_t next;
};

/* What is used together: split rings name the descriptor that a chain begins with, packed ones its id. */
struct done {
  uint16_t id;
  uint32_t written;
};

static uint8_t* at(uint64_t address) { return (uint8_t*)(uintptr_t)(address & ~VIRTIO_DEVICE_BUS); }

static struct buffer split_buffer(const struct xchg_virtio_descriptor* d) {
  return (struct buffer){at(d->address), d->length, d->flags, d->next};
}
static struct buffer packed_buffer(const struct xchg_virtio_packed* d) {
  return (struct buffer){at(d->address), d->length, d->flags, 0};
}

/* Takes what the driver has made available next; false where there is nothing. */
static bool take(struct virtio_device_queue* queue, struct buffer* buffer, uint16_t* id) {
  if (!queue->packed) {
    const uint16_t end = queue->available->index;
    rte_atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (queue->next_available == end) return false;
    *id = queue->available_ring[queue->next_available++ & (queue->size - 1)];
    *buffer = split_buffer(&queue->table[*id]);
    return true;
  }
  const struct xchg_virtio_packed* place = &queue->packed_ring[queue->next_available];
  const uint16_t flags = *(const volatile uint16_t*)&place->flags;
  const uint16_t wanted = queue->available_round ? XCHG_VIRTIO_AVAILABLE : XCHG_VIRTIO_USED;
  if ((flags & XCHG_VIRTIO_ROUND) != wanted) return false;
  rte_atomic_thread_fence(__ATOMIC_ACQUIRE);
  *buffer = packed_buffer(place);
  *id = place->id;
  if (++queue->next_available == queue->size) {
    queue->next_available = 0;
    queue->available_round = !queue->available_round;
  }
  return true;
}

/* Uses `count` of them; the driver sees all at once. With `batch` (in order only) there is one entry, the last one's. */
static void use(struct virtio_device_queue* queue, const struct done* done, unsigned count, bool batch) {
  if (count == 0) return;
  if (!queue->packed) {
    for (unsigned i = 0; i < (batch ? 1 : count); ++i) {
      const struct done* this = batch ? &done[count - 1] : &done[i];
      queue->used_ring[(uint16_t)(queue->next_used + i) & (queue->size - 1)] =
          (struct xchg_virtio_used){this->id, this->written};
    }
    queue->next_used += (uint16_t)count;
    rte_atomic_thread_fence(__ATOMIC_RELEASE);
    queue->used->index = queue->next_used;
    return;
  }
  struct xchg_virtio_packed* first = &queue->packed_ring[queue->next_used];
  const uint16_t first_flags = queue->used_round ? XCHG_VIRTIO_ROUND : 0;
  for (unsigned i = 0; i < count; ++i) {
    struct xchg_virtio_packed* place = &queue->packed_ring[queue->next_used];
    if (!batch || i == 0) {
      const struct done* this = batch ? &done[count - 1] : &done[i];
      place->id = this->id;
      place->length = this->written;
      if (i != 0) place->flags = queue->used_round ? XCHG_VIRTIO_ROUND : 0;
    }
    if (++queue->next_used == queue->size) {
      queue->next_used = 0;
      queue->used_round = !queue->used_round;
    }
  }
  rte_atomic_thread_fence(__ATOMIC_RELEASE);
  *(volatile uint16_t*)&first->flags = first_flags;
}

/* Writes header and frame into one buffer after the other; 0 where there are too few, and then none is used. */
static unsigned write_frame(struct virtio_device_queue* queue, const struct virtio_device_frame* frame,
                            struct done* done, unsigned most) {
  const struct virtio_device_queue before = *queue;
  struct xchg_virtio_header* header = NULL;
  uint32_t written = 0;
  unsigned count = 0;
  while (count == 0 || written < frame->length) {
    struct buffer buffer;
    if (count == most || !take(queue, &buffer, &done[count].id)) {
      *queue = before;
      ++queue->no_buffer;
      return 0;
    }
    if (buffer.flags & XCHG_VIRTIO_NEXT || !(buffer.flags & XCHG_VIRTIO_WRITE)) ++queue->wrong;
    uint32_t skipped = 0;
    if (count == 0) {
      header = (struct xchg_virtio_header*)buffer.bytes;
      skipped = queue->header_size;
    }
    if (buffer.length < skipped) ++queue->wrong;
    const uint32_t left = frame->length - written;
    const uint32_t room = buffer.length < skipped ? 0 : buffer.length - skipped;
    const uint32_t here = left < room ? left : room;
    memcpy(buffer.bytes + skipped, frame->bytes + written, here);
    written += here;
    done[count++].written = skipped + here;
  }
  const struct xchg_virtio_header filled = {.flags = frame->flags,
                                            .checksum_start = frame->checksum_start,
                                            .checksum_offset = frame->checksum_offset,
                                            .buffers = (uint16_t)count};
  memcpy(header, &filled, queue->header_size);
  ++queue->frames;
  return count;
}

bool virtio_device_receive(struct virtio_device_queue* queue, const struct virtio_device_frame* frame) {
  struct done done[8];
  const unsigned count = write_frame(queue, frame, done, 8);
  use(queue, done, count, false);
  return count != 0;
}

bool virtio_device_receive_crossed(struct virtio_device_queue* queue, const struct virtio_device_frame frames[2]) {
  struct done done[2];
  if (write_frame(queue, &frames[0], &done[1], 1) == 0 || write_frame(queue, &frames[1], &done[0], 1) == 0)
    return false;
  use(queue, done, 2, false);
  return true;
}

bool virtio_device_receive_runt(struct virtio_device_queue* queue) {
  struct buffer buffer;
  struct done done = {0, 1};
  if (!take(queue, &buffer, &done.id)) return false;
  use(queue, &done, 1, false);
  return true;
}

/* The two descriptors of an indirect table, behind each other as they are in rings of either kind. */
static bool read_table(const struct virtio_device_queue* queue, const struct buffer* table, struct buffer parts[2]) {
  if (table->length != 2 * sizeof(struct xchg_virtio_packed)) return false;
  for (unsigned i = 0; i < 2; ++i)
    parts[i] = queue->packed ? packed_buffer((const struct xchg_virtio_packed*)table->bytes + i)
                             : split_buffer((const struct xchg_virtio_descriptor*)table->bytes + i);
  return queue->packed || (parts[0].flags == XCHG_VIRTIO_NEXT && parts[0].next == 1 && parts[1].flags == 0);
}

/* Header and frame in one descriptor, in a table, or, as the driver has it in split rings only, in a chain of two. */
static bool read_frame(const struct virtio_device_queue* queue, const struct buffer* buffer,
                       struct virtio_device_sent* sent) {
  struct buffer parts[2] = {*buffer, {0}};
  memset(&sent->header, 0, sizeof sent->header);
  sent->apart = (buffer->flags & (XCHG_VIRTIO_INDIRECT | XCHG_VIRTIO_NEXT)) != 0;
  if (buffer->flags & XCHG_VIRTIO_INDIRECT) {
    if (!read_table(queue, buffer, parts)) return false;
  } else if (buffer->flags & XCHG_VIRTIO_NEXT) {
    if (queue->packed) return false;
    parts[1] = split_buffer(&queue->table[buffer->next]);
  } else {
    parts[0].length = queue->header_size;
    parts[1] = (struct buffer){buffer->bytes + queue->header_size, buffer->length - queue->header_size, 0, 0};
  }
  if (parts[0].length != queue->header_size || (parts[0].flags | parts[1].flags) & XCHG_VIRTIO_WRITE) return false;
  memcpy(&sent->header, parts[0].bytes, queue->header_size);
  sent->bytes = parts[1].bytes;
  sent->length = parts[1].length;
  return true;
}

unsigned virtio_device_transmit(struct virtio_device_queue* queue, unsigned most, virtio_device_wire* wire,
                                void* context) {
  struct done done[MOST_AT_ONCE];
  struct buffer buffer;
  unsigned count = 0;
  uint16_t id;
  while (count < most && count < MOST_AT_ONCE && take(queue, &buffer, &id)) {
    struct virtio_device_sent sent;
    if (read_frame(queue, &buffer, &sent))
      wire(context, &sent);
    else
      ++queue->wrong;
    done[count++] = (struct done){id, 0};
  }
  for (unsigned i = 0; !queue->in_order && i < count / 2; ++i) {
    const struct done other = done[i];
    done[i] = done[count - 1 - i];
    done[count - 1 - i] = other;
  }
  use(queue, done, count, queue->in_order);
  queue->frames += count;
  return count;
}

void virtio_device_want_kicks(struct virtio_device_queue* queue, bool wants) {
  if (queue->packed)
    queue->event->flags = wants ? 0 : XCHG_VIRTIO_EVENTS_OFF;
  else
    queue->used->flags = wants ? 0 : XCHG_VIRTIO_NO_NOTIFY;
}
