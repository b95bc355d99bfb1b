/* The NIC's turn, and what it is measured by. */
#include <errno.h>
#include <mlx5_prm.h>
#include <netinet/in.h>
#include <rte_cycles.h>
#include <rte_malloc.h>
#include <sched.h>

#include "drivers/mlx5/emulated.h"
#include "drivers/mlx5/emulated_port.h"
#include "drivers/wire.h"

static void send_frame(void* context, const struct mlx5_device_sent* frame) {
  const struct port* port = context;
  if (port->sent == NULL) return;
  const struct pcap_pkthdr header = {.caplen = frame->length, .len = frame->length};
  FILE* file = pcap_dump_file(port->sent);
  flockfile(file); /* of several queues, each has a thread */
  pcap_dump((u_char*)port->sent, &header, frame->bytes);
  funlockfile(file);
}

static void send_from(struct port* port, uint16_t queue) {
  if (queue < port->dev->data->nb_tx_queues)
    (void)mlx5_device_transmit(&port->transmit[queue].device, UINT32_MAX, send_frame, port);
}

static void send_all(struct port* port) {
  for (uint16_t i = 0; i < port->dev->data->nb_tx_queues; ++i) send_from(port, i);
}

/* The next frame of the trace whose hash leads to this queue; NULL at its end, where it is played once, and of a trace that
 * has none. */
static const struct mlx5_device_frame* next_of(struct port* port, struct receive_queue* queue) {
  const struct frames* frames = port->frames;
  const uint32_t index = (uint32_t)(queue - port->receive);
  for (uint32_t looked = 0; looked < frames->count; ++looked) {
    if (queue->next == frames->count && port->once) return NULL;
    if (queue->next == frames->count) queue->next = 0;
    const struct mlx5_device_frame* frame = &frames->list[queue->next++];
    if (frame->hash % port->dev->data->nb_rx_queues == index) return frame;
  }
  return NULL;
}

static void give_session(struct receive_queue* queue, const struct mlx5_device_frame* frames, uint32_t count) {
  if (count == 1) (void)mlx5_device_receive(&queue->device, frames);
  if (count > 1) (void)mlx5_device_receive_compressed(&queue->device, frames, count);
}

/* Frames of one compressed session have one title. */
static bool alike(const struct mlx5_device_frame* a, const struct mlx5_device_frame* b) {
  return a->header_types == b->header_types && a->type == b->type;
}

/* Receives at most `most` frames of the trace. */
static void give(struct port* port, struct receive_queue* queue, uint32_t most) {
  struct mlx5_device_frame session[kBurst];
  uint32_t waiting = 0; /* of the session */
  for (uint32_t i = 0; i < most; ++i) {
    const struct mlx5_device_frame* frame = next_of(port, queue);
    if (frame == NULL) break;
    ++queue->given;
    if (port->compressed) {
      if (waiting > 0 && !alike(&session[0], frame)) {
        give_session(queue, session, waiting);
        waiting = 0;
      }
      session[waiting++] = *frame;
    } else if (port->bad != 0 && queue->given % port->bad == 0) {
      (void)mlx5_device_receive_error(&queue->device, MLX5_CQE_SYNDROME_LOCAL_LENGTH_ERR);
    } else if (!mlx5_device_receive(&queue->device, frame)) {
      --queue->given;
      --queue->next; /* it waits outside */
      break;
    }
  }
  give_session(queue, session, waiting);
}

/* The burst that a thread is in: of the queue whose NIC had the last turn. */
static __thread struct {
  struct receive_queue* queue;
  uint64_t began;
} burst;

static void record(uint64_t now) {
  if (burst.queue == NULL) return;
  const uint64_t cycles = now - burst.began;
  ++burst.queue->histogram[RTE_MIN(cycles, (uint64_t)kHistogram - 1)];
  ++burst.queue->bursts;
}

static uint32_t consumed_of(const struct receive_queue* queue) {
  return rte_be_to_cpu_32(*queue->device.completion_record);
}

/* A NIC with a core of its own needs no turn: the thread's last burst was full where 32 completions were taken in it. */
static void look(struct receive_queue* queue) {
  const uint64_t now = rte_rdtsc();
  if (burst.queue != NULL && ((consumed_of(burst.queue) - burst.queue->consumed) & 0xffff) == kBurst) record(now);
  queue->consumed = consumed_of(queue);
  burst.queue = queue;
  burst.began = rte_rdtsc();
}

