#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ports/summary/draft.h"
#include "ports/summary/summary.h"
#include "runtime/values/parse.h"

namespace packetmill::summary {

/// One kind of value that a line of an IP summary dump may have, for writing and for reading.
struct Field {
  std::string_view name;  ///< "ip_src"
  /// Appends the value; false where the packet has none (and nothing is appended).
  bool (*write)(const Summary& summary, std::string& text);
  /// Takes the value from `text`; false where it is none. Null: the field is understood, and says nothing of a packet
  /// that the others do not.
  bool (*read)(std::string_view text, Draft& draft);
};

/// `name` as it is, with spaces instead of underscores, or the short names of older dumps ("src", "len"). Null: there
/// is no such field.
const Field* find_field(std::string_view name);

/// The fields that a list of names says, as in `ip_src "tcp seq"`; where one is unknown, `unknown` is it.
std::vector<const Field*> parse_fields(std::string_view names, std::string& unknown);

/// The argument FIELDS.
struct FieldNames {
  static constexpr std::string_view kTypeName = "field names";
  std::string_view text;
};
using packetmill::parse;
ParseError parse(std::string_view text, FieldNames& out, const Names& names = kNoNames);

/// "tcp" or "T" and its kind, or a number; false where it is neither.
bool parse_protocol(std::string_view text, std::uint8_t& protocol);

}  // namespace packetmill::summary
