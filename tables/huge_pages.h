#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>

namespace packetmill::tables {

/// For the large arrays that lookups fall into at random: from 2 MiB on they are aligned to huge pages and ask the
/// kernel for them (madvise(2), MADV_HUGEPAGE), because otherwise nearly every access misses the TLB too. Only advice:
/// where the kernel has none to give, nothing but the speed changes.
template <typename T>
struct HugePageAllocator {
  using value_type = T;

  HugePageAllocator() = default;
  template <typename U>
  explicit(false) HugePageAllocator(const HugePageAllocator<U>& /*other*/) noexcept {}

  [[nodiscard]] T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    void* memory = ::operator new(bytes, alignment(bytes));
    if (bytes >= kHugePage) madvise(memory, bytes, MADV_HUGEPAGE);
    return static_cast<T*>(memory);
  }

  void deallocate(T* memory, std::size_t count) noexcept { ::operator delete(memory, alignment(count * sizeof(T))); }

  bool operator==(const HugePageAllocator&) const = default;

 private:
  static constexpr std::size_t kHugePage = std::size_t{2} << 20;
  static constexpr std::align_val_t alignment(std::size_t bytes) {
    return std::align_val_t{bytes >= kHugePage ? kHugePage : alignof(T)};
  }
};

}  // namespace packetmill::tables
