#include "drivers/mlx5/device.h"

#include <rte_atomic.h>
#include <rte_byteorder.h>
#include <string.h>

#include "drivers/hidden.h"

/* The place for the next completion, or NULL where software still has to look at what is there. */
static struct xchg_mlx5_completion* place(struct xchg_mlx5_completion* completions, uint8_t log, uint32_t index,
                                          const volatile uint32_t* record, unsigned count) {
  const uint16_t waiting = (uint16_t)(index - rte_be_to_cpu_32(*record)); /* drivers count in 16 bits or more */
  if (waiting + count > 1u << log) return NULL;
  return &completions[index & ((1u << log) - 1)];
}

/* The owner is written last: with it the rest becomes visible. */
static void hand_over(struct xchg_mlx5_completion* completion, uint8_t opcode, uint8_t format, uint32_t index,
                      uint8_t log) {
  rte_atomic_thread_fence(__ATOMIC_RELEASE);
  *(volatile uint8_t*)&completion->owner = (uint8_t)(opcode << 4 | format << 2 | (index >> log & 1));
}

static void describe(struct xchg_mlx5_completion* completion, const struct mlx5_device_frame* frame, uint16_t request) {
  completion->packet_info = frame->packet_info;
  completion->hash = rte_cpu_to_be_32(frame->hash);
  completion->header_types = rte_cpu_to_be_16((uint16_t)(frame->header_types | (frame->type & 0x3f) << 2));
  completion->vlan_tci = rte_cpu_to_be_16(frame->vlan_tci);
  completion->large_segments = 1;
  completion->byte_count = rte_cpu_to_be_32(frame->length);
  completion->timestamp = rte_cpu_to_be_64(frame->timestamp);
  completion->mark = rte_cpu_to_le_32(frame->tag << 8);
  completion->request = rte_cpu_to_be_16(request);
}

static bool has_requests(struct mlx5_device_receive_queue* queue, unsigned count) {
  const uint32_t posted = rte_be_to_cpu_32(*queue->request_record);
  rte_atomic_thread_fence(__ATOMIC_ACQUIRE);
  return (int32_t)(posted - queue->request) >= (int32_t)count;
}

/* False where the buffer is too small. */
static bool put(struct mlx5_device_receive_queue* queue, uint32_t index, const struct mlx5_device_frame* frame) {
  const struct xchg_mlx5_receive_request* request = &queue->requests[index & ((1u << queue->request_log) - 1)];
  if (frame->length > rte_be_to_cpu_32(request->byte_count)) return false;
  void* buffer = (void*)(uintptr_t)rte_be_to_cpu_64(request->address);
  const bool hidden = xchg_is_hidden(buffer);
  xchg_show(buffer, frame->length);
  memcpy(buffer, frame->bytes, frame->length);
  if (hidden) xchg_hide(buffer, frame->length);
  return true;
}

bool mlx5_device_receive(struct mlx5_device_receive_queue* queue, const struct mlx5_device_frame* frame) {
  if (queue->error || !has_requests(queue, 1)) {
    ++queue->no_request;
    return false;
  }
  struct xchg_mlx5_completion* completion =
      place(queue->completions, queue->completion_log, queue->completion, queue->completion_record, 1);
  if (completion == NULL) {
    ++queue->no_completion;
    return false;
  }
  if (!put(queue, queue->request, frame)) {
    ++queue->too_long;
    return false;
  }
  describe(completion, frame, (uint16_t)queue->request);
  hand_over(completion, XCHG_MLX5_RESPONDER_SEND, 0, queue->completion, queue->completion_log);
  ++queue->request;
  ++queue->completion;
  ++queue->frames;
  return true;
}

bool mlx5_device_receive_compressed(struct mlx5_device_receive_queue* queue, const struct mlx5_device_frame* frames,
                                    unsigned count) {
  const uint32_t mask = (1u << queue->completion_log) - 1;
  struct xchg_mlx5_completion* title =
      place(queue->completions, queue->completion_log, queue->completion, queue->completion_record, count);
  if (count < 2 || queue->error || !has_requests(queue, count) || title == NULL) return false;
  for (unsigned i = 0; i < count; ++i)
    if (!put(queue, queue->request + i, &frames[i])) return false;
  /* The arrays first; places in between are left as they are. */
  for (unsigned done = 0; done < count; done += 8) {
    struct xchg_mlx5_mini minis[8] = {{0, 0}};
    for (unsigned i = 0; i < 8 && done + i < count; ++i)
      minis[i] =
          (struct xchg_mlx5_mini){rte_cpu_to_be_32(frames[done + i].hash), rte_cpu_to_be_32(frames[done + i].length)};
    const uint32_t array = queue->completion + (done == 0 ? 1 : done);
    memcpy(&queue->completions[array & mask], minis, sizeof minis);
  }
  describe(title, &frames[0], (uint16_t)queue->request);
  title->byte_count = rte_cpu_to_be_32(count);
  hand_over(title, XCHG_MLX5_RESPONDER_SEND, XCHG_MLX5_FORMAT_COMPRESSED, queue->completion, queue->completion_log);
  queue->request += count;
  queue->completion += count;
  queue->frames += count;
  return true;
}

