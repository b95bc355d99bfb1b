#pragma once

#include <cassert>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <utility>

#include "runtime/fields.h"

namespace packetmill {

/// What a packet must have for elements to work on it, whatever its metadata is and wherever that lies: a contiguous
/// buffer with the frame somewhere inside. Every plan's packet type derives from it; only `get` and `set` differ.
///
///   buffer                data                     data + length              limit
///     |------ headroom ----|-------- frame ---------|------- tailroom ---------|
class Frame {
 public:
  [[nodiscard]] std::uint8_t* data() const { return data_; }
  [[nodiscard]] std::uint32_t length() const { return length_; }
  [[nodiscard]] std::uint8_t* buffer() const { return buffer_; }
  [[nodiscard]] std::uint32_t capacity() const { return capacity_; }
  [[nodiscard]] std::uint32_t headroom() const { return static_cast<std::uint32_t>(data_ - buffer_); }
  [[nodiscard]] std::uint32_t tailroom() const { return capacity_ - headroom() - length_; }

  /// The header of type T that starts `offset` bytes into the frame, or null where the frame is too short for it.
  template <class T>
  [[nodiscard]] T* header(std::uint32_t offset = 0) const {
    if (offset > length_ || length_ - offset < sizeof(T)) return nullptr;
    return reinterpret_cast<T*>(data_ + offset);
  }

  /// Removes `n` bytes at the front; `n` is at most `length()`.
  void pull(std::uint32_t n) {
    data_ += n;
    length_ -= n;
  }
  /// Removes `n` bytes at the end; `n` is at most `length()`.
  void take(std::uint32_t n) { length_ -= n; }
  /// Adds `n` bytes of unspecified content at the end; false (and nothing done) where the tailroom is too small.
  [[nodiscard]] bool put(std::uint32_t n) {
    if (tailroom() < n) return false;
    length_ += n;
    return true;
  }

  void set_frame(std::uint8_t* buffer, std::uint32_t capacity, std::uint32_t headroom, std::uint32_t length) {
    buffer_ = buffer;
    data_ = buffer + headroom;
    length_ = length;
    capacity_ = capacity;
  }

 protected:
  std::uint8_t* data_ = nullptr;
  std::uint8_t* buffer_ = nullptr;
  std::uint32_t length_ = 0;
  std::uint32_t capacity_ = 0;
};

/// A packet whose metadata is the fields `F...`, wherever the object lies: on the stack of a fused loop (and then, the
/// compiler willing, in registers) or in memory.
template <class... F>
class PacketOf : public Frame {
 public:
  template <class X>
  static constexpr bool has = (std::is_same_v<X, F> || ...);

  template <class X>
  [[nodiscard]] typename X::Type get() const {
    return std::get<Slot<X>>(slots_).value;
  }
  template <class X>
  void set(typename X::Type value) {
    std::get<Slot<X>>(slots_).value = value;
  }

  /// Adds `n` bytes of unspecified content at the front, moving the frame within its buffer where the headroom is too
  /// small; false (and nothing done) where the buffer is too small for both.
  [[nodiscard]] bool push(std::uint32_t n) {
    if (headroom() <= n) [[unlikely]] {
      const std::uint32_t shift = n + 1 - headroom();
      if (tailroom() < shift) return false;
      std::memmove(data_ + shift, data_, length_);
      data_ += shift;
      (shift_position<F>(shift), ...);
    }
    data_ -= n;
    length_ += n;
    return true;
  }

 private:
  template <class X>
  struct Slot {
    typename X::Type value{};
  };
  template <class X>
  void shift_position(std::uint32_t by) {
    if constexpr (std::is_same_v<X, MacHeader> || std::is_same_v<X, NetworkHeader> ||
                  std::is_same_v<X, TransportHeader>) {
      if (get<X>()) set<X>(get<X>() + by);
    }
  }

