// Random expressions and packets: the optimised graph against an evaluation of the expression as the manual page reads,
// field by field, which knows nothing of words, masks in words, guards as tests, or graphs.

#include <gtest/gtest.h>

#include <random>

#include "ir/ip_filter.h"
#include "ir/ip_test_packet.h"
#include "ir/optimise.h"

namespace packetmill::ir {
namespace {

/// A big-endian number of up to four bytes; nothing if the packet is too short for those under `mask`.
std::optional<uint32_t> read(std::span<const uint8_t> bytes, size_t offset, size_t length, uint32_t mask) {
  uint32_t number = 0;
  for (size_t i = 0; i < length; ++i) {
    const bool exists = offset + i < bytes.size();
    const bool needed = (mask & (length - i == 4 ? 0xffffffffu : (1u << 8 * (length - i)) - 1)) != 0;
    if (needed && !exists) return {};
    number = number << 8 | (exists ? bytes[offset + i] : 0);
  }
  return number;
}

class Oracle {
 public:
  explicit Oracle(const TestPacket& packet)
      : mac_(packet.bytes_from(Base::mac_header)),
        ip_(packet.bytes_from(Base::network_header)),
        transport_(packet.bytes_from(Base::transport_header)) {}

  [[nodiscard]] bool matches(const IpExpression& e) const {
    const auto part = [&](size_t i) { return matches(e.parts[i]); };
    switch (e.kind) {
      case IpExpression::Kind::constant:
        return e.value;
      case IpExpression::Kind::primitive:
        return primitive(e.primitive);
      case IpExpression::Kind::negation:
        return !part(0);
      case IpExpression::Kind::conditional:
        return part(0) ? part(1) : part(2);
      case IpExpression::Kind::conjunction:
        for (size_t i = 0; i < e.parts.size(); ++i) {
          if (!part(i)) return false;
        }
        return true;
      case IpExpression::Kind::disjunction:
        for (size_t i = 0; i < e.parts.size(); ++i) {
          if (part(i)) return true;
        }
        return false;
    }
    return false;
  }

 private:
  [[nodiscard]] bool protocol_is(unsigned number) const { return read(ip_, 9, 1, 0xff) == number; }
  [[nodiscard]] bool first_fragment() const {
    const auto field = read(ip_, 6, 2, 0x1fff);
    return field && (*field & 0x1fff) == 0;
  }

  [[nodiscard]] bool primitive(const IpPrimitive& p) const {
    switch (p.field) {
      case IpField::host:
        return ends(p, [&](bool src) { return number(p, ip_, src ? 12 : 16, 4); });
      case IpField::net:
        return ends(p, [&](bool src) { return number(p, ip_, src ? 12 : 16, 4); });
      case IpField::ether_host:
        return ends(p, [&](bool src) { return ethernet(p, src ? 6 : 0); });
      case IpField::protocol:
        return number(p, ip_, 9, 1);
      case IpField::version:
        return number(p, ip_, 0, 1, 4);
      case IpField::header_length:
        return number(p, ip_, 0, 1, 0, 0x0f);
      case IpField::total_length:
        return number(p, ip_, 2, 2);
      case IpField::id:
        return number(p, ip_, 4, 2);
      case IpField::tos:
        return number(p, ip_, 1, 1);
      case IpField::dscp:
        return number(p, ip_, 1, 1, 2);
      case IpField::ttl:
        return number(p, ip_, 8, 1);
      case IpField::ect:
      case IpField::ce:
        return number(p, ip_, 1, 1, 0, 3);
      case IpField::fragment:
        return number(p, ip_, 6, 2, 0, 0x3fff);
      case IpField::port: {
        const bool has_ports = p.protocol ? protocol_is(p.protocol->number) : protocol_is(6) || protocol_is(17);
        if (!has_ports || !first_fragment()) return false;
        return ends(p, [&](bool src) { return number(p, transport_, src ? 0 : 2, 2); });
      }
      case IpField::tcp_option:
        return protocol_is(6) && first_fragment() && number(p, transport_, 13, 1);
      case IpField::tcp_window:
        return protocol_is(6) && first_fragment() && number(p, transport_, 14, 2);
      case IpField::icmp_type:
        return protocol_is(1) && first_fragment() && number(p, transport_, 0, 1);
      case IpField::bytes:
        if (p.base == Base::network_header) return number(p, ip_, p.offset, p.length);
        if (p.protocol && !protocol_is(p.protocol->number)) return false;
        return first_fragment() && number(p, transport_, p.offset, p.length);
    }
    return false;
  }

