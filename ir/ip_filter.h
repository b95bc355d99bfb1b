#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "ir/classifier_patterns.h"
#include "ir/formula.h"
#include "runtime/values/names.h"

/// The pattern language of IPClassifier and IPFilter, as IPClassifier's manual page describes it.
namespace packetmill::ir {

enum class IpField : uint8_t {
  host,
  net,
  ether_host,
  port,
  protocol,
  version,
  header_length,
  total_length,
  id,
  tos,
  dscp,
  ttl,
  ect,
  ce,
  fragment,
  tcp_option,
  tcp_window,
  icmp_type,
  bytes,  ///< ip[POS:LEN], transp[POS:LEN], tcp[POS:LEN]
};

enum class Direction : uint8_t { source, destination, either, both };

enum class IpRelation : uint8_t { equal, not_equal, less, less_equal, greater, greater_equal, any_bit };

/// One comparison. Numbers are in host byte order.
struct IpPrimitive {
  IpField field = IpField::host;
  Direction direction = Direction::either;  ///< of host, net, ether_host and port
  Base base = Base::network_header;         ///< of bytes: network_header or transport_header
  std::optional<IPProtocol> protocol;       ///< of port and bytes, where the pattern names it
  unsigned offset = 0;                      ///< of bytes
  unsigned length = 0;                      ///< of bytes: 1 to 4
  IpRelation relation = IpRelation::equal;
  uint32_t mask = ~uint32_t{0};
  uint32_t value = 0;
  EthernetAddress ethernet;  ///< of ether_host
};

/// A pattern as it is written, the left-out words filled in.
struct IpExpression {
  enum class Kind : uint8_t { constant, primitive, negation, conjunction, disjunction, conditional };
  Kind kind = Kind::constant;
  bool value = true;                ///< of a constant
  IpPrimitive primitive;            ///< of a primitive
  std::vector<IpExpression> parts;  ///< as in Formula
};

/// One of IPClassifier's patterns.
std::optional<PatternError> parse_ip_pattern(std::string_view text, IpExpression& out, const Names& names = kNoNames);

/// One of IPFilter's arguments: an action (allow, deny, drop, or an output's number) and a pattern.
struct IpFilterRule {
  int outcome = kNoOutput;
  IpExpression pattern;
};
std::optional<PatternError> parse_ip_filter_rule(std::string_view text, IpFilterRule& out,
                                                 const Names& names = kNoNames);

/// The pattern as tests, with the guards that it implies: ports, TCP flags and ICMP types need their protocol, and the
/// first fragment.
Formula lower(const IpExpression& expression);

}  // namespace packetmill::ir
