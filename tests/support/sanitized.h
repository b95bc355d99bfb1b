#pragma once

namespace packetmill::testing {

/// Whether this build has sanitizers: what takes long is then done on fewer cases, and code is not optimised.
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace packetmill::testing