  /// The comparison for the end or ends that the primitive speaks of; "!=" is that the "==" does not hold.
  template <typename Compare>
  [[nodiscard]] static bool ends(const IpPrimitive& p, Compare compare) {
    const bool unequal = p.relation == IpRelation::not_equal;
    const auto equal_or_ordered = [&](bool src) { return compare(src) != unequal; };
    const bool src = equal_or_ordered(true);
    const bool dst = equal_or_ordered(false);
    const bool result = p.direction == Direction::source        ? src
                        : p.direction == Direction::destination ? dst
                        : p.direction == Direction::both        ? src && dst
                                                                : src || dst;
    return result != unequal;
  }

  [[nodiscard]] static bool number(const IpPrimitive& p, std::span<const uint8_t> bytes, size_t offset, size_t length,
                                   unsigned shift = 0, uint32_t part = ~uint32_t{0}) {
    const auto all = read(bytes, offset, length, (p.mask & part) << shift);
    // A field that is missing is neither equal nor greater.
    const uint32_t n = all ? *all >> shift & part & p.mask : 0;
    switch (p.relation) {
      case IpRelation::equal:
        return all && n == p.value;
      case IpRelation::not_equal:
        return !(all && n == p.value);
      case IpRelation::greater:
        return all && n > p.value;
      case IpRelation::less_equal:
        return !(all && n > p.value);
      case IpRelation::greater_equal:
        return p.value == 0 || (all && n >= p.value);
      case IpRelation::less:
        return p.value != 0 && !(all && n >= p.value);
      case IpRelation::any_bit:
        return all && n != 0;
    }
    return false;
  }

  [[nodiscard]] bool ethernet(const IpPrimitive& p, size_t offset) const {
    const bool equal = mac_.size() >= offset + 6 && std::equal(p.ethernet.bytes.begin(), p.ethernet.bytes.end(),
                                                               mac_.begin() + static_cast<ptrdiff_t>(offset));
    return equal != (p.relation == IpRelation::not_equal);
  }

  std::span<const uint8_t> mac_, ip_, transport_;
};

/// Text of patterns from a small vocabulary, so that values meet those of the packets.
class PatternWriter {
 public:
  explicit PatternWriter(std::mt19937& engine) : engine_(engine) {}

  std::string expression(int depth) {
    if (depth == 0) return primitive();
    switch (below(6)) {
      case 0:
        return "not " + nested(depth);
      case 1:
        return nested(depth) + " and " + nested(depth);
      case 2:
        return nested(depth) + " or " + nested(depth);
      case 3:
        return nested(depth) + " " + nested(depth);
      case 4:
        return nested(depth) + " ? " + nested(depth) + " : " + nested(depth);
      default:
        return primitive();
    }
  }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(engine_() % n); }
  std::string pick(std::initializer_list<const char*> words) {
    return words.begin()[below(static_cast<unsigned>(words.size()))];
  }
  std::string small() { return std::to_string(below(4)); }
  std::string nested(int depth) { return "(" + expression(depth - 1) + ")"; }
  std::string direction() { return pick({"", "src ", "dst ", "src or dst ", "src and dst "}); }
  std::string equality() { return pick({" ", " == ", " != "}); }
  std::string comparison() {
    return pick({" ", " == ", " != ", " < ", " <= ", " > ", " >= ", " & 2 == ", " & 1 > "}) + small();
  }

