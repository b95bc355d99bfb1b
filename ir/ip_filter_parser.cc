#include <fmt/format.h>

#include <limits>

#include "graph/nearest.h"
#include "ir/ip_filter.h"
#include "ir/ip_filter_lexer.h"
#include "ir/ip_filter_words.h"
#include "runtime/values/parse.h"
#include "runtime/values/well_known.h"

namespace packetmill::ir {
namespace {

class Parser {
 public:
  Parser(std::string_view text, const Names& names) : tokens_(split_ip_pattern(text)), names_(names), words_(names) {}

  std::optional<PatternError> parse_pattern(IpExpression& out) {
    if (tokens_.size() == 2) {
      for (const std::string_view word : {"-", "any", "all", "none"}) {
        if (peek().text != word) continue;
        out = {.value = word != "none", .primitive = {}, .parts = {}};
        return {};
      }
    }
    out = parse_expression();
    if (!error_ && !at_end()) fail(fmt::format("unexpected '{}'", peek().text));
    return error_;
  }

 private:
  using Kind = IpExpression::Kind;

  // The grammar, from weak to strong binding. After an error every function returns at once, and the result is unused.

  /// or-expression [ "?" expression ":" expression ]
  IpExpression parse_expression() {
    if (++depth_ > kMaxDepth) return fail("nested too deeply");
    IpExpression condition = parse_or();
    if (accept("?")) {
      IpExpression yes = parse_expression();
      if (!accept(":")) return fail("expected ':' surrounded by spaces");
      IpExpression no = parse_expression();
      condition = combine(Kind::conditional, {std::move(condition), std::move(yes), std::move(no)});
    }
    --depth_;
    return condition;
  }

  /// and-expression { ("or" | "||") and-expression }
  IpExpression parse_or() {
    std::vector<IpExpression> parts{parse_and()};
    while (accept("or") || accept("||")) parts.push_back(parse_and());
    return combine(Kind::disjunction, std::move(parts));
  }

  /// not-expression { [ "and" | "&&" ] not-expression }
  IpExpression parse_and() {
    std::vector<IpExpression> parts{parse_not()};
    while (true) {
      const bool connected = accept("and") || accept("&&");
      const std::string_view next = peek().text;
      if (!connected && (at_end() || next == "or" || next == "||" || next == "?" || next == ":" || next == ")")) break;
      parts.push_back(parse_not());
    }
    return combine(Kind::conjunction, std::move(parts));
  }

  /// ("not" | "!") not-expression | "(" expression ")" | "true" | "false" | primitive
  IpExpression parse_not() {
    if (at_end()) return fail("expected a pattern");
    if (accept("not") || accept("!")) {
      if (++depth_ > kMaxDepth) return fail("nested too deeply");
      std::vector<IpExpression> part{parse_not()};
      --depth_;
      return {.kind = Kind::negation, .primitive = {}, .parts = std::move(part)};
    }
    if (accept("(")) {
      IpExpression inner = parse_expression();
      if (!accept(")")) return fail("expected ')'");
      return inner;
    }
    if (accept("true")) return {.value = true, .primitive = {}, .parts = {}};
    if (accept("false")) return {.value = false, .primitive = {}, .parts = {}};
    return parse_primitive();
  }

  /// The result of a rule that failed, of whichever type.
  struct Failed {
    operator bool() const { return false; }
    operator IpExpression() const { return {}; }
  };

  /// What stands before a primitive's value, as far as it is written.
  struct Head {
    std::optional<Direction> direction;
    std::optional<IPProtocol> protocol;
    bool ether = false;
    std::optional<IpField> type;
    size_t offset = 0;
  };

