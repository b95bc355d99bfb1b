#pragma once

#include <algorithm>
#include <cstring>
#include <utility>

#include "runtime/element.h"
#include "runtime/handler_call.h"
#include "runtime/pool.h"

/// What InfiniteSource, RatedSource and TimedSource have in common: packets made of DATA, LIMIT, and what happens when
/// it is reached.
namespace packetmill {

/// What the packets hold where the configuration does not say: 64 bytes, as many as the shortest Ethernet frame.
inline constexpr Text kDefaultData = "PacketMill: sixty-four bytes which mean nothing, ground to order";
static_assert(kDefaultData.size() == 64);

/// LENGTH: how long the packets are; negative: as long as DATA.
struct PacketLength {
  static constexpr std::string_view kTypeName = "integer";
  static constexpr std::int32_t kMost = 65535;
  std::int32_t bytes = -1;
};
inline ParseError parse(std::string_view text, PacketLength& out, const Names& = kNoNames) {
  std::int32_t bytes = 0;
  if (auto wrong = parse(text, bytes)) return wrong;
  if (bytes > PacketLength::kMost) return "out of range, bound " + std::to_string(PacketLength::kMost);
  out.bytes = bytes;
  return {};
}
inline std::string to_string(PacketLength length) { return std::to_string(length.bytes); }

/// The next packet: `data`, repeated or cut to `length`. Null where there is no buffer for it.
auto make_packet(auto& context, Text data, PacketLength length = {}, bool timestamp = true) {
  ++context.state().count;
  const std::size_t size = length.bytes < 0 ? data.size() : static_cast<std::size_t>(length.bytes);
  // A frame never begins with its buffer: header position 0 means "not set" (runtime/fields.h).
  const std::uint32_t headroom = std::max<std::uint32_t>(context.parameters().headroom, 1);
  auto packet = context.generate(static_cast<std::uint32_t>(size), headroom);
  if (!packet) return packet;
  std::uint8_t* out = packet->data();
  if (data.empty()) std::fill_n(out, size, std::uint8_t{0});
  for (std::size_t done = 0; done < size && !data.empty(); done += data.size())
    std::memcpy(out + done, data.data(), std::min(data.size(), size - done));
  if (timestamp) context.view(packet).template set<ReceiveTime>(context.now());
  return packet;
}

/// How many packets are left to be made.
std::uint64_t remaining(const auto& control, const auto& state) {
  if (control.limit < 0) return std::numeric_limits<std::uint64_t>::max();
  const auto limit = static_cast<std::uint64_t>(control.limit);
  return limit - std::min(limit, state.count);
}

/// Whether the source makes no more packets for now. When that is because of its limit, END_CALL or STOP follows, once.
bool finished(auto& context) {
  if (!context.control().active) return true;
  if (remaining(context.control(), context.state()) > 0) return false;
  if (!std::exchange(context.state().ended, true)) {
    if (context.parameters().stop) context.control_plane().request_stop();
    if (context.parameters().end_call) context.parameters().end_call.call(context);
  }
  return true;
}

/// The `reset` handler: LIMIT more packets may follow.
inline constexpr auto reset_source = [](auto& element, std::string_view) -> Refusal {
  element.state().count = 0;
  element.state().ended = false;
  element.wake();
  return {};
};

inline void check_end(Configuration& configuration, const auto& parameters) {
  if (parameters.stop && parameters.end_call) configuration.error("END_CALL and STOP are mutually exclusive");
}

}  // namespace packetmill
