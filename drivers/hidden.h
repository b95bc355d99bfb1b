/* Memory that is hidden from the program: under AddressSanitizer, an access to it is reported. Buffers that have been exchanged
 * away are (ports/dpdk/hidden.h). An emulated device, which stands for hardware, uncovers what it reads and writes. In other
 * builds nothing of this is there. */
#ifndef PACKETMILL_DRIVERS_HIDDEN_H
#define PACKETMILL_DRIVERS_HIDDEN_H

#include <stdbool.h>
#include <stddef.h>

#if __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>

static inline void xchg_hide(const void* memory, size_t size) { __asan_poison_memory_region(memory, size); }
static inline void xchg_show(const void* memory, size_t size) { __asan_unpoison_memory_region(memory, size); }
static inline bool xchg_is_hidden(const void* memory) { return __asan_address_is_poisoned(memory); }
#else
static inline void xchg_hide(const void* memory, size_t size) { (void)memory, (void)size; }
static inline void xchg_show(const void* memory, size_t size) { (void)memory, (void)size; }
static inline bool xchg_is_hidden(const void* memory) { return (void)memory, false; }
#endif

#endif