  /// [qualifiers] [type] [ "&" mask ] [relation] value
  IpExpression parse_primitive() {
    Head head;
    head.offset = peek().offset;
    while (!head.type) {
      const std::string_view word = peek().text;
      if (word == "src" || word == "dst") {
        if (head.direction) return fail(fmt::format("'{}' is one direction too many", word));
        head.direction = parse_direction();
      } else if (word == "ether" && !head.ether) {
        advance();
        head.ether = true;
      } else if ((word == "ip" || word == "transp") && next_is("[")) {
        return parse_bytes(word == "ip" ? Base::network_header : Base::transport_header, {});
      } else if (const auto protocol = well_known::find_protocol(word); protocol && !head.protocol) {
        if (next_is("[")) return parse_bytes(Base::transport_header, protocol);
        if (!qualifies(*protocol)) break;
        advance();
        head.protocol = protocol;
      } else {
        head.type = find_type_word(word);
        if (!head.type && (word != "ip" || at_end(1))) break;
        advance();
      }
    }
    return parse_comparison(head);
  }

  /// "src" | "dst" | ("src" | "dst") ("or" | "and") ("dst" | "src")
  Direction parse_direction() {
    const bool source = peek().text == "src";
    advance();
    const std::string_view connective = peek().text;
    const bool either = connective == "or" || connective == "||";
    const bool both = connective == "and" || connective == "&&";
    if ((either || both) && next_is(source ? "dst" : "src")) {
      advance();
      advance();
      return either ? Direction::either : Direction::both;
    }
    return source ? Direction::source : Direction::destination;
  }

  /// Whether the protocol at hand belongs to the primitive that follows ("tcp port 80", "tcp dst www", "icmp echo") and
  /// is not one itself ("tcp", "tcp and port 80", "tcp 10.0.0.1").
  [[nodiscard]] bool qualifies(IPProtocol protocol) const {
    size_t ahead = 1;
    if (peek(1).text == "src" || peek(1).text == "dst") {
      ahead =
          (peek(2).text == "or" || peek(2).text == "and") && (peek(3).text == "src" || peek(3).text == "dst") ? 4 : 2;
    }
    const std::string_view word = peek(ahead).text;
    if (protocol == kIcmp) return word == "type" || is_number(word) || find_icmp_type(word);
    if (protocol != kTcp && protocol != kUdp) return false;
    if (word == "port" || is_number(word) || words_.find_port(word, protocol)) return true;
    return protocol == kTcp && (word == "opt" || word == "win" || find_tcp_option(word));
  }

  /// ("ip" | "transp" | protocol) "[" POS [ ":" LEN ] "]" comparison
  IpExpression parse_bytes(Base base, std::optional<IPProtocol> protocol) {
    IpPrimitive p;
    p.field = IpField::bytes;
    p.base = base;
    p.protocol = protocol;
    advance();
    advance();
    const std::string_view text = peek().text;
    const size_t colon = text.find(':');
    uint16_t offset = 0;
    p.length = 1;
    if (packetmill::parse(text.substr(0, colon), offset)) return fail("expected a position as in [9] or [2:2]");
    if (colon != std::string_view::npos && packetmill::parse(text.substr(colon + 1), p.length)) {
      return fail("expected a length as in [2:2]");
    }
    if (p.length < 1 || p.length > 4) return fail("the length is out of range 1 to 4");
    if (offset + p.length > std::numeric_limits<uint16_t>::max()) return fail("the position is out of range");
    p.offset = offset;
    advance();
    if (!accept("]")) return fail("expected ']'");
    return finish(p);
  }

  IpExpression parse_comparison(const Head& head) {
    IpPrimitive p;
    p.direction = head.direction.value_or(Direction::either);
    p.protocol = head.protocol;
    if (head.ether) {
      if (head.type && head.type != IpField::host) return fail("expected 'host' after 'ether'");
      p.field = IpField::ether_host;
    } else if (head.type) {
      p.field = *head.type;
    } else if (!infer_field(head, p)) {
      return {};
    }
    if (!check_qualifiers(head, p)) return {};
    switch (p.field) {
      case IpField::ect:
        return flag(p, IpRelation::any_bit);
      case IpField::ce:
        return flag(p, IpRelation::equal, 3);
      case IpField::fragment: {
        const bool whole = tokens_[at_ - 1].text == "unfrag";
        return flag(p, whole ? IpRelation::equal : IpRelation::any_bit);
      }
      case IpField::tcp_option:
      case IpField::tcp_window:
        p.protocol = kTcp;
        break;
      case IpField::icmp_type:
        p.protocol = kIcmp;
        break;
      default:
        break;
    }
    return finish(p);
  }

