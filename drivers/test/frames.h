#pragma once

#include <gtest/gtest.h>
#include <rte_mempool.h>

#include <cstdint>
#include <cstring>
#include <set>
#include <vector>

// Frames that say which they are, and a pool that has all of its buffers.
namespace packetmill::testing {

using Bytes = std::vector<std::uint8_t>;

/// A frame that says which one it is.
inline Bytes numbered(std::uint32_t number, std::size_t size = 60) {
  Bytes bytes(size, 0xee);
  std::memcpy(bytes.data() + 14, &number, sizeof number);
  return bytes;
}
inline std::uint32_t number_of(const std::uint8_t* frame) {
  std::uint32_t number = 0;
  std::memcpy(&number, frame + 14, sizeof number);
  return number;
}

/// Every one of the pool's buffers is in it again, and none twice, which a count would not say.
inline void expect_all_buffers(rte_mempool* pool) {
  std::vector<void*> all(pool->size + 1);
  unsigned count = 0;
  while (count < all.size() && rte_mempool_get(pool, &all[count]) == 0) ++count;
  EXPECT_EQ(count, pool->size);
  EXPECT_EQ(std::set<void*>(all.begin(), all.begin() + count).size(), count);
  rte_mempool_put_bulk(pool, all.data(), count);
}

}  // namespace packetmill::testing
