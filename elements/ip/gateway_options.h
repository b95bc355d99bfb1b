#pragma once

#include "elements/ip/address_list.h"
#include "elements/ip/ip_header.h"
#include "runtime/values/time.h"

namespace packetmill {

/// Whose options IPGWOptions fills in.
struct Gateway {
  IPv4Address address;  ///< of the interface that the packet leaves by (RFC 1812, 4.2.2.2)
  AddressList others;   ///< of the other interfaces
};

/// Carries out the options that concern every router on the way, Record Route and Internet Timestamp (RFC 791, 3.1), in
/// a whole header, and computes its checksum anew where they changed it. Returns 0, or the offset in the header of the
/// byte that is wrong; the header is then unchanged.
std::uint8_t process_gateway_options(IPv4Header& ip, const Gateway& gateway, Timestamp now);

}  // namespace packetmill
