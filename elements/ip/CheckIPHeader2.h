#pragma once

#include "elements/ip/ip_header_check.h"

namespace packetmill {

/// CheckIPHeader2: CheckIPHeader that does not check the checksum unless told to.
///
/// Ports:     as CheckIPHeader.
/// Keywords:  as CheckIPHeader, but CHECKSUM is false by default.
/// Handlers:  as CheckIPHeader.
/// See also:  CheckIPHeader, MarkIPHeader
struct CheckIPHeader2 : IPHeaderCheck<false> {
  static constexpr ElementInfo info{.name = "CheckIPHeader2", .ports = "1/1-2", .processing = "a/ah"};
};

}  // namespace packetmill
