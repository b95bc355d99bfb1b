#include "ports/dpdk/conversion.h"

struct xchg {
  struct converted_frame is;
};

static inline void* xchg_get_buffer(const struct xchg* packet) { return packet->is.buffer; }
static inline void xchg_set_buffer(struct xchg* packet, void* buffer) { packet->is.buffer = buffer; }
static inline const void* xchg_get_frame(const struct xchg* packet) { return packet->is.frame; }
static inline uint32_t xchg_get_length(const struct xchg* packet) { return packet->is.length; }
static inline void xchg_set_length(struct xchg* packet, uint32_t length) { packet->is.length = length; }
static inline void xchg_set_flags(struct xchg* packet, uint64_t flags) { packet->is.flags = flags; }
static inline void xchg_set_rss_hash(struct xchg* packet, uint32_t hash) { packet->is.hash = hash; }
#define xchg_get_frame xchg_get_frame
#define xchg_set_flags xchg_set_flags
#define xchg_set_rss_hash xchg_set_rss_hash

#include "drivers/port.h"

static unsigned point_at(struct converted_frame* frames, unsigned n, struct xchg** packets) {
  if (n > kMostConverted) n = kMostConverted;
  for (unsigned i = 0; i < n; ++i) packets[i] = (struct xchg*)&frames[i];
  return n;
}

unsigned receive_converted(struct xchg_receive_queue* queue, struct converted_frame* frames, unsigned n) {
  struct xchg* packets[kMostConverted];
  n = point_at(frames, n, packets);
  return xchg_receive(queue, packets, (uint16_t)n);
}

unsigned transmit_converted(struct xchg_transmit_queue* queue, struct converted_frame* frames, unsigned n) {
  struct xchg* packets[kMostConverted];
  n = point_at(frames, n, packets);
  return xchg_transmit(queue, packets, (uint16_t)n);
}