  std::string primitive() {
    switch (below(12)) {
      case 0:
        return direction() + "host" + equality() + "0.0.0." + small();
      case 1:
        return direction() + "net" + equality() + "0.0.0." + small() + pick({"/31", "/30", "/0", "/0.0.0.1"});
      case 2:
        return direction() + pick({"", "tcp ", "udp "}) + "port" + comparison();
      case 3:
        return pick({"tcp", "udp", "icmp", "ip proto != tcp", "frag", "unfrag", "ip ect", "ip ce", "true", "false"});
      case 4:
        return "tcp opt " + pick({"syn", "fin", "ack"});
      case 5:
        return "tcp win" + comparison();
      case 6:
        return "icmp type" + comparison();
      case 7:
        return "ip[" + std::to_string(below(20)) + ":" + std::to_string(1 + below(4)) + "]" + comparison();
      case 8:
        return pick({"transp[", "tcp[", "udp["}) + std::to_string(below(16)) + ":" + std::to_string(1 + below(4)) +
               "]" + comparison();
      case 9:
        return direction() + "ether host" + equality() + "0:0:0:0:0:" + small();
      case 10:
        return "ip tos & " + small();
      default:
        return "ip " + pick({"vers", "hl", "id", "tos", "dscp", "ttl", "len", "proto"}) + comparison();
    }
  }

  std::mt19937& engine_;
};

TestPacket random_packet(std::mt19937& engine) {
  const auto below = [&](unsigned n) { return static_cast<unsigned>(engine() % n); };
  TestPacket packet;
  packet.mac(5, static_cast<uint8_t>(below(4))).mac(11, static_cast<uint8_t>(below(4)));
  if (below(4) == 0) packet.options(below(3));
  for (size_t offset : {1u, 3u, 5u, 8u, 15u, 19u}) packet.ip(offset, static_cast<uint8_t>(below(5)));
  if (below(4) == 0) packet.fragment(below(2), below(2) == 0);
  const uint8_t protocols[] = {1, 6, 17, 50};
  packet.protocol(protocols[below(4)]);
  for (size_t offset = 0; offset < 20; ++offset)
    packet.transport(offset, static_cast<uint8_t>(offset % 2 ? below(4) : 0));
  if (below(6) == 0) packet.ip(0, static_cast<uint8_t>(below(256)));
  if (below(4) == 0) packet.truncate(below(44));
  return packet;
}

TEST(IpFilterOracle, AgreesOnRandomRulesAndPackets) {
  for (unsigned seed = 0; seed < 1000; ++seed) {
    std::mt19937 engine(seed);
    PatternWriter writer(engine);
    std::vector<IpExpression> expressions;
    std::vector<Rule> rules;
    std::string all;
    for (int i = 0; i < 3; ++i) {
      const std::string text = writer.expression(3);
      all += text + "\n";
      const auto error = parse_ip_pattern(text, expressions.emplace_back());
      ASSERT_FALSE(error) << text << "\n" << error->message << " at " << error->offset;
      rules.push_back({lower(expressions.back()), i});
    }
    const DecisionProgram program = optimise(rules);
    for (int i = 0; i < 100; ++i) {
      const TestPacket packet = random_packet(engine);
      const Oracle oracle(packet);
      int expected = kNoOutput;
      for (int rule = 2; rule >= 0; --rule) {
        if (oracle.matches(expressions[static_cast<size_t>(rule)])) expected = rule;
      }
      ASSERT_EQ(evaluate(program.graph(), [&](Base base) { return packet.bytes_from(base); }), expected)
          << "seed " << seed << "\n"
          << all << to_string(program.graph());
    }
  }
}

}  // namespace
}  // namespace packetmill::ir
