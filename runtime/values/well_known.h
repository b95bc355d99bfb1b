#pragma once

#include <optional>
#include <string_view>

#include "runtime/values/scalar.h"

/// Names that every configuration knows. The tables are fixed, so that a configuration means the same on every machine:
/// neither /etc/protocols nor /etc/services is consulted.
namespace packetmill::well_known {

std::optional<IPProtocol> find_protocol(std::string_view name);
/// `protocol` is kTcp or kUdp; other protocols have no port names.
std::optional<uint16_t> find_port(std::string_view name, IPProtocol protocol);
std::optional<Annotation> find_annotation(std::string_view name);

/// ICMP types and codes ("unreachable", "needfrag"); a name is empty where a number has none.
std::optional<uint8_t> find_icmp_type(std::string_view name);
std::string_view icmp_type_name(uint8_t type);
std::optional<uint8_t> find_icmp_code(uint8_t type, std::string_view name);
std::string_view icmp_code_name(uint8_t type, uint8_t code);

}  // namespace packetmill::well_known