void mlx5_emulated_turn(uint16_t number, uint16_t index) {
  struct port* port = port_numbered(number);
  struct receive_queue* queue = &port->receive[index];
  if (port->frames == NULL) return;
  if (port->core >= 0) {
    look(queue);
    return;
  }
  record(rte_rdtsc());
  burst.queue = NULL;
  if (port->dev->data->nb_rx_queues > 1)
    send_from(port, index); /* the others are other threads' */
  else
    send_all(port);
  const uint32_t waiting = queue->device.completion - rte_be_to_cpu_32(*queue->device.completion_record);
  if ((waiting & 0xffff) != 0) return;
  const uint64_t before = queue->given;
  give(port, queue, kBurst);
  if (queue->given - before == kBurst) burst.queue = queue;
  burst.began = rte_rdtsc();
}

static void* run_alone(void* argument) {
  struct port* port = argument;
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  CPU_SET((unsigned)port->core, &cpus);
  (void)pthread_setaffinity_np(pthread_self(), sizeof cpus, &cpus);
  while (__atomic_load_n(&port->running, __ATOMIC_ACQUIRE)) {
    for (uint16_t i = 0; i < port->dev->data->nb_rx_queues; ++i) give(port, &port->receive[i], kBurst);
    send_all(port);
  }
  return NULL;
}

int mlx5_emulated_start_alone(struct port* port) {
  if (port->core < 0 || port->frames == NULL) return 0;
  port->running = true;
  return pthread_create(&port->thread, NULL, run_alone, port) == 0 ? 0 : -EAGAIN;
}

void mlx5_emulated_stop_alone(struct port* port) {
  if (!port->running) return;
  __atomic_store_n(&port->running, false, __ATOMIC_RELEASE);
  pthread_join(port->thread, NULL);
  port->running = false;
}

/* Frames with what a NIC makes of their headers. */
int mlx5_emulated_read_trace(struct port* port, const char* file) {
  char wrong[PCAP_ERRBUF_SIZE];
  pcap_t* trace = pcap_open_offline(file, wrong);
  if (trace == NULL) {
    RTE_LOG(ERR, PMD, "%s: %s\n", file, wrong);
    return -ENOENT;
  }
  port->frames = rte_zmalloc("mlx5_emulated", sizeof *port->frames, 64);
  struct pcap_pkthdr* header = NULL;
  const u_char* bytes = NULL;
  while (port->frames != NULL && port->frames->count < kMostFrames && pcap_next_ex(trace, &header, &bytes) == 1) {
    uint8_t* copy = rte_malloc("frame", header->caplen, 64);
    if (copy == NULL) break;
    memcpy(copy, bytes, header->caplen);
    const struct xchg_wire_headers found = xchg_wire_look(copy, header->caplen);
    const uint16_t good = (uint16_t)((found.header_right ? XCHG_MLX5_HEADER_L3_GOOD : 0) |
                                     (found.segment_right ? XCHG_MLX5_HEADER_L4_GOOD : 0));
    const unsigned segment = found.protocol == IPPROTO_TCP ? 1 : found.protocol == IPPROTO_UDP ? 2 : 0;
    port->frames->list[port->frames->count] = (struct mlx5_device_frame){
        .bytes = copy,
        .length = header->caplen,
        .hash = found.hash,
        .header_types = good,
        .type = (uint8_t)(found.ipv4 ? 2 | segment << 2 : 0),
        .timestamp = port->frames->count,
    };
    ++port->frames->count;
  }
  pcap_close(trace);
  if (port->frames == NULL || port->frames->count == 0) {
    RTE_LOG(ERR, PMD, "%s: no frames\n", file);
    return -EINVAL;
  }
  return 0;
}

/* Frames that are sent go there, in the order in which they leave. */
int mlx5_emulated_open_sent(struct port* port, const char* file) {
  port->sent_kind = pcap_open_dead(DLT_EN10MB, UINT16_MAX);
  port->sent = port->sent_kind == NULL ? NULL : pcap_dump_open(port->sent_kind, file);
  if (port->sent != NULL) return 0;
  RTE_LOG(ERR, PMD, "%s: cannot be written\n", file);
  return -EIO;
}

void mlx5_emulated_close_wire(struct port* port) {
  if (port->sent != NULL) {
    send_all(port); /* what is still in the rings */
    pcap_dump_close(port->sent);
  }
  if (port->sent_kind != NULL) pcap_close(port->sent_kind);
  for (uint32_t i = 0; port->frames != NULL && i < port->frames->count; ++i)
    rte_free((void*)(uintptr_t)port->frames->list[i].bytes);
  rte_free(port->frames);
  port->sent = NULL;
  port->sent_kind = NULL;
  port->frames = NULL;
}
