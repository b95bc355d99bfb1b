#include "elements/ip/gateway_options.h"

#include <array>

namespace packetmill {
namespace {

// RFC 791, 3.1.
constexpr std::uint8_t kEndOfList = 0;
constexpr std::uint8_t kNoOperation = 1;
constexpr std::uint8_t kRecordRoute = 7;
constexpr std::uint8_t kTimestamp = 68;
constexpr std::uint8_t kTimestampOnly = 0;
constexpr std::uint8_t kTimestampAndAddress = 1;
constexpr std::uint8_t kTimestampPrespecified = 3;

/// What came of one option: it was filled in, left alone, or its byte number `wrong` (from 1 on, as pointers count) is.
struct Result {
  bool changed = false;
  unsigned wrong = 0;
};

/// Milliseconds since midnight UT, as it lies in the packet.
std::uint32_t milliseconds_of_day(Timestamp now) {
  constexpr std::int64_t kDay = 24 * 60 * 60 * 1000;
  const std::int64_t milliseconds = (now.nanoseconds / 1'000'000) % kDay;
  return swap_network(static_cast<std::uint32_t>(milliseconds < 0 ? milliseconds + kDay : milliseconds));
}

Result record_route(std::uint8_t* option, unsigned length, const Gateway& gateway) {
  if (length < 3) return {.wrong = 2};
  const unsigned pointer = option[2];
  if (pointer < 4) return {.wrong = 3};
  if (pointer > length) return {};  // full
  if (pointer + 3 > length) return {.wrong = 3};
  std::memcpy(option + pointer - 1, &gateway.address, 4);
  option[2] = static_cast<std::uint8_t>(pointer + 4);
  return {.changed = true};
}

Result timestamp(std::uint8_t* option, unsigned length, const Gateway& gateway, Timestamp now) {
  if (length < 4) return {.wrong = 2};
  const unsigned pointer = option[2];
  const unsigned flag = option[3] & 15U;
  if (flag != kTimestampOnly && flag != kTimestampAndAddress && flag != kTimestampPrespecified) return {.wrong = 4};
  if (pointer < 5) return {.wrong = 3};
  const unsigned entry = flag == kTimestampOnly ? 4 : 8;
  if (pointer > length) {
    // Full. Prespecified addresses are all of those that were asked for, so there is nothing to count.
    if (flag == kTimestampPrespecified) return {};
    if (option[3] >> 4U == 15) return {.wrong = 4};  // the overflow counter itself overflows
    option[3] = static_cast<std::uint8_t>(option[3] + 0x10);
    return {.changed = true};
  }
  if (pointer + entry - 1 > length) return {.wrong = 3};
  std::uint8_t* place = option + pointer - 1;
  if (flag == kTimestampPrespecified) {
    IPv4Address asked;
    std::memcpy(&asked, place, 4);
    if (asked != gateway.address && !gateway.others.contains(asked)) return {};
  } else if (flag == kTimestampAndAddress) {
    std::memcpy(place, &gateway.address, 4);
  }
  const std::uint32_t time = milliseconds_of_day(now);
  std::memcpy(place + entry - 4, &time, 4);
  option[2] = static_cast<std::uint8_t>(pointer + entry);
  return {.changed = true};
}

}  // namespace

std::uint8_t process_gateway_options(IPv4Header& ip, const Gateway& gateway, Timestamp now) {
  // On a copy, since a later option may be wrong.
  std::array<std::uint8_t, 60> header{};
  const unsigned end = ip.header_length();
  std::memcpy(header.data(), &ip, end);
  bool changed = false;
  for (unsigned at = sizeof(IPv4Header); at < end && header[at] != kEndOfList;) {
    if (header[at] == kNoOperation) {
      ++at;
      continue;
    }
    // An option without a length byte, or with a length that cannot be.
    if (at + 1 >= end) return static_cast<std::uint8_t>(at);
    const unsigned length = header[at + 1];
    if (length < 2 || at + length > end) return static_cast<std::uint8_t>(at + 1);
    Result result;
    if (header[at] == kRecordRoute) result = record_route(&header[at], length, gateway);
    if (header[at] == kTimestamp) result = timestamp(&header[at], length, gateway, now);
    if (result.wrong != 0) return static_cast<std::uint8_t>(at + result.wrong - 1);
    changed |= result.changed;
    at += length;
  }
  if (!changed) return 0;
  std::memcpy(static_cast<void*>(&ip), header.data(), end);
  set_header_checksum(ip);
  return 0;
}

}  // namespace packetmill
