#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ports/summary/fields.h"

/// The binary form of IP summary dumps, as the manual page of Click's ToIPSummaryDump has it ("BINARY FORMAT"). After
/// the line "!binary" come records: a word of four bytes in network byte order, whose highest bit is set where a line
/// of text follows and clear where a packet's fields follow, one after the other, and whose other bits are the record's
/// length in bytes, with the word itself.
namespace packetmill::summary {

/// In the word that a record begins with.
inline constexpr std::uint32_t kTextRecord = 0x80000000;

/// Appends a record: `data` with its word in front, of which `kind` is kTextRecord or 0.
void append_record(std::string& bytes, std::string_view data, std::uint32_t kind);

/// Whether there is a binary form of the field: of all but `payload`.
bool has_binary_form(const Field& field);

/// Appends what the packet has of the field, which must have a binary form; zeros where it has nothing.
void append_binary(const Field& field, const Summary& summary, std::string& bytes);

/// Takes the field, which must have a binary form, off the front of `bytes`: its value as dumps of text have it ("-"
/// where there is none), or nothing where the bytes end before the field does.
std::optional<std::string> take_binary(const Field& field, std::string_view& bytes);

}  // namespace packetmill::summary