  std::tuple<Slot<F>...> slots_;
};

/// The interpreter's packet: Click's model, all metadata of every packet in memory, annotations in Click's 48 bytes.
/// The driver's metadata is copied into it on receive and out of it on transmit (the Copying model).
class Packet : public Frame {
 public:
  template <class X>
  [[nodiscard]] typename X::Type get() const {
    if constexpr (X::kAnnotation >= 0) {
      typename X::Type value;
      std::memcpy(&value, annotations_ + X::kAnnotation, sizeof(value));
      return value;
    } else {
      return std::get<Slot<X>>(metadata_).value;
    }
  }
  template <class X>
  void set(typename X::Type value) {
    if constexpr (X::kAnnotation >= 0)
      std::memcpy(annotations_ + X::kAnnotation, &value, sizeof(value));
    else
      std::get<Slot<X>>(metadata_).value = value;
  }
  [[nodiscard]] std::uint8_t* annotations() { return annotations_; }
  [[nodiscard]] const std::uint8_t* annotations() const { return annotations_; }

  [[nodiscard]] bool push(std::uint32_t n) {
    if (headroom() <= n) [[unlikely]]
      return push_slowly(n);
    data_ -= n;
    length_ += n;
    return true;
  }

  /// These fields read as zero again; what others read as is anything.
  template <class... F>
  void clear(Fields<F...>) {
    constexpr bool kArea = Fields<F...>::template has<AnnotationArea>;
    if constexpr (kArea) std::memset(annotations_, 0, sizeof(annotations_));
    (clear_one<F, kArea>(), ...);
  }
  /// All fields read as zero again.
  void clear_metadata() { clear(AllFields()); }
  void copy_metadata(const Packet& other) {
    std::memcpy(annotations_, other.annotations_, sizeof(annotations_));
    metadata_ = other.metadata_;
  }

  /// Who gets the buffer back. Null: the packet pool. Otherwise a driver's object (an rte_mbuf) and how to free it.
  using Release = void (*)(void* owner);
  void* owner = nullptr;
  Release release = nullptr;
  Packet* next = nullptr;  ///< of a batch that is a list

  /// Whether this object lies right in front of the owner's buffer and goes with it (the Overlaying model).
  [[nodiscard]] bool overlaid() const {
    return owner != nullptr && reinterpret_cast<const std::uint8_t*>(this + 1) == buffer_;
  }

 private:
  template <class X>
  struct Slot {
    typename X::Type value{};
  };
  [[nodiscard]] bool push_slowly(std::uint32_t n);
  template <class X, bool area_is_cleared>
  void clear_one() {
    if constexpr (!std::is_same_v<X, AnnotationArea> && !(area_is_cleared && X::kAnnotation >= 0))
      set<X>(typename X::Type{});
  }

  alignas(16) std::uint8_t annotations_[kAnnotationBytes];
  std::tuple<Slot<MacHeader>, Slot<NetworkHeader>, Slot<TransportHeader>, Slot<Kind>, Slot<ReceiveTime>, Slot<RssHash>,
             Slot<FlowIndex>, Slot<CheckedHeader>, Slot<CheckedSegment>>
      metadata_;
};

/// A packet that somebody answers for. It must end in exactly one of: emit, drop, consume, a store, or sent; letting go
/// of it otherwise is a bug that the destructor shows in builds with assertions.
template <class P>
class Owned {
 public:
  Owned() = default;
  explicit Owned(P* packet) : packet_(packet) {}
  Owned(Owned&& other) noexcept : packet_(std::exchange(other.packet_, nullptr)) {}
  Owned& operator=(Owned&& other) noexcept {
    assert(packet_ == nullptr);
    packet_ = std::exchange(other.packet_, nullptr);
    return *this;
  }
  ~Owned() { assert(packet_ == nullptr); }
  explicit operator bool() const { return packet_ != nullptr; }
  P& operator*() const { return *packet_; }
  P* operator->() const { return packet_; }
  P* get() const { return packet_; }
  [[nodiscard]] P* release() { return std::exchange(packet_, nullptr); }

 private:
  P* packet_ = nullptr;
};

}  // namespace packetmill