  /// Finds what a value without a type word means: what the primitive before it meant, where it may ("src port 80 or
  /// 81"), else what the value looks like.
  bool infer_field(const Head& head, IpPrimitive& p) {
    size_t ahead = 0;
    while (find_relation(peek(ahead).text)) ++ahead;
    const std::string_view word = peek(ahead).text;
    const bool has_mask = peek(ahead + 1).text == "mask";
    if (word.empty()) return fail("expected a value");
    if (is_reserved(word)) return fail(fmt::format("expected a value, not '{}'", word));

    if (previous_ && may_follow(head, *previous_) && words_.is_value_of(*previous_, word)) {
      p.field = previous_->field;
      if (is_address(p.field)) p.field = words_.is_host(word) && !has_mask ? IpField::host : IpField::net;
      if (!head.direction) p.direction = previous_->direction;
      if (!head.protocol) p.protocol = previous_->protocol;
      return true;
    }
    const auto meanings = words_.meanings_of(word, head.direction.has_value(), head.protocol, has_mask);
    if (meanings.size() == 1) {
      p.field = meanings[0];
      return true;
    }
    if (meanings.size() > 1) {
      return fail(fmt::format("'{}' is ambiguous: say 'port {}' or 'icmp type {}'", word, word, word));
    }
    return fail(is_number(word) ? fmt::format("'{}' of what? Say for example 'port {}'", word, word)
                                : fmt::format("'{}' is no primitive, address, port or protocol", word));
  }

  /// Whether what is written agrees with taking the rest from `previous`.
  static bool may_follow(const Head& head, const IpPrimitive& previous) {
    if (head.direction && !has_direction(previous.field)) return false;
    return !head.protocol || has_field(*head.protocol, previous.field);
  }

  bool check_qualifiers(const Head& head, const IpPrimitive& p) {
    if (head.direction && !has_direction(p.field)) {
      return fail_at(head.offset, "'src' and 'dst' are for hosts, nets and ports");
    }
    if (head.protocol && !has_field(*head.protocol, p.field)) {
      return fail_at(head.offset, "the protocol does not have such a field");
    }
    return true;
  }

  IpExpression flag(IpPrimitive& p, IpRelation relation, uint32_t value = 0) {
    p.relation = relation;
    p.value = value;
    return primitive(p);
  }

  /// [ "&" mask ] [relation] value
  IpExpression finish(IpPrimitive& p) {
    if (p.field == IpField::tcp_option) return parse_option(p);
    bool masked = false;
    if (accept("&")) {
      if (p.field == IpField::net || p.field == IpField::ether_host) return fail("no mask is possible here");
      if (!parse_value(p, p.mask)) return {};
      masked = true;
    }
    const size_t relation_at = peek().offset;
    const auto relation = find_relation(peek().text);
    if (relation) {
      advance();
    } else if (masked && !starts_value(p)) {
      // INTERPRETATION: a mask without a value asks whether any bit under it is set.
      p.relation = IpRelation::any_bit;
      return primitive(p);
    }
    p.relation = relation.value_or(IpRelation::equal);
    if (is_address(p.field) && p.relation != IpRelation::equal && p.relation != IpRelation::not_equal) {
      return fail_at(relation_at, "addresses are only equal ('==') or not ('!=')");
    }
    if (p.field == IpField::net) return parse_net(p);
    if (p.field == IpField::ether_host) {
      if (const auto error = packetmill::parse(peek().text, p.ethernet, names_)) return fail(*error);
      advance();
      return primitive(p);
    }
    return parse_value(p, p.value) ? primitive(p) : IpExpression{};
  }

  /// Whether the next token can only be the value of a masked comparison, and not the beginning of another primitive.
  [[nodiscard]] bool starts_value(const IpPrimitive& p) const {
    return p.field == IpField::host ? words_.is_host(peek().text) : is_number(peek().text);
  }

