#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// What an element may say of itself beyond the contract (runtime/element.h), so that passes over the graph know what
/// they may take out, merge or move (graph/passes/). An element that says nothing stays as and where it is.
///
///   static Effects effects(const auto& parameters, int outputs)
///       what it does to packets; true of every packet, whatever handlers write. May be a std::optional: nothing said.
///   static constexpr bool keeps_bytes = true
///       no byte of a frame is changed or moved; what the frame is may be (Strip). So it is of an element whose effects are
///       not on the frame, without saying so.
///   static std::uint32_t least_length(const auto& parameters, int output)
///       packets that leave by `output` have at least so many bytes.
///   static std::optional<std::string> after_strip(const auto& parameters, std::string_view configuration,
///                                                 std::int64_t bytes)
///       the configuration with which it also does what a Strip(bytes) before it does; `bytes` is negative where the
///       element itself strips as many or more, and is to do with so many fewer.
namespace packetmill {

/// What an element does to packets, for elements that pass on or drop what they are given and do nothing else: neither
/// make packets nor keep them. Metadata is told by Reads, Writes and `touches`, which the compiler enforces.
struct Effects {
  /// Whether it looks at the frame, or changes it: its bytes, its length, where in the buffer it lies.
  enum class Frame : std::uint8_t { ignored, read, written };

  Frame frame = Frame::ignored;
  bool drops = false;       ///< some packets may end here
  bool observable = false;  ///< somebody may see that a packet has passed: by a handler, a message, a ledger
  /// Packets that leave by output 0 have a new value in every field of Writes (a field, not the annotation area), which
  /// does not depend on the old one.
  bool sets = false;
  /// Does nothing but remove so many bytes from the front, all of them where a packet has fewer; negative: but put so
  /// many back before it, or drop the packet.
  std::int64_t front = 0;
};

}  // namespace packetmill