bool mlx5_device_receive_error(struct mlx5_device_receive_queue* queue, uint8_t syndrome) {
  struct xchg_mlx5_completion* completion =
      place(queue->completions, queue->completion_log, queue->completion, queue->completion_record, 1);
  if (completion == NULL || !has_requests(queue, 1)) return false;
  ((uint8_t*)completion)[XCHG_MLX5_SYNDROME] = syndrome;
  completion->request = rte_cpu_to_be_16((uint16_t)queue->request);
  hand_over(completion, XCHG_MLX5_RESPONDER_ERROR, 0, queue->completion, queue->completion_log);
  queue->error = syndrome == XCHG_MLX5_LOCAL_QUEUE_ERROR || syndrome == XCHG_MLX5_LOCAL_PROTECTION_ERROR;
  ++queue->request;
  ++queue->completion;
  return true;
}

unsigned mlx5_device_transmit(struct mlx5_device_transmit_queue* queue, unsigned most, mlx5_device_wire* wire,
                              void* context) {
  const uint16_t block_mask = (uint16_t)((1u << queue->block_log) - 1);
  const struct xchg_mlx5_data* end =
      (const struct xchg_mlx5_data*)(queue->blocks + ((size_t)block_mask + 1) * XCHG_MLX5_BLOCK_SIZE);
  const uint16_t posted = (uint16_t)rte_be_to_cpu_32(*queue->block_record);
  unsigned sent = 0;
  rte_atomic_thread_fence(__ATOMIC_ACQUIRE);
  while (!queue->error && queue->block != posted && sent < most) {
    uint8_t* block = queue->blocks + (size_t)(queue->block & block_mask) * XCHG_MLX5_BLOCK_SIZE;
    const struct xchg_mlx5_control* control = (const struct xchg_mlx5_control*)block;
    const struct xchg_mlx5_ethernet* ethernet = (const struct xchg_mlx5_ethernet*)(control + 1);
    const uint32_t opcode = rte_be_to_cpu_32(control->opcode_and_index);
    const uint32_t segments = rte_be_to_cpu_32(control->queue_and_segments) & 0x3f;
    const bool several = (opcode & 0xff) == XCHG_MLX5_ENHANCED_MULTI_PACKET;
    if ((opcode >> 8 & 0xffff) != queue->block || segments < 3 || (!several && (opcode & 0xff) != XCHG_MLX5_SEND) ||
        (!several && segments != 3)) {
      ++queue->wrong;
      return sent;
    }
    const struct xchg_mlx5_data* data = (const struct xchg_mlx5_data*)(ethernet + 1);
    for (uint32_t i = 2; i < segments; ++i) {
      const uint16_t size = rte_be_to_cpu_16(ethernet->inline_size);
      const struct mlx5_device_sent frame = {.bytes = (const uint8_t*)(uintptr_t)rte_be_to_cpu_64(data->address),
                                             .length = rte_be_to_cpu_32(data->byte_count),
                                             .checksums = ethernet->checksums,
                                             .insert_vlan = (size & XCHG_MLX5_INSERT_VLAN) != 0,
                                             .vlan_tci = rte_be_to_cpu_16(ethernet->inline_start)};
      const bool hidden = xchg_is_hidden(frame.bytes);
      xchg_show(frame.bytes, frame.length);
      wire(context, &frame);
      if (hidden) xchg_hide(frame.bytes, frame.length);
      if (++data == end) data = (const struct xchg_mlx5_data*)queue->blocks;
      ++sent;
      ++queue->frames;
    }
    if (control->flags == rte_cpu_to_be_32(XCHG_MLX5_COMPLETE_ALWAYS)) {
      struct xchg_mlx5_completion* completion =
          place(queue->completions, queue->completion_log, queue->completion, queue->completion_record, 1);
      if (completion == NULL) {
        ++queue->wrong; /* a driver asks for no more than there is room for */
        return sent;
      }
      completion->request = rte_cpu_to_be_16(queue->block);
      hand_over(completion, XCHG_MLX5_REQUESTER, 0, queue->completion, queue->completion_log);
      ++queue->completion;
    }
    queue->block += (uint16_t)((segments + 3) / 4);
  }
  return sent;
}

bool mlx5_device_transmit_error(struct mlx5_device_transmit_queue* queue, uint8_t syndrome) {
  struct xchg_mlx5_completion* completion =
      place(queue->completions, queue->completion_log, queue->completion, queue->completion_record, 1);
  if (completion == NULL || queue->block == (uint16_t)rte_be_to_cpu_32(*queue->block_record)) return false;
  ((uint8_t*)completion)[XCHG_MLX5_SYNDROME] = syndrome;
  completion->request = rte_cpu_to_be_16(queue->block);
  hand_over(completion, XCHG_MLX5_REQUESTER_ERROR, 0, queue->completion, queue->completion_log);
  ++queue->completion;
  queue->error = true;
  return true;
}