  IpExpression parse_option(IpPrimitive& p) {
    const auto option = find_tcp_option(peek().text);
    if (!option) {
      return fail(fmt::format("expected a TCP option (syn, fin, ack, rst, psh, urg), not '{}'", peek().text));
    }
    advance();
    p.mask = *option;
    p.relation = IpRelation::any_bit;
    return primitive(p);
  }

  /// ADDR/BITS | ADDR/MASK | ADDR "mask" MASK | NAME
  IpExpression parse_net(IpPrimitive& p) {
    IPv4Prefix prefix;
    if (peek(1).text == "mask") {
      if (const auto error = packetmill::parse(peek().text, prefix.address, names_)) return fail(*error);
      advance();
      advance();
      if (const auto error = packetmill::parse(peek().text, prefix.mask, names_)) return fail(*error);
    } else if (const auto error = packetmill::parse(peek().text, prefix, names_)) {
      return fail(*error);
    }
    advance();
    p.mask = prefix.mask.host();
    p.value = prefix.address.host() & p.mask;
    return primitive(p);
  }

  /// A value of the primitive, or a mask for it.
  bool parse_value(const IpPrimitive& p, uint32_t& out) {
    const std::string_view word = peek().text;
    if (word.empty() || is_reserved(word)) return fail("expected a value");
    if (p.field == IpField::host) {
      IPv4Address address;
      if (const auto error = packetmill::parse(word, address, names_)) return fail(*error);
      out = address.host();
    } else if (const auto number = words_.find_number(p, word)) {
      if (*number > greatest_value(p)) return fail(fmt::format("out of range, bound {}", greatest_value(p)));
      out = *number;
    } else {
      return fail(packetmill::parse(word, out).value_or("invalid number"));
    }
    advance();
    return true;
  }

  IpExpression primitive(const IpPrimitive& p) {
    previous_ = p;
    return {.kind = Kind::primitive, .primitive = p, .parts = {}};
  }

  static IpExpression combine(Kind kind, std::vector<IpExpression> parts) {
    if (parts.size() == 1) return std::move(parts[0]);
    return {.kind = kind, .primitive = {}, .parts = std::move(parts)};
  }

  [[nodiscard]] const IpToken& peek(size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  [[nodiscard]] bool at_end(size_t ahead = 0) const { return peek(ahead).text.empty(); }
  [[nodiscard]] bool next_is(std::string_view text) const { return peek(1).text == text; }
  void advance() { at_ = std::min(at_ + 1, tokens_.size() - 1); }
  bool accept(std::string_view text) {
    if (peek().text != text) return false;
    advance();
    return true;
  }

  Failed fail(std::string message) { return fail_at(peek().offset, std::move(message)); }
  /// Keeps the first error, and moves to the end, where no rule of the grammar goes on.
  Failed fail_at(size_t offset, std::string message) {
    if (!error_) error_ = PatternError{std::move(message), offset};
    at_ = tokens_.size() - 1;
    return {};
  }

  static constexpr int kMaxDepth = 200;

  std::vector<IpToken> tokens_;
  const Names& names_;
  IpWords words_;
  size_t at_ = 0;
  int depth_ = 0;
  std::optional<IpPrimitive> previous_;  ///< what a value without type and qualifiers refers to
  std::optional<PatternError> error_;
};

}  // namespace

std::optional<PatternError> parse_ip_pattern(std::string_view text, IpExpression& out, const Names& names) {
  return Parser(text, names).parse_pattern(out);
}

std::optional<PatternError> parse_ip_filter_rule(std::string_view text, IpFilterRule& out, const Names& names) {
  const IpToken action = split_ip_pattern(text).front();
  if (action.text == "allow") {
    out.outcome = 0;
  } else if (action.text == "deny" || action.text == "drop") {
    out.outcome = kNoOutput;
  } else if (parse(action.text, out.outcome) || out.outcome < 0) {
    return PatternError{"expected an action: 'allow', 'deny', 'drop' or an output's number", action.offset,
                        did_you_mean(action.text, {"allow", "deny", "drop"})};
  }
  const size_t pattern = action.offset + action.text.size();
  auto error = parse_ip_pattern(text.substr(pattern), out.pattern, names);
  if (error) error->offset += pattern;
  return error;
}

}  // namespace packetmill::ir
