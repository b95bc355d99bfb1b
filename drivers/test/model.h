/* What model_test.cc wants of a metadata model beside its conversion functions: packets to begin with. */
#ifndef PACKETMILL_DRIVERS_TEST_MODEL_H
#define PACKETMILL_DRIVERS_TEST_MODEL_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct rte_mempool;
struct xchg;

/* A packet that owns an empty buffer of the pool. */
struct xchg* model_new_packet(struct rte_mempool* pool);
void model_free_packet(struct xchg* packet);
/* Bytes of metadata that a burst touches for each packet. */
size_t model_size(void);

#ifdef __cplusplus
}
#endif

#endif
