#include "ir/ip_filter.h"
#include "ir/ip_filter_words.h"

namespace packetmill::ir {
namespace {

/// Where a field lies: its bytes in a header, and in them the bits under `mask`.
struct Place {
  Base base;
  unsigned offset;
  unsigned length;
  uint32_t mask;
  unsigned shift = 0;  // of the field's lowest bit
};

Place place_of(const IpPrimitive& p, bool source) {
  constexpr Base kIp = Base::network_header;
  constexpr Base kTransport = Base::transport_header;
  switch (p.field) {
    case IpField::host:  // RFC 791, 3.1
    case IpField::net:
      return {kIp, source ? 12u : 16u, 4, 0xffffffff};
    case IpField::protocol:
      return {kIp, 9, 1, 0xff};
    case IpField::version:
      return {kIp, 0, 1, 0xf0, 4};
    case IpField::header_length:
      return {kIp, 0, 1, 0x0f};
    case IpField::total_length:
      return {kIp, 2, 2, 0xffff};
    case IpField::id:
      return {kIp, 4, 2, 0xffff};
    case IpField::tos:
      return {kIp, 1, 1, 0xff};
    case IpField::dscp:
      return {kIp, 1, 1, 0xfc, 2};  // RFC 2474, 3
    case IpField::ect:
    case IpField::ce:
      return {kIp, 1, 1, 0x03};  // RFC 3168, 5
    case IpField::fragment:
      return {kIp, 6, 2, 0x3fff};  // more-fragments and offset
    case IpField::ttl:
      return {kIp, 8, 1, 0xff};
    case IpField::port:
      return {kTransport, source ? 0u : 2u, 2, 0xffff};
    case IpField::tcp_option:
      return {kTransport, 13, 1, 0xff};  // RFC 9293, 3.1
    case IpField::tcp_window:
      return {kTransport, 14, 2, 0xffff};
    case IpField::icmp_type:
      return {kTransport, 0, 1, 0xff};  // RFC 792
    case IpField::bytes:
      return {p.base, p.offset, p.length, 0xffffffff >> (32 - 8 * p.length)};
    case IpField::ether_host:
      break;  // six bytes: see below
  }
  return {};
}

/// The comparison with one field. Negative relations are the complement of positive ones, so that a field that the
/// packet is too short for is neither equal nor greater, but unequal and less. INTERPRETATION: the manual says nothing
/// of packets that are too short.
Formula compare(const Place& place, IpRelation relation, uint32_t mask, uint32_t value) {
  const auto holds = [&](Relation positive, uint32_t number) {
    return field(place.base, place.offset, place.length, positive, mask << place.shift & place.mask,
                 number << place.shift);
  };
  switch (relation) {
    case IpRelation::equal:
      return holds(Relation::equal, value);
    case IpRelation::not_equal:
      return !holds(Relation::equal, value);
    case IpRelation::greater:
      return holds(Relation::greater, value);
    case IpRelation::less_equal:
      return !holds(Relation::greater, value);
    case IpRelation::greater_equal:
      return value == 0 ? constant(true) : holds(Relation::greater, value - 1);
    case IpRelation::less:
      return value == 0 ? constant(false) : !holds(Relation::greater, value - 1);
    case IpRelation::any_bit:
      return holds(Relation::greater, 0);
  }
  return constant(false);
}

Formula compare_ethernet(const EthernetAddress& address, bool source) {
  const unsigned offset = source ? 6 : 0;
  const auto& b = address.bytes;
  const uint32_t first = uint32_t{b[0]} << 24 | uint32_t{b[1]} << 16 | uint32_t{b[2]} << 8 | b[3];
  const uint32_t last = uint32_t{b[4]} << 8 | b[5];
  return all_of({field(Base::mac_header, offset, 4, Relation::equal, 0xffffffff, first),
                 field(Base::mac_header, offset + 4, 2, Relation::equal, 0xffff, last)});
}

Formula compare_one(const IpPrimitive& p, IpRelation relation, bool source) {
  if (p.field == IpField::ether_host) return compare_ethernet(p.ethernet, source);
  return compare(place_of(p, source), relation, p.mask, p.value);
}

Formula compare_directed(const IpPrimitive& p, IpRelation relation) {
  if (!has_direction(p.field) || p.direction == Direction::source) return compare_one(p, relation, true);
  if (p.direction == Direction::destination) return compare_one(p, relation, false);
  std::vector<Formula> ends{compare_one(p, relation, true), compare_one(p, relation, false)};
  return p.direction == Direction::both ? all_of(std::move(ends)) : any_of(std::move(ends));
}

Formula is_protocol(IPProtocol protocol) {
  return field(Base::network_header, 9, 1, Relation::equal, 0xff, protocol.number);
}

/// What must hold of a packet for it to have the field at all.
std::vector<Formula> guards(const IpPrimitive& p) {
  const bool transport = p.field == IpField::port || p.field == IpField::tcp_option || p.field == IpField::tcp_window ||
                         p.field == IpField::icmp_type ||
                         (p.field == IpField::bytes && p.base == Base::transport_header);
  if (!transport) return {};
  std::vector<Formula> result;
  if (p.protocol) {
    result.push_back(is_protocol(*p.protocol));
  } else if (p.field == IpField::port) {
    result.push_back(any_of({is_protocol(kTcp), is_protocol(kUdp)}));
  }
  result.push_back(field(Base::network_header, 6, 2, Relation::equal, 0x1fff, 0));  // first fragment
  return result;
}

Formula lower_primitive(const IpPrimitive& p) {
  std::vector<Formula> parts = guards(p);
  // "host != A" is "not host A": of both ends, where the direction is "src or dst". The guards still hold, as the
  // manual says: "src tcp port != 5" is "tcp and not src tcp port 5". INTERPRETATION: "port < 9" is about one end at a
  // time, as "port 9" is: "src port < 9 or dst port < 9".
  parts.push_back(p.relation == IpRelation::not_equal ? !compare_directed(p, IpRelation::equal)
                                                      : compare_directed(p, p.relation));
  return all_of(std::move(parts));
}

}  // namespace

Formula lower(const IpExpression& expression) {
  std::vector<Formula> parts;
  for (const IpExpression& part : expression.parts) parts.push_back(lower(part));
  switch (expression.kind) {
    case IpExpression::Kind::constant:
      return constant(expression.value);
    case IpExpression::Kind::primitive:
      return lower_primitive(expression.primitive);
    case IpExpression::Kind::negation:
      return !std::move(parts[0]);
    case IpExpression::Kind::conjunction:
      return all_of(std::move(parts));
    case IpExpression::Kind::disjunction:
      return any_of(std::move(parts));
    case IpExpression::Kind::conditional:
      return conditional(std::move(parts[0]), std::move(parts[1]), std::move(parts[2]));
  }
  return constant(false);
}

}  // namespace packetmill::ir
