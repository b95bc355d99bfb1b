#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "ir/ip_filter.h"

/// What the words of an IP pattern mean, one by one; the parser puts them together.
namespace packetmill::ir {

std::optional<IpField> find_type_word(std::string_view word);
std::optional<uint32_t> find_tcp_option(std::string_view word);  ///< the flag's bit in the header's byte 13
std::optional<uint32_t> find_icmp_type(std::string_view word);
std::optional<IpRelation> find_relation(std::string_view symbol);

/// A whole number, in whichever base; not the beginning of an address.
bool is_number(std::string_view word);
/// A symbol, or a word that the grammar needs for itself.
bool is_reserved(std::string_view word);

/// The greatest number that the primitive's field can hold.
uint32_t greatest_value(const IpPrimitive& primitive);

bool has_direction(IpField field);
bool is_address(IpField field);
/// Whether packets of this protocol have the field in their transport header.
bool has_field(IPProtocol protocol, IpField field);

/// The words that also depend on the configuration's names.
class IpWords {
 public:
  explicit IpWords(const Names& names) : names_(names) {}

  /// A port's number; of TCP or else of UDP, where no protocol is given.
  [[nodiscard]] std::optional<uint32_t> find_port(std::string_view word, std::optional<IPProtocol> protocol) const;
  [[nodiscard]] bool is_host(std::string_view word) const;
  [[nodiscard]] bool is_net(std::string_view word) const;
  /// The number that a word stands for as the primitive's value.
  [[nodiscard]] std::optional<uint32_t> find_number(const IpPrimitive& primitive, std::string_view word) const;
  /// Whether `word` may be another value of `primitive`.
  [[nodiscard]] bool is_value_of(const IpPrimitive& primitive, std::string_view word) const;
  /// What a value without a type word may mean. `directed`: after "src" or "dst"; `has_mask`: before "mask MASK".
  [[nodiscard]] std::vector<IpField> meanings_of(std::string_view word, bool directed,
                                                 std::optional<IPProtocol> protocol, bool has_mask) const;

 private:
  const Names& names_;
};

}  // namespace packetmill::ir
